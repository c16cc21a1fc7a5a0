import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

it("`imprint diff` shows nothing for an unchanged page, even with non-ASCII file names", async () => {
  const { run, write } = await openAtStranger(dialectB("B plain"), { posts: false });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Лампа</title></svg>';
  await write("dist/Фото лампа.svg", svg);
  const about = (text: string) => htmlPage("About", `<img src="/Фото лампа.svg" alt=""><p>${text}</p>`);
  await write("dist/about/index.html", about("One"));
  await run("publish", "--accept");
  expect(await run("diff", "about")).toMatchObject({ code: 0, said: expect.not.stringContaining("<img") });
  await write("dist/about/index.html", about("Two"));
  const { said } = await run("diff", "about");
  expect(said).toContain("-<p>One</p> +<p>Two</p>");
  expect(said).not.toMatch(/[-+]<img/);
});

it("`imprint analytics` reports that a host has no analytics, not that there are no pages", async () => {
  const dialect = dialectB("B without analytics", { areas: { analytics: { status: 404, words: "Not found" } } });
  const { run } = await openAtStranger(dialect, { posts: false });
  await run("publish", "--accept");
  for (const argv of [["analytics"], ["analytics", "about"]]) {
    const { code, said } = await run(...argv);
    expect([code, said]).toEqual([1, expect.stringMatching(/has the page "\w+", and reports no analytics for it/)]);
  }
  expect((await run("analytics", "nowhere")).said).toContain('The service has no page "nowhere"');
});

const SUBMISSIONS = [{ id: "su_1", createdAt: "2026-01-01T00:00:00Z", fields: { email: "ada@example.org" } }];

it.each([
  { status: 200, type: "text/html", body: "<!doctype html><title>Sign in</title>", says: "is a web page" },
  { status: 202, type: "application/json", body: '{"id":"exp_1","status":"queued"}', says: "fields are id, status" },
  { status: 200, type: "application/json", body: '{"url":"https://x.example/e.csv"}', says: "fields are url" },
  { status: 204, type: "text/plain", body: "", says: "it is empty" },
  {
    ...{ status: 200, type: "application/json", says: "contains only 1 of the submissions" },
    body: JSON.stringify({ submissions: SUBMISSIONS, total: 120, nextCursor: "1" }),
  },
])("`imprint forms export` writes no file of an answer without the submissions: $body", async (answered) => {
  const { run, proxy, root } = await openBehindProxy(dialectB("B"), { posts: false });
  await run("publish", "--accept");
  proxy.meddle(({ path, answer }) => {
    if (path !== "/api/forms/export") return undefined;
    answer.writeHead(answered.status, { "content-type": answered.type }).end(answered.body);
    return Promise.resolve();
  });
  const { code, said } = await run("forms", "export", "about", "--out", "leads.csv");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(answered.says) });
  await expect(readFile(join(root, "leads.csv"))).rejects.toThrow("ENOENT");
});

it.each([
  { type: "text/csv", body: "email\nada@example.org\n" },
  { type: "application/json", body: JSON.stringify({ submissions: SUBMISSIONS, total: 1 }) },
])("`imprint forms export` writes the submissions of another host as CSV ($type)", async ({ type, body }) => {
  const { run, proxy, root } = await openBehindProxy(dialectB("B"), { posts: false });
  await run("publish", "--accept");
  proxy.meddle(({ path, answer }) => {
    if (path !== "/api/forms/export") return undefined;
    answer.writeHead(200, { "content-type": type }).end(body);
    return Promise.resolve();
  });
  expect(await run("forms", "export", "about", "--out", "leads.csv")).toMatchObject({ code: 0 });
  expect(await readFile(join(root, "leads.csv"), "utf8")).toMatch(/email.*\n.*ada@example\.org/s);
});

it.each([
  { cascades: false, withPages: true, code: 0, says: "was deleted.", left: [] },
  { cascades: true, withPages: false, code: 1, says: "The service deleted its pages with it: about.", left: [] },
  { cascades: false, withPages: false, code: 0, says: "was deleted.", left: ["about"] },
])(
  "`imprint sites remove` says what a host did with the pages (cascades: $cascades, asked to: $withPages)",
  async ({ cascades, withPages, code, says, left }) => {
    const { run, proxy, stranger } = await openBehindProxy(dialectA("A"), { posts: false });
    await run("publish", "--accept");
    const { pages, sites } = stranger.world;
    const [siteId = ""] = sites.keys();
    const about = pages.get("about");
    if (about !== undefined) pages.set("about", { ...about, siteId });
    proxy.meddle(({ method, path }) => {
      if (cascades && method === "DELETE" && path.startsWith("/api/sites/")) pages.delete("about");
      return undefined;
    });
    const ran = await run("sites", "remove", siteId, "--yes", ...(withPages ? ["--with-pages"] : []));
    expect(ran).toMatchObject({ code, said: expect.stringContaining(says) });
    expect([...pages.keys()].filter((slug) => slug === "about")).toEqual(left);
  },
);

it("`imprint assets remove` keeps a file that pages show", async () => {
  const { run, stranger, write } = await openAtStranger(dialectA("A"), { posts: false });
  await run("publish", "--accept");
  const files = () => [...stranger.world.assets.values()];
  const [used] = files();
  const kept = await run("assets", "remove", used?.id ?? "", "--yes");
  expect(kept).toMatchObject({
    code: 1,
    said: expect.stringMatching(/was kept: it is in use \(\d+\)\. Delete it with --force/),
  });
  await write("unused.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
  await run("assets", "upload", "unused.svg");
  const before = files().length;
  expect(await run("assets", "remove", files().at(-1)?.id ?? "", "--yes")).toMatchObject({ code: 0 });
  expect(await run("assets", "remove", used?.id ?? "", "--yes", "--force")).toMatchObject({ code: 0 });
  expect(files()).toHaveLength(before - 2);
});

it("`imprint domains remove` doesn't say that a domain is removed while the service lists it", async () => {
  const { run, proxy } = await openBehindProxy(dialectA("A"), { posts: false });
  await run("publish", "--accept");
  let isRemoved = false;
  proxy.meddle(({ method, path, answer }) => {
    if (!path.startsWith("/api/custom-domains")) return undefined;
    const domain = { id: "dom_1", domain: "tern.example", status: isRemoved ? "removing" : "active" };
    isRemoved ||= method === "DELETE";
    answer.writeHead(method === "DELETE" ? 202 : 200, { "content-type": "application/json" });
    answer.end(JSON.stringify(method === "DELETE" ? { id: "dom_1", status: "removing" } : [domain]));
    return Promise.resolve();
  });
  const { code, said } = await run("domains", "remove", "tern.example", "--yes");
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringContaining("accepted the removal of tern.example, but still lists it (removing)"),
  });
  expect(said).not.toContain("You can delete its DNS records.");
});

it.each([
  { argv: ["rename", "ID", "Gannet House"], says: "the site's name is still" },
  { argv: ["home", "ID", "about"], says: "still shows the home page" },
])("`imprint sites $argv` fails if the service answers with the record as it was", async ({ argv, says }) => {
  const { run, proxy, stranger } = await openBehindProxy(dialectA("A"), { posts: false });
  await run("publish", "--accept");
  const [id = ""] = stranger.world.sites.keys();
  const before = { ...stranger.world.sites.get(id) };
  proxy.meddle(({ method, path, answer }) => {
    if (method === "GET" || !path.startsWith("/api/sites/")) return undefined;
    answer
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...before, name: "Halden Press", homeSlug: "index" }));
    return Promise.resolve();
  });
  const ran = await run("sites", ...argv.map((word) => (word === "ID" ? id : word)), "--yes");
  expect(ran).toMatchObject({ code: 1, said: expect.stringContaining(says) });
});

it("`imprint sites remove` doesn't say that a site is deleted while the service lists it", async () => {
  const { run, proxy, stranger } = await openBehindProxy(dialectA("A"), { posts: false });
  await run("publish", "--accept");
  const [id = ""] = stranger.world.sites.keys();
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "DELETE" || !path.startsWith("/api/sites/")) return undefined;
    answer.writeHead(202).end();
    return Promise.resolve();
  });
  const ran = await run("sites", "remove", id, "--yes");
  expect(ran).toMatchObject({ code: 1, said: expect.stringContaining("accepted the deletion of") });
});

it("`imprint domains add` adds a domain once, and doesn't announce records that the service doesn't show", async () => {
  const { run, proxy } = await openBehindProxy(dialectA("A"), { posts: false });
  await run("publish", "--accept");
  const domains: object[] = [];
  proxy.meddle(({ method, path, answer }) => {
    if (!path.startsWith("/api/custom-domains")) return undefined;
    if (method === "POST") domains.push({ id: `dom_${domains.length}`, domain: "tern.example", status: "pending" });
    answer.writeHead(method === "POST" ? 201 : 200, { "content-type": "application/json" });
    answer.end(JSON.stringify(method === "POST" ? domains.at(-1) : domains));
    return Promise.resolve();
  });
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("domains", "add", "tern.example");
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringContaining("The service shows no DNS records"),
    });
    expect(said).not.toContain("Set these records");
  }
  expect(domains).toHaveLength(1);
});

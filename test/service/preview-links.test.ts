import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "./open-service.ts";
import { inviteAs } from "./people/signed-in-as.ts";
import { signIn } from "./dashboard/signed-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LINKS = "/api/blogs/news/posts/one/preview-links";

async function openDraft(options: Parameters<typeof openService>[0] = {}) {
  let now = Date.parse("2026-03-01T12:00:00Z");
  const service = openService({ now: () => new Date(now), ...options });
  const send = clientOf(service, { routeSet: "a" });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  const draft = { slug: "one", title: "Title of the draft", html: "<p>Secret draft</p>", status: "draft" };
  await send("POST", "/api/blogs/news/posts", { json: draft });
  return {
    service,
    send,
    wait(milliseconds: number) {
      now += milliseconds;
    },
    async makeLink(json: object = {}) {
      const { status, body, text } = await send("POST", LINKS, { json });
      if (status !== 201) throw new Error(text);
      return { url: new URL(String(body["url"])), expiresAt: body["expiresAt"] };
    },
  };
}

describe("a preview link", () => {
  it("shows a draft without a key, and nothing else of the blog", async () => {
    const { service, makeLink } = await openDraft();
    const { url, expiresAt } = await makeLink();
    const response = await visit(service, url.pathname);
    const html = await response.text();
    expect(url.origin).toBe(service.pagesUrl);
    expect(expiresAt).toBe("2026-03-08T12:00:00.000Z");
    expect(response.status).toBe(200);
    expect(html).toContain("<p>Secret draft</p>");
    expect(html).toContain('<time datetime="2026-03-08T12:00:00.000Z">March 8, 2026</time>');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('rel="canonical"');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    expect((await visit(service, "/blog/news/one")).status).toBe(404);
    expect(await (await visit(service, "/blog/news")).text()).not.toContain("Title of the draft");
  });

  it("shows the current version, and redirects to the post once it is published", async () => {
    const { service, send, makeLink } = await openDraft();
    const { url } = await makeLink();
    await send("PATCH", "/api/blogs/news/posts/one", { json: { html: "<p>Second</p>" } });
    expect(await (await visit(service, url.pathname)).text()).toContain("<p>Second</p>");
    await send("PATCH", "/api/blogs/news/posts/one", { json: { status: "published" } });
    const published = await visit(service, url.pathname);
    expect(published.status).toBe(302);
    expect(published.headers.get("Location")).toBe(`${service.pagesUrl}/blog/news/one`);
    expect(published.headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("expires at the requested time", async () => {
    const { service, makeLink, wait } = await openDraft();
    const { url } = await makeLink({ expiresInDays: 2 });
    wait(2 * DAY_MS - 1);
    expect((await visit(service, url.pathname)).status).toBe(200);
    wait(1);
    const ended = await visit(service, url.pathname);
    expect(ended.status).toBe(404);
    expect(await ended.text()).toContain("This preview link has expired");
  });

  it("ends with its post, and a new post under the slug doesn't restore it", async () => {
    const { service, send, makeLink } = await openDraft();
    const { url } = await makeLink();
    await send("DELETE", "/api/blogs/news/posts/one");
    expect((await visit(service, url.pathname)).status).toBe(404);
    const other = { slug: "one", title: "Other", html: "<p>Other</p>", status: "draft" };
    await send("POST", "/api/blogs/news/posts", { json: other });
    expect((await visit(service, url.pathname)).status).toBe(404);
  });

  it("ends when a published post is taken back", async () => {
    const { service, send, makeLink } = await openDraft();
    const { url } = await makeLink();
    await send("PATCH", "/api/blogs/news/posts/one", { json: { title: "Still a draft" } });
    expect((await visit(service, url.pathname)).status).toBe(200);
    for (const status of ["published", "draft"]) await send("PATCH", "/api/blogs/news/posts/one", { json: { status } });
    expect((await visit(service, url.pathname)).status).toBe(404);
    expect((await visit(service, (await makeLink()).url.pathname)).status).toBe(200);
  });

  it("ends when the links of its post are revoked, and others stay", async () => {
    const { service, send, makeLink } = await openDraft();
    const other = { slug: "two", title: "Other", html: "<p>Other</p>", status: "draft" };
    await send("POST", "/api/blogs/news/posts", { json: other });
    const kept = await send("POST", "/api/blogs/news/posts/two/preview-links", { json: {} });
    const links = [await makeLink(), await makeLink()];
    expect((await send("DELETE", LINKS)).status).toBe(204);
    for (const { url } of links) expect((await visit(service, url.pathname)).status).toBe(404);
    expect((await visit(service, new URL(String(kept.body["url"])).pathname)).status).toBe(200);
    expect((await visit(service, (await makeLink()).url.pathname)).status).toBe(200);
    expect((await send("DELETE", LINKS.replace("one", "three"))).body["code"]).toBe("post_not_found");
  });

  it.each(["pv_0000000000000000000000000000000000000000000", "one", "pv_", "%00", "../blog"])(
    "can't be guessed with %s",
    async (token) => {
      const { service } = await openDraft();
      const response = await visit(service, `/_preview/${encodeURIComponent(token)}`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("Secret draft");
    },
  );

  it("isn't stored in a database file or a log", async () => {
    const dataDir = await temporaryFolder();
    const lines: string[] = [];
    const note = (...values: readonly unknown[]) => void lines.push(JSON.stringify(values));
    const logger = { info: note, warn: note, error: note, debug: note };
    const { service, makeLink } = await openDraft({ ephemeral: false, dataDir, logger });
    const token = (await makeLink()).url.pathname.split("/").at(-1) ?? "";
    expect((await visit(service, `/_preview/${token}`)).status).toBe(200);
    const files = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile());
    const bytes = await Promise.all(files.map(({ name }) => readFile(join(dataDir, name))));
    expect(files.length).toBeGreaterThan(0);
    expect(bytes.some((content) => content.includes(token))).toBe(false);
    expect(lines.join("\n")).not.toContain(token);
  });

  it("is shown once: a repeated request doesn't return it", async () => {
    const { send } = await openDraft();
    const headers = { "Idempotency-Key": "one" };
    const first = await send("POST", LINKS, { json: {}, headers });
    const again = await send("POST", LINKS, { json: {}, headers });
    expect(first.body["url"]).toEqual(expect.any(String));
    expect(again.body).toEqual({ expiresAt: first.body["expiresAt"] });
  });
});

it.each([
  ["no days", { expiresInDays: 0 }],
  ["more than 30 days", { expiresInDays: 31 }],
  ["a fraction of a day", { expiresInDays: 1.5 }],
])("rejects a preview link for %s", async (_, json) => {
  const { send } = await openDraft();
  const { status, body } = await send("POST", LINKS, { json });
  expect([status, body["code"]]).toEqual([422, "invalid_body"]);
});

it("rejects a preview link for a post that doesn't exist", async () => {
  const { send } = await openDraft();
  const { status, body } = await send("POST", "/api/blogs/news/posts/two/preview-links", { json: {} });
  expect([status, body["code"]]).toEqual([404, "post_not_found"]);
});

it("the account announces preview links for posts", async () => {
  const { send } = await openDraft();
  expect((await send("GET", "/api/account")).body).toMatchObject({ capabilities: { "posts.previewLinks": true } });
});

it("deletes expired links", async () => {
  const { service, makeLink, wait } = await openDraft();
  await makeLink({ expiresInDays: 1 });
  wait(DAY_MS);
  expect(await service.runJobs()).toContain("preview-links");
});

describe("the dashboard", () => {
  it("creates a preview link for a draft, with a copy button", async () => {
    const { service } = await openDraft();
    const { get, post } = await signIn(service);
    expect(await (await get("/blogs/news/posts/one")).text()).toContain("Create preview link");
    const made = await post("/blogs/news/posts/one/preview-links", {});
    const html = await made.text();
    const path = /value="[^"]*(\/_preview\/[^"]+)"/.exec(html)?.[1] ?? "";
    expect(made.status).toBe(201);
    expect(html).toContain('data-copy="secret"');
    expect(await (await visit(service, path)).text()).toContain("Secret draft");
  });

  it("shows until when links to a draft work, and revokes them for users who may change it", async () => {
    const { service, makeLink } = await openDraft();
    const [editor, viewer] = [await inviteAs(service, "editor"), await inviteAs(service, "viewer")];
    const page = async () => (await (await editor.get("/blogs/news/posts/one")).text()).replaceAll(/<[^>]+>/g, "");
    expect(await page()).not.toContain("Revoke");
    const { url } = await makeLink({ expiresInDays: 2 });
    expect(await page()).toContain("Preview linkuntil 2026-03-03 12:00 UTC Revoke");
    await makeLink();
    expect(await page()).toContain("Preview links2, the last one until 2026-03-08 12:00 UTC Revoke all");
    expect(await (await viewer.get("/blogs/news/posts/one")).text()).not.toContain("Revoke");
    expect((await viewer.post("/blogs/news/posts/one/revoke-links")).status).toBe(403);
    const revoked = await editor.post("/blogs/news/posts/one/revoke-links");
    expect(revoked.headers.get("Location")).toBe("/blogs/news/posts/one?notice=links-revoked");
    expect((await visit(service, url.pathname)).status).toBe(404);
    expect(await page()).not.toContain("Revoke");
  });

  it("doesn't offer one for a published post", async () => {
    const { service, send } = await openDraft();
    await send("PATCH", "/api/blogs/news/posts/one", { json: { status: "published" } });
    const { get } = await signIn(service);
    expect(await (await get("/blogs/news/posts/one")).text()).not.toContain("Create preview link");
  });
});

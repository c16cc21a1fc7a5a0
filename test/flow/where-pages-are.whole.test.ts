import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type ImprintOptions } from "../../src/publish.ts";
import { dialectA, dialectB, type PagesDialect } from "../strangers/dialect.ts";
import { startStranger } from "../strangers/host.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";
import { openHost, publishAt } from "./publish-at.ts";

it("a first page that couldn't be read is looked up again in the next run, and its links are corrected", async () => {
  const { proxy, run, linksOf } = await openHost();
  proxy.meddle(({ path, answer }) =>
    path.startsWith("/api/") ? undefined : Promise.resolve(void answer.socket?.destroy()),
  );
  const first = await run(false);
  expect(first.entries.find(({ name }) => name === "pagesUrl")?.reason).toContain("imprint doesn't know where");
  proxy.meddle(() => undefined);
  const second = await run(false);
  expect(second.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
  expect(second.exitCode).toBe(0);
  expect((await linksOf("index")).map(([, href]) => href)).toEqual(["/p/index", "/p/about", "/p/services-letterpress"]);
});

it("of pages that someone accepted as hidden, each run looks for one, as they may be shown later", async () => {
  const { proxy, run } = await openHost();
  const visited: string[] = [];
  proxy.meddle(({ path, answer }) => {
    if (path.startsWith("/api/")) return undefined;
    visited.push(path);
    return Promise.resolve(void answer.writeHead(404).end());
  });
  expect((await run(true)).exitCode).toBe(0);
  visited.length = 0;
  expect((await run(false)).exitCode).toBe(0);
  expect(visited.length).toBeLessThanOrEqual(4);
  expect(new Set(visited.map((path) => path.split("/").at(-1)))).toEqual(new Set(["index"]));
});

/** A host whose response to a write contains only the editor's address, as in the specification's example. */
async function openStranger({ appearsAfterMs }: { readonly appearsAfterMs: number }) {
  const pages = { shownAt: "/acme/{slug}/", tells: "when-read", appearsAfterMs, readsAppearLate: true } as const;
  const host = await startStranger(dialectA("tells when read", { pages }));
  onTestFinished(() => host.close());
  const site = await createTemporarySite();
  const run = () => publishAt(site.root, host);
  return { host, site, run };
}

it("a host that returns a page's address only on reads is queried until it shows the page", async () => {
  const { host, run } = await openStranger({ appearsAfterMs: 700 });
  const report = await run();
  expect(report.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
  expect(report.exitCode).toBe(0);
  expect(host.world.pages.get("index")?.html).toContain('<a href="/acme/about/"');
});

it("a home page that changed since all memory was lost is recognized by its title, however the host lists it", async () => {
  const { host, site, run } = await openStranger({ appearsAfterMs: 0 });
  const home = join(site.root, "dist/index.html");
  const html = (await readFile(home, "utf8")).replace(/<title>[^<]*/, "<title>\n  Tea &amp;\n  cake\n");
  await writeFile(home, html);
  await run();
  const [listed] = [...host.world.pages.values()].filter(({ slug }) => slug === "index");
  if (listed !== undefined) host.world.pages.set("index", { ...listed, title: "\n  Tea &amp;\n  cake\n" });
  await rm(join(site.root, ".imprint"), { recursive: true });
  await rm(join(site.root, "imprint.lock.json"));
  await writeFile(home, html.replace("</body>", "<p>New</p></body>"));
  const report = await run();
  expect(report.exitCode).toBe(0);
  expect(host.world.pages.get("index")?.html).toContain("<p>New</p>");
  expect([host.world.sites.size, host.world.pages.size]).toEqual([1, 3]);
});

/** One service address whose key selects the account: each has its pages under its own name. */
async function openAccounts(shown: Partial<PagesDialect> = { tells: "when-read" }) {
  const open = (name: string, foreign: number) => {
    const pages = { shownAt: `/${name}/{slug}/`, reads: "nothing", ...shown } as const;
    return startStranger(dialectA(name, { foreign, pages }));
  };
  const hosts = { first: await open("first", 0), second: await open("second", 7) };
  let account: keyof typeof hosts = "first";
  const front = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const passed = request(`${hosts[account].baseUrl}${url}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => void front.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    front.close();
    await Promise.all(Object.values(hosts).map((host) => host.close()));
  });
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const publishTo = (
    name: keyof typeof hosts,
    { root }: Pick<Awaited<ReturnType<typeof createTemporarySite>>, "root">,
    options: ImprintOptions = {},
  ) => {
    account = name;
    return publishAt(root, { baseUrl, options });
  };
  return { hosts, publishTo };
}

it("with another account's key, pages link to each other in that account", async () => {
  const { hosts, publishTo } = await openAccounts();
  const site = await createTemporarySite();
  expect((await publishTo("first", site)).exitCode).toBe(0);
  const report = await publishTo("second", site);
  expect(report.exitCode).toBe(0);
  expect(hosts.second.world.pages.get("index")?.html).toContain('<a href="/second/about/"');
  expect(hosts.first.world.pages.get("index")?.html).toContain('<a href="/first/about/"');
});

it("with another account's key, another project's pages are never treated as its own", async () => {
  const { hosts, publishTo } = await openAccounts();
  const [site, other] = [await createTemporarySite(), await createTemporarySite()];
  await publishTo("first", site);
  await publishTo("second", other);
  const before = new Map(hosts.second.world.pages);
  await expect(publishTo("second", site)).rejects.toMatchObject({ code: "SLUG_HELD" });
  expect(hosts.second.world.pages).toEqual(before);
});

it.each([
  ["returns addresses on reads", "in one folder", { tells: "when-read" }],
  ["never returns addresses", "without .imprint/", { shownAt: "/p/{slug}" }],
  ["doesn't show pages", "without .imprint/", { shownAt: "/hidden/{slug}" }],
] as const)("two accounts of a host that %s keep separate records, %s", async (_, where, shown) => {
  const { hosts, publishTo } = await openAccounts(shown);
  const site = await createTemporarySite();
  const options = { brandKit: {}, posts: { blog: { create: true } }, site: { name: "Halden" } } as const;
  const run = async (name: "first" | "second") => {
    if (where !== "in one folder") await rm(join(site.root, ".imprint"), { recursive: true, force: true });
    return await publishTo(name, site, options);
  };
  const count = (name: "first" | "second") => {
    const { sites, blogs, brandKits, posts } = hosts[name].world;
    return [sites.size, blogs.size, brandKits.size, [...posts.values()].flat().length];
  };
  await run("first");
  await run("second");
  const before = { first: count("first"), second: count("second") };
  expect(before.first).toEqual([1, 1, 1, 2]);
  await site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  for (const name of ["first", "second", "first"] as const) {
    const { entries } = await run(name);
    expect(entries.filter(({ resource, kind }) => resource === "page" && kind === "blocked")).toEqual([]);
    expect(entries.filter(({ kind }) => kind === "create" || kind === "failed")).toEqual([]);
    expect(hosts[name].world.pages.get("about")?.html).toContain("About us");
    expect(count(name)).toEqual(before[name]);
  }
});

it.each([
  ["an analytics script", { shows: "statistics-too" }],
  ["reformatted HTML", { keeps: "tidied" }],
] as const)(
  "pages that a host shows with %s aren't treated as edited once their address is known",
  async (_, changes) => {
    const pages = { reads: "nothing", shownAt: "/s/{slug}", ...changes } as const;
    const host = await startStranger(dialectA("shown elsewhere", { pages, lists: { fields: "few" } }));
    onTestFinished(() => host.close());
    const site = await createTemporarySite();
    const run = (pagesUrl?: string) => publishAt(site.root, { baseUrl: host.baseUrl, pagesUrl });
    expect((await run()).entries.find(({ name }) => name === "pagesUrl")?.kind).toBe("blocked");
    const pagesUrl = `${host.baseUrl}/s/{slug}`;
    const report = await run(pagesUrl);
    expect(report.entries.filter(({ kind }) => kind === "blocked")).toEqual([]);
    expect(host.world.pages.get("index")?.html).toMatch(/<a href="?\/s\/about/);
    await site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    expect((await run(pagesUrl)).entries.filter(({ kind }) => kind === "blocked")).toEqual([]);
    expect(host.world.pages.get("about")?.html).toContain("About us");
    const written = host.world.log.length;
    expect((await run(pagesUrl)).exitCode).toBe(0);
    expect(host.world.log.slice(written).filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

it("pages with one host each link to each other's hosts, in every run", async () => {
  const host = await startStranger(dialectA("hosts of pages"));
  onTestFinished(() => host.close());
  const site = await createTemporarySite();
  const run = () => publishAt(site.root, { baseUrl: host.baseUrl, pagesUrl: "http://{slug}.pages.test/" });
  await run();
  const html = host.world.pages.get("index")?.html;
  expect(html).toContain('<a href="http://about.pages.test/"');
  const written = host.world.log.length;
  expect((await run()).entries.filter(({ kind }) => kind === "update" || kind === "create")).toEqual([]);
  expect(host.world.log.slice(written).filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([
  ["a run", async () => {}],
  ["a run without .imprint/", (root: string) => rm(join(root, ".imprint"), { recursive: true })],
])("a host that moves its pages gets updated links, in %s without other changes", async (_, lose) => {
  const host = await startStranger(dialectB("moves its pages"));
  onTestFinished(() => host.close());
  const site = await createTemporarySite();
  const run = () => publishAt(site.root, { baseUrl: host.baseUrl, routeSet: "b" });
  await run();
  expect(host.world.pages.get("index")?.html).toContain('<a href="/p/about"');
  Object.assign(host.dialect.pages, { shownAt: "/s/{slug}" });
  await lose(site.root);
  await run();
  expect(host.world.pages.get("index")?.html).toContain('<a href="/s/about"');
  const written = host.world.log.length;
  expect((await run()).exitCode).toBe(0);
  expect(host.world.log.slice(written).filter(({ method }) => method !== "GET")).toEqual([]);
});

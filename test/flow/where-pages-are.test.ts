import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { startProxy } from "../faults/proxy.ts";
import { dialectA } from "../strangers/dialect.ts";
import { API_KEY, startStranger } from "../strangers/host.ts";
import { createTemporarySite } from "./temporary-site.ts";

/** A host that says nothing of where it shows pages, and shows them beside its API. */
async function openHost() {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: true, routeSet: "a" });
  onTestFinished(() => service.close());
  const proxy = await startProxy(service.baseUrl("a"), service);
  onTestFinished(() => proxy.close());
  const site = await createTemporarySite();
  const run = (accept: boolean) =>
    publish({
      ...{ projectRoot: site.root, dist: join(site.root, "dist"), accept, options: parseOptions({ brandKit: false }) },
      target: {
        ...{ baseUrl: proxy.url, apiKey: service.apiKey, pagesUrl: undefined, routeSet: "a", identity: proxy.url },
        close: async () => {},
      },
    });
  const linksOf = async (slug: string) => [
    ...(await (await fetch(`${proxy.url}/p/${slug}`)).text()).matchAll(/<a href="([^"]*)"/g),
  ];
  return { proxy, run, linksOf };
}

it("a first page that could not be read is looked for again in the next run, and its links are put right", async () => {
  const { proxy, run, linksOf } = await openHost();
  proxy.meddle(({ path, answer }) =>
    path.startsWith("/api/") ? undefined : Promise.resolve(void answer.socket?.destroy()),
  );
  const first = await run(false);
  expect(first.entries.find(({ name }) => name === "pagesUrl")?.reason).toContain("it is not known where");
  proxy.meddle(() => undefined);
  const second = await run(false);
  expect(second.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
  expect(second.exitCode).toBe(0);
  expect((await linksOf("index")).map(([, href]) => href)).toEqual(["/p/index", "/p/about", "/p/services-letterpress"]);
});

it("pages that somebody accepted as hidden are not looked for in every run", async () => {
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
  expect(visited).toEqual([]);
});

/** A host whose answer to a write names its editor alone, as the specification shows it. */
async function openStranger({ appearsAfterMs }: { readonly appearsAfterMs: number }) {
  const pages = { shownAt: "/acme/{slug}/", tells: "when-read", appearsAfterMs, readsAppearLate: true } as const;
  const host = await startStranger(dialectA("tells when read", { pages }));
  onTestFinished(() => host.close());
  const site = await createTemporarySite();
  const run = () =>
    publish({
      ...{ projectRoot: site.root, dist: join(site.root, "dist"), options: parseOptions({ brandKit: false }) },
      target: {
        ...{ baseUrl: host.baseUrl, apiKey: API_KEY, pagesUrl: undefined, routeSet: "a", identity: host.baseUrl },
        close: async () => {},
      },
    });
  return { host, site, run };
}

it("a host that names the address of a page only when it is read is asked, until it shows the page", async () => {
  const { host, run } = await openStranger({ appearsAfterMs: 700 });
  const report = await run();
  expect(report.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
  expect(report.exitCode).toBe(0);
  expect(host.world.pages.get("index")?.html).toContain('<a href="/acme/about/"');
});

it("a home page that changed since both memories were lost is known by its title, however the host lists it", async () => {
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

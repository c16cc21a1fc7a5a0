import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";
import type { OnStep, Step } from "../../src/sync/run.ts";
import type { Outcome } from "../../src/base/outcome.ts";

// More than one page of a list contains.
const PAGES = 110;

async function open({ pages: count = PAGES } = {}) {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const pages = Array.from({ length: count }, (_, number) => `page-${number}`);
  await Promise.all(pages.map((name) => site.write(`dist/${name}/index.html`, htmlPage(name, `<h1>${name}</h1>`))));
  const api = await connect(host);
  return { site, host, api };
}

function run(
  site: TemporarySite,
  { host, onStep, ...options }: ImprintOptions & { readonly host: Host; readonly onStep?: OnStep },
  onOutcome?: (outcome: Outcome) => void,
) {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ brandKit: false, ...options }),
    preview: options.preview,
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
    onOutcome,
    ...(onStep && { onStep }),
  });
}

it("sends no more requests for 250 unchanged pages than for a few", async () => {
  const { site, host } = await open({ pages: 250 });
  await run(site, { host });
  for (const _ of ["after a publish", "after nothing"]) {
    const report = await run(site, { host });
    expect(report.counts.page.keep).toBe(253);
    expect(report.requests).toMatchObject({ writes: 0 });
    expect(report.requests.total).toBeLessThanOrEqual(4);
  }
});

it("asks for the account once before and once after a first publish", async () => {
  const site = await createTemporarySite();
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, dev: true });
  onTestFinished(() => service.close());
  const host = { baseUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey: service.apiKey };
  await run(site, { host });
  const asked = () => service.requests().map(({ operation }) => operation);
  expect(asked().filter((operation) => operation === "account.get")).toHaveLength(2);
  const before = asked().length;
  expect((await run(site, { host })).requests.writes).toBe(0);
  // The lists of the library and of sites aren't needed again.
  expect(asked().slice(before).toSorted()).toEqual(["account.get", "assets.list", "pages.list"]);
});

it("sends no release that exceeds the account's limit", async () => {
  const site = await createTemporarySite();
  const limits = { maxPages: 2 };
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, dev: true, limits });
  onTestFinished(() => service.close());
  const { apiKey, pagesUrl } = service;
  const report = await run(site, { host: { baseUrl: service.baseUrl("a"), pagesUrl, apiKey } });
  expect(report.counts.page).toMatchObject({ create: 2, blocked: 1 });
  expect(report.entries.find(({ name }) => name === "releases")?.reason).toContain(
    "at most 2 pages, but would have 3.",
  );
  const sent = service.requests().filter(({ method, path }) => method !== "GET" && path.includes("/releases"));
  expect(sent).toEqual([]);
});

it("reads each page once if the lock file and the state are lost", async () => {
  const { site, host } = await open();
  await run(site, { host });
  await Promise.all([".imprint", "imprint.lock.json"].map((path) => site.remove(path)));
  const report = await run(site, { host });
  expect(report.counts.page.keep).toBe(PAGES + 3);
  expect(report.requests).toMatchObject({ writes: 0 });
  expect(report.requests.total).toBeLessThanOrEqual(PAGES + 3 + 12);
});

it("sends no more requests beside another project's page and an open preview", async () => {
  const { site, host, api } = await open();
  await api.pages.create({ slug: "by-hand", title: "By hand", html: "<!doctype html><title>By hand</title>" });
  await run(site, { host });
  await run(site, { host, preview: "pr-1" });
  // The first run afterwards finds unknown pages.
  await run(site, { host });
  const report = await run(site, { host });
  expect(report.counts.page.keep).toBe(PAGES + 3);
  expect(report.requests.total).toBeLessThanOrEqual(4);
  await api.close();
});

it("sends no more requests for 150 library files than for a few, until someone deletes one", async () => {
  const { site, host, api } = await open();
  const images = Array.from({ length: 150 }, (_, number) => `image-${number}.svg`);
  const tags = images.map((name) => `<img src="/${name}" alt="">`).join("");
  await Promise.all(
    images.map((name) =>
      site.write(`dist/${name}`, `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title></svg>`),
    ),
  );
  await site.write("dist/gallery/index.html", htmlPage("Gallery", tags));
  await run(site, { host });
  const again = await run(site, { host });
  expect(again.requests.total).toBeLessThanOrEqual(4);
  expect(again.counts.asset.create).toBe(0);

  const { items } = await api.assets.list();
  const { id = "" } = items.find(({ name }) => name?.startsWith("image-7.") === true) ?? {};
  await fetch(`${host.baseUrl}/api/library/${id}?force=true`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${host.apiKey}` },
  });
  const healed = await run(site, { host });
  expect(healed.entries.filter(({ kind }) => kind !== "keep").map(({ name }) => name)).toEqual([
    "image-7.svg",
    "gallery",
  ]);
  await api.close();
});

it("detects in the next run that someone deleted a file while it uploaded others", async () => {
  const { site, host, api } = await open();
  const svg = (title: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title></svg>`;
  await site.write("dist/old.svg", svg("old"));
  await site.write("dist/gallery/index.html", htmlPage("Gallery", '<img src="/old.svg" alt="">'));
  await run(site, { host });
  await run(site, { host });
  await site.write("dist/new.svg", svg("new"));
  await site.write("dist/new/index.html", htmlPage("New", '<img src="/new.svg" alt="">'));
  const { id = "" } = (await api.assets.list()).items.find(({ name }) => name?.startsWith("old.") === true) ?? {};
  const [url, headers] = [`${host.baseUrl}/api/library/${id}?force=true`, { authorization: `Bearer ${host.apiKey}` }];
  const request = { projectRoot: site.root, dist: site.dist, options: parseOptions({ brandKit: false }) };
  const target = { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} } as const;
  await publish({ ...request, target, onPlanned: async () => void (await fetch(url, { method: "DELETE", headers })) });
  const healed = await run(site, { host });
  expect(healed.entries.filter(({ kind }) => kind !== "keep").map(({ name }) => name)).toEqual(["old.svg", "gallery"]);
  await api.close();
});

it("doesn't replace a page that someone changed during a publish of many", async () => {
  const { site, host, api } = await open();
  const byHand = "<!doctype html><title>By hand</title><h1>By hand</h1>";
  const edits: { readonly name: string; readonly done: Promise<unknown> }[] = [];
  await run(site, { host }, ({ resource, name }) => {
    const isFirst = resource === "page" && name.startsWith("page-") && edits.length === 0;
    if (isFirst) edits.push({ name, done: api.pages.update({ slug: name, title: "By hand", html: byHand }) });
  });
  const [{ name, done } = { name: "", done: undefined }] = edits;
  await done;
  await site.write(`dist/${name}/index.html`, htmlPage(name, "<h1>Changed in the site</h1>"));
  const report = await run(site, { host });
  expect(report.entries.find((entry) => entry.name === name)?.kind).toMatch(/blocked|failed/);
  expect(await api.pages.readHtml(name)).toBe(byHand);
  await api.close();
});

it("detects what others changed, deleted, and created since the last run", async () => {
  const { site, host, api } = await open();
  await run(site, { host });
  await run(site, { host });
  await api.pages.update({
    slug: "page-7",
    title: "By hand",
    html: "<!doctype html><title>By hand</title><h1>By hand</h1>",
  });
  const edited = await run(site, { host });
  expect(edited.entries.find(({ name }) => name === "page-7")).toMatchObject({ kind: "blocked" });

  await api.pages.delete("page-8");
  await api.pages.create({ slug: "other", title: "Other", html: "<!doctype html><title>Other</title>" });
  const restored = await run(site, { host });
  expect(restored.entries.filter(({ kind }) => kind === "create").map(({ name }) => name)).toEqual(["page-8"]);
  await api.close();
});

it("requests all lists of a first publish while it prepares the pages", async () => {
  const { site, host } = await open();
  const proxy = await startProxy(host.baseUrl, { pagesUrl: host.pagesUrl });
  onTestFinished(() => proxy.close());
  const requested = new Set<string>();
  proxy.meddle(({ path }) => void requested.add(path.split("?")[0] ?? ""));
  let inTime: ReadonlySet<string> = new Set();
  const onStep = ({ kind }: Step) => {
    if (kind === "service") inTime = new Set(requested);
  };
  const report = await run(site, { host: { ...host, baseUrl: proxy.url }, brandKit: {}, onStep });
  expect(report.exitCode).toBe(0);
  for (const list of ["/api/sites", "/api/library", "/api/brand-kits"]) expect(inTime).toContain(list);
});

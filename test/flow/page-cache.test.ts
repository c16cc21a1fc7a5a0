import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import * as z from "zod";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { readCache, replaceCache, type CachePlace } from "../../src/memory/cache.ts";
import { parseOptions, publish, type ImprintOptions } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

async function open() {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await site.write("dist/dangling/index.html", htmlPage("Dangling", '<a href="/nowhere/">Nowhere</a>'));
  const run = (options: ImprintOptions & { readonly dryRun?: boolean } = {}) => {
    const { dryRun, ...rest } = options;
    return publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions(rest),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
      dryRun,
    });
  };
  const place = { projectRoot: site.root, name: "pages", logger: SILENT_LOGGER };
  return { site, run, host, place, file: join(site.root, ".imprint/memory.sqlite") };
}

type Run = Awaited<ReturnType<typeof open>>["run"];

async function changedPages(run: Run, options?: ImprintOptions): Promise<readonly string[]> {
  const { entries } = await run(options);
  return entries.filter(({ resource, kind }) => resource === "page" && kind === "update").map(({ name }) => name);
}

it("reports the same for unchanged pages that it doesn't rewrite again", async () => {
  const { run, place } = await open();
  const first = await run();
  const remembered = await run();
  replaceCache(place, new Map());
  const rewritten = await run();
  expect(remembered.warnings).toEqual(first.warnings);
  expect(remembered.warnings).not.toEqual([]);
  expect(remembered.entries.every(({ kind }) => kind === "keep")).toBe(true);
  expect({ ...rewritten, elapsedMs: 0 }).toEqual({ ...remembered, elapsedMs: 0 });
});

it("reports a problem with a file once, whichever of its pages changed", async () => {
  const { site, run } = await open();
  await site.write("dist/_astro/site.css", "body{background:url(/gone.png)}");
  await site.remove("dist/dangling");
  const first = await run();
  expect(first.warnings).toMatchObject([{ code: "missing-file", file: "_astro/site.css" }]);
  await site.write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Changed</h1>"));
  expect((await run()).warnings).toEqual(first.warnings);
  await site.write("dist/about/index.html", "<!doctype html><title>About</title><p>Without styles</p>");
  await site.write("dist/404.html", "<!doctype html><title>Not found</title><p>Without styles</p>");
  await site.write("dist/index.html", "<!doctype html><title>Home</title><p>Without styles</p>");
  expect((await run()).warnings).toEqual(first.warnings);
});

it("rewrites only a page whose file changed", async () => {
  const { site, run } = await open();
  await run();
  await site.write("dist/about/index.html", htmlPage("About", "<h1>About, changed</h1>"));
  expect(await changedPages(run)).toEqual(["about"]);
});

it.each([
  { what: "a stylesheet", path: "dist/_astro/site.css", content: "h1{color:#00f}" },
  {
    what: "an image with the same name",
    path: "dist/favicon.svg",
    content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
])("detects that $what changed while the pages didn't", async ({ path, content }) => {
  const { site, run } = await open();
  await run();
  await site.write(path, content);
  expect((await changedPages(run)).length).toBeGreaterThan(3);
  expect(await changedPages(run)).toEqual([]);
});

it("detects that a page moved to another slug while the pages that link to it didn't change", async () => {
  const { run } = await open();
  await run();
  expect(await changedPages(run, { slugs: { "/about/": "who-we-are" } })).not.toEqual([]);
});

it("detects that the library no longer serves stylesheets that oversized pages linked", async () => {
  const { site, run } = await open();
  await site.write("dist/_astro/site.css", "body{color:#7a1f2b}".padEnd(9000, " "));
  expect((await run({ maxHtmlBytes: 5000 })).counts.page.blocked).toBe(0);
  const dialect = { unserved: { styles: "served as text/plain" } };
  expect((await run({ maxHtmlBytes: 5000, dialect })).counts.page.blocked).toBeGreaterThan(3);
});

it.each([
  {
    what: "cut off",
    damage(place: CachePlace) {
      const db = new DatabaseSync(join(place.projectRoot, ".imprint/memory.sqlite"));
      db.exec("UPDATE note SET value = substr(value, 1, length(value) / 2) WHERE topic = 'cache/pages'");
      db.close();
    },
  },
  {
    what: "of another shape",
    damage(place: CachePlace) {
      const json = JSON.stringify([...readCache(place)]).replaceAll('"assets":["', '"assets":[7,"');
      replaceCache(place, new Map(z.array(z.tuple([z.string(), z.unknown()])).parse(JSON.parse(json))));
    },
  },
])("rewrites the pages if the stored data is $what", async ({ damage }) => {
  const { run, place } = await open();
  await run();
  const before = readCache(place);
  damage(place);
  const { entries, counts } = await run();
  expect(entries.every(({ kind }) => kind === "keep")).toBe(true);
  expect(counts.page.keep).toBeGreaterThan(3);
  expect(readCache(place)).toEqual(before);
});

it("stores nothing in a dry run", async () => {
  const { run, file } = await open();
  await run({ dryRun: true });
  expect(existsSync(file)).toBe(false);
});

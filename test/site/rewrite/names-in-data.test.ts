import { expect, it } from "vitest";
import type { RewrittenPage } from "../../../src/site/model.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const FETCH = 'const list = await (await fetch("/data/list.json")).json();';

it("lists files that data names in the route map, but no more than a page can hold", async () => {
  const few = await publishData(["one.png"], { "data/one.png": "png" });
  expect(filesOf(few)).toEqual(["data/list.json", "data/one.png"]);
  const names = Array.from({ length: 2000 }, (_, index) => `${index}.png`);
  const many = await publishData(names, Object.fromEntries(names.map((name) => [`data/${name}`, name])));
  expect(filesOf(many)).toEqual([]);
  expect(warningsOf(many)).toEqual([expect.stringMatching(/^fetched-file: data\/list\.json names 2000 files/)]);
});

it("reports a named file that the library doesn't accept and a page can't hold", async () => {
  const files = { "data/long.wav": "x".repeat(100_000), "data/one.png": "png" };
  const page = await publishData(["long.wav", "one.png"], files, { placement: PLACEMENTS.inline });
  expect(filesOf(page)).toEqual(["data/list.json", "data/one.png"]);
  expect(warningsOf(page)).toEqual(["file-kept: data/long.wav is not published."]);
  expect(filesOf(await publishData(["long.wav"], files))).toEqual(["data/list.json", "data/long.wav"]);
});

it("follows names to further data, even in a circle", async () => {
  const files = { "data/more.json": '["../data/list.json", "../two.png"]', "two.png": "png" };
  expect(filesOf(await publishData(["more.json"], files))).toEqual(["data/list.json", "data/more.json", "two.png"]);
});

const KEPT = '"/data/list.json"';

it.each([
  ["resolved against", 'const u = "/data/list.json"; a.src = new URL(list[0], new URL(u, location))', true],
  ["resolved against, as an address", "const u = new URL('/data/list.json', location); new URL(list[0], u)", true],
  ["cut", 'const u = "/data/list.json"; a.src = u.replace(/[^/]*$/, "") + list[0]', true],
  ["only given to a library", 'map.addSource({ data: "/data/list.json" })', false],
])("keeps an address against which names may be resolved: %s", async (_how, script, isKept) => {
  const { html } = await publishData(["one.png"], { "data/one.png": "png" }, { script });
  expect(html.replaceAll("'", '"').includes(KEPT)).toBe(isKept);
  expect(html).toContain('"data/one.png":"imprint-asset:');
});

it("doesn't take a file's own name in prose or code for another file", async () => {
  const page = await publishData(["see one.png", "one.png.bak", "one", ".one.png", "a:one.png"], { "one.png": "png" });
  expect(filesOf(page)).toEqual([]);
});

interface Published {
  readonly placement?: (typeof PLACEMENTS)[keyof typeof PLACEMENTS];
  readonly script?: string;
}

async function publishData(
  names: readonly string[],
  files: Readonly<Record<string, string>>,
  { placement = PLACEMENTS.library, script = FETCH }: Published = {},
): Promise<RewrittenPage> {
  const dist = makeFolder();
  for (const [path, text] of Object.entries(files)) writeSiteFile(dist, path, text);
  writeSiteFile(dist, "data/list.json", JSON.stringify(names));
  writeSiteFile(dist, "index.html", `<!doctype html><title>Home</title><script>${script}</script>`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const [home] = site.pages;
  if (home === undefined) throw new Error("The page was not found.");
  return wholePage(createRewriter(site, rewriteSettings(planSlugs(["/"]).slugs, { placement })).rewrite(home));
}

function filesOf({ html }: RewrittenPage): readonly string[] {
  const [, json = '{"files":{}}'] = /data-imprint-map>([^<]*)</.exec(html) ?? [];
  return Object.keys(JSON.parse(json).files);
}

function warningsOf({ warnings }: RewrittenPage): readonly string[] {
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

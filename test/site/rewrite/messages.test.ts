import { expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, writeSiteFile } from "./fixture.ts";

it.each([
  ["<a>", '<a href="/part/">Part</a>', "The link points to part.html, which isn't published."],
  ["<iframe>", '<iframe src="/part/"></iframe>', "The <iframe> shows part.html, which isn't published."],
])("says what %s does with HTML that isn't published", async (_tag, html, message) => {
  expect(await warningsOf(html)).toEqual([`unpublished-page: ${message}`]);
});

it.each([
  ["a file", 'c.add("/data.json")', "/data.json"],
  ["one file of several", "c.addAll(['/other.json', `/data.json`])", "/other.json"],
  ["a page", 'c.add("/about/")', "/about/"],
])("says that a script doesn't find %s which it adds to a cache", async (_what, call, address) => {
  const [warning] = await warningsOf(`<script>caches.open("x").then((c) => ${call})</script>`);
  expect(warning).toContain(`fetched-file: A script adds ${address} to a cache`);
});

it("says nothing of other additions, and of addresses of another site", async () => {
  expect(await warningsOf(`<script>new Set().add("/about/")</script>`)).toEqual([]);
  expect(await warningsOf(`<script>caches.open("x").then((c) => c.add("https://a.example/"))</script>`)).toEqual([]);
});

it("says that a script calls an action of Astro, which needs its server", async () => {
  const call =
    "fetch(`${base.replace(/[/]$/, ``)}/_actions/${new URLSearchParams(name).get(key)}`, { method: `POST` })";
  expect(await warningsOf(`<script>${call}</script>`)).toEqual([
    "action: A script calls an action, which needs a running Astro server.",
  ]);
});

it("says that what a script sends to a page is lost, unless a form receives it", async () => {
  const script = `<script>\nfetch("/about/", { method: "POST", body: new FormData(form) })</script>`;
  const [warning] = await warningsOf(`<form id="form"></form>${script}`);
  expect(warning).toContain("sent-form: A script sends a form to /about/, and what visitors send is lost");
  expect(await warningsOf(`<form id="form" netlify></form>${script}`)).toEqual([]);
  expect(await warningsOf(`<form id="form"></form><script>fetch("/about/")</script>`)).toEqual([]);
});

it.each([
  ["a style sheet in the document", '[...document.styleSheets].find((s) => s.href?.endsWith("/theme.css"))'],
  ["a style sheet by a selector", `document.querySelector("link[href$='theme.css']").remove()`],
  ["a script by a selector", `document.querySelector('script[src*="widget.js"]').src`],
])("says that a script doesn't find %s", async (_what, code) => {
  const elements = `<link rel="stylesheet" href="/theme.css"><script src="/widget.js?color=red"></script>`;
  const [first, ...others] = await warningsOf(`${elements}<script>${code}</script>`);
  expect(first).toMatch(/^element-lookup: A script looks for \/(?:theme\.css|widget\.js\?color=red) \(/);
  expect(others).toEqual([]);
  const foreign = elements.replaceAll('="/', '="https://a.example/');
  expect(await warningsOf(`${foreign}<script>${code}</script>`)).toEqual([]);
});

it("says that a script doesn't find the query of its own address", async () => {
  const [warning, ...others] = await warningsOf('<script src="/own.js?color=red"></script>');
  expect(warning).toContain("element-lookup: A script looks for /own.js?color=red (currentScript");
  expect(others).toEqual([]);
  expect(await warningsOf('<script src="/own.js?v3"></script>')).toEqual([]);
});

it("says nothing of lookups of all style sheets, and of none of the page", async () => {
  const code = `document.querySelector("link[href$='.css']"); document.querySelector('script[src*="analytics"]')`;
  expect(await warningsOf(`<link rel="stylesheet" href="/theme.css"><script>${code}</script>`)).toEqual([]);
});

it("says of files that only a page can hold that they are too large, and not too many", async () => {
  const [warning] = await warningsOf("<script>fetch(`/large/${name}.json`)</script>");
  expect(warning).toBe(
    "fetched-file: A script requests 1 file, as /large/*.json, too large to embed in the page, so none of them will be found. Such files may have 256 KiB together.",
  );
});

/** The warnings about a page where the library accepts only images. */
async function warningsOf(html: string): Promise<readonly string[]> {
  const dist = makeFolder();
  for (const name of ["data.json", "other.json"]) writeSiteFile(dist, name, "{}");
  writeSiteFile(dist, "large/one.json", `"${"x".repeat(300_000)}"`);
  writeSiteFile(dist, "theme.css", "p { color: red }");
  writeSiteFile(dist, "widget.js", "");
  writeSiteFile(dist, "own.js", "new URL(document.currentScript.src).searchParams.get('color')");
  writeSiteFile(dist, "part.html", "<p>Part</p>");
  writeSiteFile(dist, "about/index.html", "<!doctype html><title>About</title>");
  writeSiteFile(dist, "index.html", `<!doctype html><title>Home</title>${html}`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/", "/about/"]).slugs, { placement: PLACEMENTS.inline });
  const home = site.pages.find(({ route }) => route === "/");
  if (home === undefined) throw new Error("The page was not found.");
  return createRewriter(site, settings)
    .rewrite(home)
    .warnings.map(({ code, message }) => `${code}: ${message}`);
}

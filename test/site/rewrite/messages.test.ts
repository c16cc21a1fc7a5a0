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
  ["fetch", 'fetch("/api/contact", { method: "POST", body: new FormData(form) })', "sends data to /api/contact,"],
  ["a constant", 'const API = "/api/contact"; fetch(API, { method: "PUT", body })', "sends data to /api/contact,"],
  ["a beacon", 'navigator.sendBeacon("/api/x", data)', "sends data to /api/x,"],
  ["a library", "axios.post(`/api/users/${id}`, data)", "sends data to /api/users/…,"],
  ["its own origin", "fetch(`${location.origin}/api/me`)", "requests /api/me,"],
  ["an event source", 'new EventSource("/events")', "requests /events,"],
  ["a web socket", "new WebSocket(`${secure ? 'wss' : 'ws'}://${location.host}/ws`)", "requests /ws,"],
])("says that the built site doesn't have what a script asks by %s", async (_what, code, says) => {
  for (const form of ["", '<form method="post"></form>']) {
    const [warning, ...others] = await warningsOf(`${form}<script>${code}</script>`);
    expect(warning).toContain(`missing-endpoint: A script ${says} which the built site doesn't have`);
    expect(others).toEqual([]);
  }
});

it.each([
  'fetch("https://api.example/x", { method: "POST" })',
  "fetch(`/large/${name}`)",
  "fetch(`/${name}`)",
  'fetch("/about/" + name)',
  'routes.get("/api/contact"); new Map().delete("/x")',
  "fetch(form.action, { method: form.method, body: new FormData(form) })",
  'fetch("/data.json", { headers: { Accept: "application/json" } })',
])("says nothing of %s", async (code) => {
  const warnings = await warningsOf(`<form id="form" method="post"></form><script>${code}</script>`);
  expect(warnings.filter((warning) => !warning.startsWith("fetched-file"))).toEqual([]);
});

it("says that a form which a script sends to its own page is lost, unless that page receives it", async () => {
  const script = `<script>fetch(form.action, { method: "POST", body: new FormData(form) })</script>`;
  const [warning] = await warningsOf(`<form id="form"></form>${script}`);
  expect(warning).toContain("sent-form: A script sends a form to its own page, and what visitors send is lost");
  expect(await warningsOf(`<form id="form" action="https://forms.example/x"></form>${script}`)).toEqual([]);
  expect(await warningsOf(`<form id="form" method="post"></form>${script}`)).toEqual([]);
});

it("says that a form of another site doesn't receive what a script sends to a page", async () => {
  const script = `<script>fetch("/about/", { method: "POST", body: new FormData(form) })</script>`;
  const [warning] = await warningsOf(`<form method="post" action="https://forms.example/x"></form>${script}`);
  expect(warning).toContain("sent-form: A script sends a form to /about/, and what visitors send is lost");
});

it("says that a page doesn't receive JSON", async () => {
  const code = 'fetch("/about/", { method: "POST", body: JSON.stringify(data) })';
  const [warning, ...others] = await warningsOf(`<form method="post"></form><script>${code}</script>`);
  expect(warning).toContain("sent-form: A script sends JSON to /about/, and what visitors send is lost");
  expect(others).toEqual([]);
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

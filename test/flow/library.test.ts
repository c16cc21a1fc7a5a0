import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { diffPage } from "../../src/sync/page-diff.ts";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { PROBE_FILES } from "../../src/client/library-probe.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { parseOptions, publish, type PublishRequest, type Report } from "../../src/publish.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { closePages, openBrowser } from "../browser.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";
import { sampleOf, takeTurns } from "../whole.ts";

const PLATES = `<main></main><div class="host"><template shadowrootmode="open"><p></p></template></div><div class="host"></div>
<script>
const [one, two] = ["one", "two"];
const main = document.querySelector("main");
for (const name of [one, two]) {
  const image = new Image();
  image.srcset = \`/plates/\${name}.png 1x, /plates/\${name}-2x.png 2x\`;
  main.append(image);
}
main.insertAdjacentHTML("beforeend", \`<picture><source srcset="/plates/\${one}.png 1x"><img alt=""></picture><video poster="/plates/\${two}.png"></video>\`);
main.insertAdjacentHTML("beforeend", '<img srcset="/plates/one.png 1x, /plates/two.png 2x" alt="">');
const video = document.createElement("video");
video.poster = "/plates/" + two + ".png";
main.append(video);
const [declared, made] = document.querySelectorAll(".host");
declared.shadowRoot.querySelector("p").innerHTML = \`<img src="/plates/\${two}.png" alt=""><a class="in" href="/about/">About</a>\`;
made.attachShadow({ mode: "open" }).innerHTML = \`<img src="/plates/\${one}.png" alt=""><a class="in" href="/about/">About</a>\`;
</script>`;

interface World extends Pick<PublishRequest, "dryRun" | "onPlanned" | "verify"> {
  readonly service: RunningService;
  readonly routeSet: RouteSetName;
  readonly apiKey?: string;
}

async function openService(libraryHeaders: "typed" | "opaque"): Promise<RunningService> {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, quirks: { libraryHeaders } });
  onTestFinished(() => service.close());
  return service;
}

/** A site with modules that import each other, one of them dynamically, and with its own font. */
async function siteWithModules(): Promise<TemporarySite> {
  const site = await createTemporarySite();
  const font = fileURLToPath(import.meta.resolve("@fontsource/literata/files/literata-latin-400-normal.woff2"));
  await site.write("dist/_astro/literata.woff2", await readFile(font));
  await site.write(
    "dist/_astro/site.css",
    `@font-face{font-family:Literata;src:url(/_astro/literata.woff2)}h1{font-family:Literata}body{background:url(/paper.png)}`,
  );
  await site.write(
    "dist/_astro/site.js",
    `import { name } from "./name.js"; document.title = name; import("./late.js");`,
  );
  await site.write("dist/_astro/name.js", `export const name = "loaded";`);
  await site.write("dist/_astro/late.js", `document.documentElement.dataset.ready = "yes";`);
  return site;
}

function run(site: TemporarySite, world: World & ImprintOptions) {
  const { service, routeSet, apiKey = service.apiKey, dryRun = false, onPlanned, verify, ...options } = world;
  const [baseUrl, identity] = [service.baseUrl(routeSet), `test:${routeSet}`];
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions(options),
    target: { baseUrl, apiKey, pagesUrl: service.pagesUrl, routeSet, identity, close: async () => {} },
    dryRun,
    logger: SILENT_LOGGER,
    onPlanned,
    verify,
  });
}

function changedPages({ entries }: Report): readonly string[] {
  return entries
    .flatMap(({ resource, kind, name }) => (resource === "page" && kind !== "keep" ? [name] : []))
    .toSorted();
}

async function openPage(address: string): Promise<{ readonly page: Page; readonly troubles: readonly string[] }> {
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();
  const troubles: string[] = [];
  page.on("requestfailed", (request) => troubles.push(request.url()));
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => void (message.type() === "error" && troubles.push(message.text())));
  await page.goto(address, { waitUntil: "networkidle" });
  return { page, troubles };
}

const LIBRARIES = [
  { routeSet: "a", libraryHeaders: "typed", scripts: "library", fonts: "library" },
  { routeSet: "a", libraryHeaders: "opaque", scripts: "data:", fonts: "data:" },
  { routeSet: "b", libraryHeaders: "typed", scripts: "data:", fonts: "data:" },
  { routeSet: "b", libraryHeaders: "opaque", scripts: "data:", fonts: "data:" },
] as const;
const sample = sampleOf(
  LIBRARIES,
  ({ routeSet, libraryHeaders }) => (routeSet === "a") === (libraryHeaders === "typed"),
);

const inTurn = takeTurns(sample);

describe.each(sample)("route set $routeSet, library $libraryHeaders", (world) => {
  const { routeSet, libraryHeaders, scripts, fonts } = world;
  const isTurn = inTurn(world);

  it(`publishes pages whose scripts and fonts are ${scripts}, and that work in a browser`, async () => {
    const [site, service] = [await siteWithModules(), await openService(libraryHeaders)];
    const report = await run(site, { service, routeSet });
    expect(report.exitCode).toBe(0);
    const address = `${service.pagesUrl}/p/index`;
    const html = await (await fetch(address)).text();
    const own = { library: `${service.pagesUrl}/`, "data:": "data:" };
    const [, script = ""] = /"@i\/_astro\/name\.js":"([^"]+)"/.exec(html) ?? [];
    const [, font = ""] = /@font-face\{[^}]*url\("?([^")]+)/.exec(html) ?? [];
    expect(script.slice(0, own[scripts].length)).toBe(own[scripts]);
    expect(font.slice(0, own[fonts].length)).toBe(own[fonts]);

    const { page, troubles } = await openPage(address);
    await page.waitForFunction(`document.documentElement.dataset.ready === "yes"`);
    expect(await page.title()).toBe("loaded");
    expect(await page.evaluate("[...document.fonts].map(({ status }) => status)")).toEqual(["loaded"]);
    expect(await page.evaluate("[...document.images].every(({ naturalWidth }) => naturalWidth > 0)")).toBe(true);
    // The icon is an SVG file, which an opaque library can't show; `imprint doctor` reports that.
    expect(troubles.filter((trouble) => !trouble.includes("favicon"))).toEqual([]);
  });

  it.runIf(isTurn())("probes the library once, and not if nothing changed", async () => {
    const [site, service] = [await siteWithModules(), await openService(libraryHeaders)];
    await run(site, { service, routeSet });
    const before = service.requests().length;
    const again = await run(site, { service, routeSet });
    expect(again.requests.writes).toBe(0);
    const asked = service.requests().slice(before);
    expect(asked.filter(({ path }) => path.includes("imprint-probe"))).toEqual([]);

    await rm(join(site.root, ".imprint"), { recursive: true });
    const forgotten = await run(site, { service, routeSet });
    // The lock file contains the library's capabilities.
    expect(forgotten.entries.filter(({ kind }) => kind !== "keep" && kind !== "inline")).toEqual([]);
    expect(forgotten.requests.writes).toBe(0);
  });

  it.runIf(isTurn())("shows pictures set by scripts, in srcset, in poster, and in shadow trees", async () => {
    const [site, service] = [await createTemporarySite(), await openService(libraryHeaders)];
    const plate = await readFile(join(site.dist, "photo.png"));
    for (const name of ["one", "two", "one-2x", "two-2x"]) await site.write(`dist/plates/${name}.png`, plate);
    await site.write("dist/plates/index.html", htmlPage("Plates", PLATES));
    expect((await run(site, { service, routeSet })).exitCode).toBe(0);
    const { page } = await openPage(`${service.pagesUrl}/p/plates`);
    const roots = `[document, ...[...document.querySelectorAll(".host")].map((each) => each.shadowRoot)]`;
    const all = (names: string) => `${roots}.flatMap((root) => [...root.querySelectorAll(${JSON.stringify(names)})])`;
    await page.waitForFunction(`${all("img")}.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)`);
    expect(await page.evaluate(`${all("main img, p img, :host > img")}.length`)).toBe(6);
    expect(await page.evaluate(`${all("video")}.map(({ poster }) => poster.includes("/plates/"))`)).toEqual([
      false,
      false,
    ]);
    await page.locator(".host a").last().hover();
    await page.locator(".host a").first().hover();
    const led = await page.evaluate(`${all("a.in")}.map((link) => link.getAttribute("href"))`);
    expect(led).toEqual(["/p/about", "/p/about"]);
  });

  it("detects a changed font, in a dry run, in a page's diff, and live", async () => {
    const [site, service] = [await siteWithModules(), await openService(libraryHeaders)];
    await run(site, { service, routeSet });
    const all = ["about", "index", "services-letterpress"];
    await site.write("dist/_astro/literata.woff2", PROBE_FILES.fonts.bytes);
    let patch = "";
    const onPlanned: PublishRequest["onPlanned"] = async (planned) => {
      patch = await diffPage("index", planned);
    };
    const plan = await run(site, { service, routeSet, dryRun: true, onPlanned });
    expect(changedPages(plan)).toEqual(all);
    const address = `data:font/woff2;base64,${Buffer.from(PROBE_FILES.fonts.bytes).toString("base64")}`;
    expect(patch.includes(`+<style>@font-face{font-family:Literata;src:url(${address})`)).toBe(fonts === "data:");
    expect(patch).not.toContain("imprint-");

    const report = await run(site, { service, routeSet, verify: true });
    expect([report.exitCode, changedPages(report), report.verified?.problems]).toEqual([0, all, []]);
    const html = await (await fetch(`${service.pagesUrl}/p/about`)).text();
    expect(html.includes(address)).toBe(fonts === "data:");
    expect(changedPages(await run(site, { service, routeSet }))).toEqual([]);
  });

  it.runIf(isTurn())("uploads nothing in a dry run", async () => {
    const [site, service] = [await siteWithModules(), await openService(libraryHeaders)];
    const plan = await run(site, { service, routeSet, dryRun: true });
    expect(plan.requests.writes).toBe(0);
  });
});

it("uploads with a sufficient key what another key wasn't allowed to, even without the cache", async () => {
  const service = await startService({ ephemeral: true, dev: true, strict: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  const scopes = ["pages:read", "pages:write", "sites:read", "sites:write", "library:read"] as const;
  const { apiKey } = await service.createKey({ name: "pages only", scopes });
  const site = await createTemporarySite();
  const drawing = (index: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${index}" height="9"/>`;
  for (let index = 1; index <= 4; index++) await site.write(`dist/${index}.svg`, drawing(index));
  const images = [1, 2, 3, 4].map((index) => `<img src="/${index}.svg" alt="">`).join("");
  await site.write("dist/index.html", htmlPage("Home", images));
  const world = { service, routeSet: "a", brandKit: false } as const;
  await run(site, { ...world, apiKey });
  await rm(join(site.root, ".imprint"), { recursive: true });
  const { entries } = await run(site, world);
  const files = entries.filter(({ resource }) => resource === "asset");
  expect(new Set(files.map(({ kind }) => kind))).toEqual(new Set(["create"]));
  const refused = service.requests().filter(({ operation, status }) => operation === "assets.create" && status === 403);
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(await readFile(join(site.root, "imprint.lock.json"), "utf8")).not.toContain("refused");
});

it("publishes a page without a file over the request limit, in later runs, too", async () => {
  const limits = { maxAssetBytes: 20_000, maxPageBytes: 20_000 };
  const service = await startService({ ephemeral: true, dev: true, strict: true, port: 0, pagesPort: 0, limits });
  onTestFinished(() => service.close());
  const site = await createTemporarySite();
  const text = `<!--${"x".repeat(25_000)}-->`;
  await site.write("dist/large.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${text}</svg>`);
  await site.write("dist/index.html", htmlPage("Home", `<p>Shown.</p><img src="/large.svg" alt="">`));
  const world = { service, routeSet: "a", brandKit: false } as const;
  for (const home of ["create", "keep"]) {
    const { entries } = await run(site, world);
    expect(entries).toContainEqual(expect.objectContaining({ resource: "asset", kind: "blocked", name: "large.svg" }));
    expect(entries).toContainEqual(expect.objectContaining({ resource: "page", kind: home, name: "index" }));
  }
  expect(await (await fetch(`${service.pagesUrl}/p/index`)).text()).toContain("Shown.");
});

describe("a page that is too large", () => {
  const style = (weight: number) =>
    `@font-face{font-family:Probe;font-style:italic;font-weight:${weight};src:url(/_astro/big-${weight}.woff2)}`;

  async function siteWithLargeFonts(): Promise<TemporarySite> {
    const site = await createTemporarySite();
    const large = (weight: number) => Buffer.concat([PROBE_FILES.fonts.bytes, Buffer.alloc(20_000, weight)]);
    for (const weight of [400, 700]) await site.write(`dist/_astro/big-${weight}.woff2`, large(weight));
    await site.write("dist/_astro/site.css", style(400) + style(700));
    return site;
  }

  it("omits some fonts, with a warning, and fails a strict run", async () => {
    const [site, service] = [await siteWithLargeFonts(), await openService("typed")];
    const report = await run(site, { service, routeSet: "b", maxHtmlBytes: 40_000 });
    expect([report.exitCode, report.counts.page.create]).toEqual([0, 3]);
    expect(new Set(report.warnings.map(({ code }) => code))).toEqual(new Set(["font-left-out"]));
    const html = await (await fetch(`${service.pagesUrl}/p/about`)).text();
    expect(html.match(/font-weight:\d+/g)).toEqual(["font-weight:400"]);
    const strict = await run(site, { service, routeSet: "b", maxHtmlBytes: 40_000, strict: true });
    expect(strict.exitCode).toBe(1);
    expect((await run(site, { service, routeSet: "b", maxHtmlBytes: 40_000 })).requests.writes).toBe(0);
  });

  it("links its stylesheets first if the library serves them", async () => {
    const [site, service] = [await siteWithLargeFonts(), await openService("typed")];
    await site.write("dist/_astro/site.css", `body{color:red}/*${"x".repeat(50_000)}*/`);
    const report = await run(site, { service, routeSet: "a", maxHtmlBytes: 40_000 });
    expect([report.counts.page.create, report.warnings]).toEqual([3, []]);
    expect(await (await fetch(`${service.pagesUrl}/p/about`)).text()).toMatch(/<link rel="stylesheet" href="http/);
  });

  it("isn't published if nothing helps, and its largest parts are named", async () => {
    const [site, service] = [await siteWithLargeFonts(), await openService("typed")];
    await site.write("dist/about/index.html", htmlPage("About", "<p>word</p>".repeat(9000)));
    const report = await run(site, { service, routeSet: "b", maxHtmlBytes: 60_000 });
    expect(report.entries.find(({ name }) => name === "about")).toMatchObject({ kind: "blocked" });
    expect(report.warnings).toMatchObject([{ code: "page-too-large", file: "about/index.html" }]);
    expect(report.warnings[0]?.message).toMatch(/Its largest parts: markup \(100 kB\), font Probe/);
    expect(report.counts.page.create).toBe(2);
  });
});

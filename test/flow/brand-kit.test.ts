import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/connect.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import type { ImprintOptions, Report } from "../../src/publish.ts";
import { renderText } from "../../src/sync/report/render-text.ts";
import { launchBrowser } from "../browser.ts";
import { hostInProcess } from "./hosts.ts";
import type { Host } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";
import type { TemporarySite } from "./temporary-site.ts";

const worlds = (["a", "b"] as const).flatMap((routeSet) =>
  [false, true].map((strict) => ({ routeSet, strict, mode: strict ? "strict" : "full" })),
);

interface Run {
  readonly host: Host;
  readonly dryRun?: boolean;
  readonly brandKit?: ImprintOptions["brandKit"];
}

function run(site: TemporarySite, { host, dryRun = false, brandKit = {} }: Run): Promise<Report> {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    dryRun,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, brandKit }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

function styleOf(primary: string): string {
  return `:root{--color-primary:${primary}}body{background:#fffdf7;color:#222;font-family:Literata,Georgia,serif}a{color:#7a1f2b}
button,.button{background:var(--color-primary);color:#fff}@font-face{font-family:Literata;font-weight:200 900;src:url(/fonts/literata.woff2)}`;
}

async function createBrandedSite(): Promise<TemporarySite> {
  const site = await createTemporarySite();
  const font = createRequire(import.meta.url).resolve("@fontsource/literata/files/literata-latin-400-normal.woff2");
  await site.write("dist/fonts/literata.woff2", await readFile(font));
  await site.write("dist/_astro/site.css", styleOf("#25776a"));
  return site;
}

function kitEntry(report: Report) {
  return report.entries.find(({ resource }) => resource === "brand kit");
}

async function kitsAt({ baseUrl, apiKey }: Host) {
  const api = await connect({ baseUrl, apiKey });
  const { items } = await api.brandKits.list();
  await api.close();
  return items;
}

describe.each(worlds)("the brand kit in route set $routeSet, $mode", ({ routeSet, strict }) => {
  const open = () => hostInProcess({ routeSet, strict });

  it("shows in the plan what is different, then does it where the route set can", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    await site.write("dist/_astro/site.css", styleOf("#b3261e"));
    const planned = kitEntry(await run(site, { host, dryRun: true }));
    expect(planned?.kind).toBe(routeSet === "a" ? "update" : "blocked");
    expect(planned?.details).toEqual(["primary #25776a → #b3261e"]);

    const report = await run(site, { host });
    expect(kitEntry(report)).toMatchObject({ kind: planned?.kind, details: ["primary #25776a → #b3261e"] });
    expect(renderText(report)).toContain("\n      primary #25776a → #b3261e\n");
    const [kit, ...others] = await kitsAt(host);
    expect(others).toEqual([]);
    expect(kit?.colors.find(({ role }) => role === "primary")?.hex).toBe(routeSet === "a" ? "#b3261e" : "#25776a");
  });

  it("is not sent again when nothing changed", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    const report = await run(site, { host });
    expect(kitEntry(report)).toMatchObject({ kind: "keep" });
    expect(report.requests.writes).toBe(0);
  });

  it("brings the site's own font where the library serves fonts", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    const [kit] = await kitsAt(host);
    const body = kit?.fonts.find(({ role }) => role === "body");
    expect(body).toMatchObject({ family: "Literata", source: "self-hosted" });
    if (routeSet === "b") return expect(body?.url ?? undefined).toBeUndefined();
    expect((await fetch(body?.url ?? "")).status).toBe(200);
  });
});

it("the service's blog is set in the site's own font", async () => {
  const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
  await run(site, { host });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${host.pagesUrl}/blog/blog`);
  const loaded = "document.fonts.ready.then((fonts) => [...fonts].map(({ family, status }) => `${family} ${status}`))";
  expect(await page.evaluate(loaded)).toContain("Brand body loaded");
});

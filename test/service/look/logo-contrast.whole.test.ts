// Whether a logo is visible: the pixels that it paints on a page of the service, and the background of each.
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { openWrittenSite, serveWrittenSite, type WrittenSite } from "../../brand/corpus/written-sites.ts";
import { openRunningService } from "../open-service.ts";
import { kitInLibrary, openBrandedSite } from "./branding.ts";
import { LOGO_SITES } from "./shown-sites.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

/** The minimum contrast of graphics in WCAG 2 (1.4.11). */
const SEEN = 3;

// Runs in the browser: the first visible picture with one of the paths, otherwise the first drawing in a link.
const FIND_LOGO = `async (paths) => {
  const elementsIn = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    [element, ...(element.shadowRoot === null ? [] : elementsIn(element.shadowRoot))]);
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const shown = elementsIn(document.body).filter(isShown);
  const painted = ({ backgroundImage, maskImage }) => backgroundImage + maskImage;
  const addressOf = (element) => element.localName === "img" ? element.currentSrc : painted(getComputedStyle(element));
  globalThis.logo = shown.find((element) => paths.some((path) => addressOf(element).includes(path))) ??
    shown.find((element) => element.localName === "svg" && element.closest("a[href]") !== null);
  if (globalThis.logo === undefined) return null;
  if (logo.localName === "img") await logo.decode();
  const { x, y, width, height } = logo.getBoundingClientRect();
  return { x, y, width, height };
}`;

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Share of the logo's pixels with enough contrast to their background; `undefined` if the page shows no logo. */
async function shareSeen(page: Page, paths: readonly string[]): Promise<number | undefined> {
  const clip: Clip | null = await page.evaluate(`(${FIND_LOGO})(${JSON.stringify(paths)})`);
  if (clip === null) return undefined;
  const painted = await screenshot(page, clip);
  await page.evaluate("logo.style.setProperty('visibility', 'hidden', 'important')");
  await page.evaluate("logo.style.setProperty('background-image', 'none', 'important')");
  const bare = await screenshot(page, clip);
  await page.evaluate("['visibility', 'background-image'].forEach((name) => logo.style.removeProperty(name))");
  let all = 0;
  let seen = 0;
  for (let at = 0; at < painted.length; at += 3) {
    const [over, under] = [painted.subarray(at, at + 3), bare.subarray(at, at + 3)];
    if (over.every((value, channel) => Math.abs(value - (under[channel] ?? 0)) < 3)) continue;
    all += 1;
    if (contrast(luminance(over), luminance(under)) >= SEEN) seen += 1;
  }
  return all / (painted.length / 3) < 0.005 ? 0 : seen / all;
}

async function screenshot(page: Page, clip: Clip): Promise<Buffer> {
  return sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer();
}

function luminance(color: Uint8Array): number {
  const [red = 0, green = 0, blue = 0] = [...color].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The logo's visibility on the site's own page, in the less favorable scheme; `undefined` if it shows none. */
async function shareSeenAtHome(page: Page, site: WrittenSite, kit: BrandKitBody): Promise<number | undefined> {
  const names = kit.logos?.map(({ url }) => new URL(url).pathname.split("/").at(-1) ?? "") ?? [];
  await serveWrittenSite(page, site);
  const shares: number[] = [];
  for (const scheme of site.at.dark === undefined ? (["light"] as const) : (["light", "dark"] as const)) {
    await openWrittenSite(page, site, scheme);
    const share = await shareSeen(page, names);
    if (share !== undefined) shares.push(share);
  }
  return shares.length === 0 ? undefined : Math.min(...shares);
}

/** Measures the logo on pages of the service in both schemes; reports where it is less visible than required. */
async function findFaint(page: Page, { paths, pagesUrl, least }: Look): Promise<readonly string[]> {
  const faint: string[] = [];
  for (const path of ["/blog/notes", "/_thanks/index", "/p/nowhere"]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(pagesUrl + path, { waitUntil: "load" });
      const share = (await shareSeen(page, paths)) ?? 0;
      if (share < least) faint.push(`${path} ${colorScheme}: ${share}, not ${least}`);
    }
  }
  return faint;
}

interface Look {
  readonly paths: readonly string[];
  readonly pagesUrl: string;
  readonly least: number;
}

it("every logo is as visible as on its own site, with and without the site's frame", async () => {
  const service = await openRunningService();
  const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  const found: { readonly site: string; readonly frame: string; readonly faint: readonly string[] }[] = [];
  for (const site of LOGO_SITES) {
    const framed = await kitInLibrary(site, send, { frame: "worn" });
    const { frame, ...bare } = framed;
    const logos = framed.logos?.filter(({ kind }) => kind.startsWith("logo")) ?? [];
    if (logos.length === 0) continue;
    const home = await browser.newPage({ viewport: { width: 1000, height: 600 } });
    const atHome = (await shareSeenAtHome(home, site, framed)) ?? 1;
    await home.close();
    for (const kit of frame === undefined ? [bare] : [bare, framed]) {
      await wear(kit);
      const look = {
        paths: logos.map(({ url }) => new URL(url).pathname),
        pagesUrl: service.pagesUrl,
        // Most of its pixels, unless its own site shows it with lower contrast.
        least: Math.min(0.5, atHome),
      };
      found.push({ site: site.name, frame: kit === bare ? "none" : "worn", faint: await findFaint(page, look) });
    }
  }
  expect(found.filter(({ faint }) => faint.length > 0)).toEqual([]);
  expect(found.length).toBeGreaterThan(LOGO_SITES.length);
  await page.close();
});

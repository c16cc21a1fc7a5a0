import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composite, differenceOf, hexOf } from "../../src/brand/color/contrast.ts";
import { parseColor } from "../../src/brand/color/css-color.ts";
import { extractBrand } from "../../src/brand/extract.ts";
import type { BrandFindings } from "../../src/brand/findings.ts";
import { cleanFamily, splitFamilies } from "../../src/brand/font/family-name.ts";
import { closePages, openBrowser } from "../browser.ts";
import { SHOWN_SITES, SHOWS_ALL } from "../service/look/shown-sites.ts";
import { DEFAULT_ORIGIN, homeOf, readCorpusSite } from "./corpus/corpus-site.ts";
import { CORPUS_SITES } from "./corpus/corpus-sites.ts";
import {
  isFalseLogo,
  isPrimary,
  isSaidSure,
  renderCalibration,
  renderScores,
  scoreFindings,
  shareRight,
  type Score,
} from "./corpus/score.ts";
import {
  openWrittenSite,
  pagesOf,
  readWrittenSite,
  serveWrittenSite,
  WRITTEN_SITES,
  type WrittenSite,
} from "./corpus/written-sites.ts";

function extract(site: WrittenSite): Promise<BrandFindings> {
  return extractBrand({ read: readWrittenSite(site), home: `${DEFAULT_ORIGIN}/`, pages: pagesOf(site) });
}

let scored: Promise<readonly Score[]> | undefined;

function scoreWritten(): Promise<readonly Score[]> {
  scored ??= Promise.all(WRITTEN_SITES.map(async (site) => scoreFindings(site, await extract(site)))).then((all) =>
    all.flat(),
  );
  return scored;
}

describe("brand values of handwritten sites", () => {
  it("are found: 99% of all values, 90% of primary colors, no false logo", async () => {
    const scores = await scoreWritten();
    if (SHOWS_ALL) console.log(`\n${renderScores(scores)}\n`);
    expect(WRITTEN_SITES.length).toBeGreaterThanOrEqual(30);
    expect(scores.filter(isFalseLogo)).toEqual([]);
    expect(shareRight(scores)).toBeGreaterThanOrEqual(0.99);
    expect(shareRight(scores.filter(isPrimary))).toBeGreaterThanOrEqual(0.9);
  });

  it.runIf(SHOWS_ALL)(
    "are correct in 90% of the values with 90% confidence, together with the registry's sites",
    async () => {
      const written = await scoreWritten();
      const packaged = await Promise.all(
        CORPUS_SITES.map(async (site) =>
          scoreFindings(site, await extractBrand({ read: readCorpusSite(site), home: homeOf(site) })),
        ),
      );
      const scores = [...written, ...packaged].flat();
      console.log(`\n${renderCalibration(scores)}\n`);
      expect(scores.filter(isSaidSure).length).toBeGreaterThan(150);
      expect(shareRight(scores.filter(isSaidSure))).toBeGreaterThanOrEqual(0.9);
    },
  );
});

describe("the expected values of the handwritten sites", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => closePages(browser));

  it.each(SHOWN_SITES)("are what a browser shows: $name, $of", async (site) => {
    const page = await browser.newPage();
    await serveWrittenSite(page, site);
    for (const scheme of ["light", "dark"] as const) {
      const expected = site.expected[scheme];
      if (expected === undefined) continue;
      const seen = await readPage(page, site, scheme);
      expect(
        differenceOf(paintedOn(seen.background, seen.text), expected.text ?? paintedOn(seen.background, seen.text)),
      ).toBeLessThan(2);
      if (site.at.link !== undefined)
        expect(differenceOf(paintedOn(seen.background, seen.link), expected.link ?? "")).toBeLessThan(2);
      if (site.at.background === undefined)
        expect(differenceOf(paintedOn(seen.background, seen.background), expected.background ?? "")).toBeLessThan(2);
      if (![undefined, "none"].includes(expected.heading))
        expect(differenceOf(paintedOn(seen.background, seen.headingColor), expected.heading ?? "")).toBeLessThan(2);
      const { body, heading } = site.expected.fonts ?? {};
      if (body !== undefined) expect(firstFamily(seen.body)).toBe(body);
      if (heading !== undefined && site.at.heading !== undefined) expect(firstFamily(seen.heading)).toBe(heading);
    }
    await page.close();
  });
});

/** A color as shown on screen: in sRGB, blended with its background if it is translucent. */
function paintedOn(ground: string, color: string): string {
  const [below, above] = [parseColor(ground, { scheme: "light" }), parseColor(color, { scheme: "light" })];
  if (below === undefined || above === undefined) throw new Error(`${color} on ${ground} can't be read.`);
  return hexOf(composite(above, below));
}

function firstFamily(stack: string): string | undefined {
  return cleanFamily(splitFamilies(stack)[0] ?? "");
}

interface Seen {
  readonly text: string;
  readonly link: string;
  readonly background: string;
  readonly body: string;
  readonly heading: string;
  readonly headingColor: string;
}

async function readPage(page: Page, site: WrittenSite, scheme: "light" | "dark"): Promise<Seen> {
  const { at } = site;
  await openWrittenSite(page, site, scheme);
  return page.evaluate(`(() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    const groundOf = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!/^rgba\\(.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
      }
      return "rgb(255, 255, 255)";
    };
    const text = document.querySelector(${JSON.stringify(at.text)});
    return {
      text: getComputedStyle(text).color,
      background: groundOf(text),
      body: getComputedStyle(text).fontFamily,
      link: ${at.link === undefined ? '""' : `style(${JSON.stringify(at.link)}).color`},
      heading: ${at.heading === undefined ? '""' : `style(${JSON.stringify(at.heading)}).fontFamily`},
      headingColor: ${at.heading === undefined ? '""' : `style(${JSON.stringify(at.heading)}).color`},
    };
  })()`);
}

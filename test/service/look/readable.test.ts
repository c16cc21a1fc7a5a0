import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractBrand } from "../../../src/brand/extract.ts";
import { toBrandKit } from "../../../src/brand/kit.ts";
import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { homeOf, readCorpusSite } from "../../brand/corpus/corpus-site.ts";
import { CORPUS_SITES } from "../../brand/corpus/corpus-sites.ts";
import { openRunningService } from "../open-service.ts";
import { openBrandedSite, SURFACES } from "./branding.ts";

// `npm run test:brand` uses all of them.
const SITES = process.env["IMPRINT_SITES"] === "all" ? CORPUS_SITES : CORPUS_SITES.slice(0, 5);

const HOSTILE: readonly BrandKitBody[] = [
  {
    name: "yellow on white",
    colors: [
      { role: "background", hex: "#ffffff" },
      { role: "text", hex: "#ffee58" },
      { role: "link", hex: "#fff176" },
      { role: "primary", hex: "#ffeb3b" },
    ],
  },
  { name: "only one color", colors: [{ role: "primary", hex: "#ff00aa" }] },
  { name: "no colors" },
  {
    name: "light only",
    colors: [
      { role: "background", hex: "#fdf6e3" },
      { role: "text", hex: "#586e75" },
    ],
  },
  {
    name: "dark only",
    colors: [
      { role: "background", hex: "#0b0014" },
      { role: "primary", hex: "#12001f" },
    ],
  },
  {
    name: "middle gray on middle gray",
    colors: ["background", "text", "surface", "border", "link", "primary"].map((role) => ({ role, hex: "#777777" })),
  },
  {
    name: "a surface in the text's color",
    colors: [
      { role: "background", hex: "#ffffff" },
      { role: "text", hex: "#222222" },
      { role: "surface", hex: "#222222" },
    ],
  },
  {
    name: "only transparent colors",
    colors: ["background", "text", "primary"].map((role) => ({ role, hex: "#ff000000" })),
  },
];

// Runs in the browser: the computed color of each text, on the nearest opaque background behind it.
const FIND_UNREADABLE_TEXTS = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = parse(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (parse(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  let seen = 0;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent.trim();
    if (text === "") continue;
    seen += 1;
    const { color } = getComputedStyle(node.parentElement);
    const ground = groundOf(node.parentElement);
    const [low, high] = [luminance(color), luminance(ground)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (!(contrast >= 4.5)) found.push(text + ": " + color + " on " + ground + ", " + contrast);
  }
  return { seen, found };
})()`;

interface Reading {
  readonly seen: number;
  readonly found: readonly string[];
}

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

const SCHEMES = ["light", "dark"] as const;

/** The texts without enough contrast in either scheme, and the number of texts checked. */
async function readSurfaces(page: Page, pagesUrl: string): Promise<Reading> {
  const found: string[] = [];
  let seen = 0;
  for (const path of SURFACES) {
    await page.goto(`${pagesUrl}${path}`);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const reading: Reading = await page.evaluate(FIND_UNREADABLE_TEXTS);
      seen += reading.seen;
      found.push(...reading.found.map((text) => `${path}, ${colorScheme}: ${text}`));
    }
  }
  return { seen, found };
}

/** The kits of the corpus by the name of their site. */
const corpusKits = new Map<string, BrandKitBody>();
beforeAll(async () => {
  for (const site of SITES) {
    corpusKits.set(site.name, toBrandKit(await extractBrand({ read: readCorpusSite(site), home: homeOf(site) })));
  }
}, 120_000);

describe("every text of the service's pages is readable in light and dark", () => {
  async function openPage() {
    const service = await openRunningService();
    const { wear } = await openBrandedSite(service, { name: "Tern & Quire" });
    return { pagesUrl: service.pagesUrl, wear, page: await browser.newPage() };
  }

  it("with the kits of the corpus", { timeout: 300_000 }, async () => {
    const { pagesUrl, wear, page } = await openPage();
    for (const [site, kit] of corpusKits) {
      await wear(kit);
      const { seen, found } = await readSurfaces(page, pagesUrl);
      expect({ site, found }).toEqual({ site, found: [] });
      expect(seen).toBeGreaterThan(60);
    }
    await page.close();
  });

  it.each(HOSTILE)("with a kit of $name", async (kit) => {
    const { pagesUrl, wear, page } = await openPage();
    await wear(kit);
    expect((await readSurfaces(page, pagesUrl)).found).toEqual([]);
    await page.close();
  });
});

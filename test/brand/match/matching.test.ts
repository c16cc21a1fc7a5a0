// Whether a blog on the service can be recognized as its site's by its look: a screenshot of a site's home page, and of
// four blogs, one of which is its own. Logos are hidden on both.
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { kitInLibrary, openBrandedSite } from "../../service/look/branding.ts";
import { openRunningService } from "../../service/open-service.ts";
import { openWrittenSite, serveWrittenSite, WRITTEN_SITES } from "../corpus/written-sites.ts";
import { distanceOf, readFeatures, type PictureFeatures } from "./picture-features.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

const SIZE = { width: 1000, height: 750 };
/** Every third site, so that neither names nor looks affect the choice. */
const SITES = WRITTEN_SITES.filter((_, index) => index % 3 === 0).slice(0, 20);
/** The other blogs beside a site's own. */
const OTHERS = [3, 8, 13] as const;

const HIDE_LOGOS = `(() => {
  const elementsIn = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    [element, ...(element.shadowRoot === null ? [] : elementsIn(element.shadowRoot))]);
  for (const element of elementsIn(document)) {
    const isPicture = element.localName === "img" || element.localName === "svg";
    if (isPicture && element.closest("a[href]") !== null) element.style.setProperty("opacity", "0", "important");
    if (element.localName === "a") element.style.setProperty("background-image", "none", "important");
  }
})()`;

async function photograph(page: Page): Promise<Buffer> {
  await page.evaluate(HIDE_LOGOS);
  return page.screenshot();
}

interface Seen {
  readonly site: string;
  readonly home: Buffer;
  readonly blog: Buffer;
}

interface Case {
  readonly colorScheme: "light" | "dark";
  /** The kits of the blogs. */
  readonly wearing: "kit" | "kit and frame";
}

const CASES: readonly Case[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  (["kit", "kit and frame"] as const).map((wearing) => ({ colorScheme, wearing })),
);

async function photographSites({ colorScheme, wearing }: Case): Promise<readonly Seen[]> {
  const service = await openRunningService();
  const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
  const page = await browser.newPage({ viewport: SIZE, colorScheme });
  const seen: Seen[] = [];
  for (const site of SITES) {
    const own = await browser.newPage({ viewport: SIZE });
    await serveWrittenSite(own, site);
    // As visitors with that setting see it, without a choice of their own, as on the blog.
    await openWrittenSite(own, { ...site, at: { ...site.at, dark: "media" } }, colorScheme);
    const home = await photograph(own);
    await own.close();
    await wear(await kitInLibrary(site, send, wearing === "kit" ? {} : { frame: "worn" }));
    await page.goto(`${service.pagesUrl}/blog/notes`, { waitUntil: "load" });
    seen.push({ site: site.name, home, blog: await photograph(page) });
  }
  await page.close();
  return seen;
}

/** One row per site: its home page, its own blog, and the three others. */
async function writeSheet(file: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
  const [width, height] = [SIZE.width / 3.125, SIZE.height / 3.125];
  const tiles = await Promise.all(
    rows.flatMap((row, y) =>
      row.map(async (picture, x) => ({
        input: await sharp(picture)
          .resize(width - 8, height - 8)
          .png()
          .toBuffer(),
        left: x * width,
        top: y * height,
      })),
    ),
  );
  const sheet = sharp({
    create: { width: width * 5, height: height * rows.length, channels: 3, background: "#888888" },
  });
  await writeFile(file, await sheet.composite(tiles).png().toBuffer());
}

it.runIf(process.env["IMPRINT_SITES"] === "all").each(CASES)(
  "18 of 20 blogs with $wearing are recognized by their look among four, in $colorScheme",
  async (own) => {
    const seen = await photographSites(own);
    const features = await Promise.all(
      seen.map(async ({ site, home, blog }) => ({
        site,
        home: await readFeatures(home),
        blog: await readFeatures(blog),
      })),
    );
    const choose = (home: PictureFeatures, at: number) =>
      [0, ...OTHERS]
        .map((step) => features[(at + step) % features.length])
        .map((other) => ({
          site: other?.site,
          distance: other === undefined ? Infinity : distanceOf(home, other.blog),
        }))
        .toSorted((a, b) => a.distance - b.distance)[0]?.site;
    const missed = features.flatMap(({ site, home }, at) => {
      const chosen = choose(home, at);
      return chosen === site ? [] : [`${site} was taken for ${chosen}`];
    });
    const folder = join(tmpdir(), "imprint-brand-match");
    await mkdir(folder, { recursive: true });
    const blogAt = (at: number) => seen[at % seen.length]?.blog ?? Buffer.alloc(0);
    const rows = seen.map(({ home, blog }, at) => [home, blog, ...OTHERS.map((step) => blogAt(at + step))]);
    const file = join(folder, `${own.wearing.replaceAll(" ", "-")}-${own.colorScheme}.png`);
    await writeSheet(file, rows);
    console.log(
      `${seen.length - missed.length} of ${seen.length} known by ${own.wearing} in ${own.colorScheme}; sheet: ${file}\n${missed.join("\n")}`,
    );
    expect(seen.length).toBe(20);
    expect(missed.length).toBeLessThanOrEqual(2);
  },
);

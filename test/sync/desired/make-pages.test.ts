import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import { createTextStore } from "../../../src/disk/text-store.ts";
import { renderMarker } from "../../../src/html/marker.ts";
import { renderHtml } from "../../../src/html/page-html.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createMadePages } from "../../../src/sync/desired/make-pages.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, writeSiteFile } from "../../site/rewrite/fixture.ts";

const refused = { kind: "refused", why: "it takes images only" } as const;
const library = {
  images: refused,
  drawings: refused,
  scripts: refused,
  styles: refused,
  fonts: refused,
  files: refused,
};

const LARGEST =
  "The page has 5.0 MB, but at most 100 kB is allowed. Its largest parts: font Song 400 (4.0 MB), script _astro/app.js (1.0 MB), markup (1 kB).";

it("rewrites a page with large fonts and modules once, without keeping them in memory until it is sent", async () => {
  const dist = makeFolder();
  const font = randomBytes(3_000_000);
  const code = `export const letters = "${"x".repeat(1_000_000)}";`;
  writeSiteFile(dist, "_astro/song.woff2", font);
  writeSiteFile(dist, "_astro/app.js", code);
  const head = `<meta charset="utf-8"><title>文章</title><script type="module" src="/_astro/app.js"></script>`;
  const style = "<style>@font-face{font-family:Song;src:url(/_astro/song.woff2)}</style>";
  for (const name of ["index.html", "about/index.html"]) writeSiteFile(dist, name, `<!doctype html>${head}${style}`);
  const site = await readBuiltSite(dist);
  const texts = createTextStore(0);
  onTestFinished(texts.close);
  const settings = rewriteSettings(new Map([["/", "index"]]), { placement: PLACEMENTS.inline });
  const made = createMadePages(site, { settings, library, maxPageBytes: 6_000_000, texts });
  const facts = await Promise.all(site.pages.map((page) => made.make(page)));
  for (const { file } of site.pages) rmSync(join(dist, file));

  for (const [index, page] of site.pages.entries()) {
    const taken = await made.read(page);
    const [html, hash = ""] = [renderHtml(taken), facts[index]?.hash];
    expect(taken.html.length).toBeLessThan(2000);
    expect(html).toContain(`src:url(data:font/woff2;base64,${font.toString("base64")})`);
    expect(html).toContain(`"@i/_astro/app.js":"data:text/javascript;charset=utf-8,export const letters = \\"xxx`);
    expect(facts[index]?.bytes).toBe(Buffer.byteLength(html));
    expect(hash).toBe(sha256(html.replace(renderMarker(hash), "")));
  }

  for (const { file } of site.pages) writeSiteFile(dist, file, `<!doctype html>${head}${style}`);
  const tooLarge = createMadePages(site, { settings, library, maxPageBytes: 100_000, texts });
  const larger = await Promise.all(site.pages.map((page) => tooLarge.make(page)));
  expect(larger.map(({ warnings }) => warnings[0]?.message)).toEqual([LARGEST, LARGEST]);
});

it("names the scripts and files that make a page too large", async () => {
  const dist = makeFolder();
  writeSiteFile(dist, "vendor/chart.js", `self.chart = "${"x".repeat(200_000)}";`);
  writeSiteFile(dist, "data/words.json", JSON.stringify("y".repeat(60_000)));
  const inline = `<script>const table = "${"z".repeat(120_000)}"; fetch("/data/words.json");</script>`;
  const head = `<meta charset="utf-8"><title>Chart</title><script src="/vendor/chart.js"></script>`;
  writeSiteFile(dist, "index.html", `<!doctype html>${head}${inline}`);
  const site = await readBuiltSite(dist);
  const texts = createTextStore(0);
  onTestFinished(texts.close);
  const settings = rewriteSettings(new Map([["/", "index"]]), { placement: PLACEMENTS.inline });
  const made = createMadePages(site, { settings, library, maxPageBytes: 100_000, texts });
  const facts = await Promise.all(site.pages.map((page) => made.make(page)));
  expect(facts[0]?.warnings.map(({ message }) => message)).toEqual([
    'The page has 410 kB, but at most 100 kB is allowed. Its largest parts: script vendor/chart.js (201 kB), inline script `const table = "zzzzzzzzzzzzzzzzzzzzzzzzz…` (121 kB), file data/words.json (81 kB).',
  ]);
});

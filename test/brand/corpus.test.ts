import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { extractBrand } from "../../src/brand/extract.ts";
import type { BrandFindings } from "../../src/brand/findings.ts";
import { homeOf, packageFile, readCorpusSite, type CorpusSite } from "./corpus/corpus-site.ts";
import { SHOWS_ALL } from "../service/look/shown-sites.ts";
import { CORPUS_SITES } from "./corpus/corpus-sites.ts";
import { isFalseLogo, isPrimary, renderScores, scoreFindings, shareRight } from "./corpus/score.ts";

function extract(site: CorpusSite): Promise<BrandFindings> {
  return extractBrand({ read: readCorpusSite(site), home: homeOf(site) });
}

const first = new Map<CorpusSite, Promise<BrandFindings>>();

function extractOnce(site: CorpusSite): Promise<BrandFindings> {
  const found = first.get(site) ?? extract(site);
  first.set(site, found);
  return found;
}

describe("brands of sites from the npm registry", () => {
  it.each(CORPUS_SITES)(
    "only expects of $name what its package documents",
    ({ package: packageName, documentation }) => {
      for (const { file, says } of documentation) {
        const text = readFileSync(packageFile(packageName, file), "utf8");
        for (const words of says) expect(text).toContain(words);
      }
    },
  );

  it("are found: 95% of all values, 90% of primary colors, no false logo", async () => {
    const found = await Promise.all(CORPUS_SITES.map(async (site) => scoreFindings(site, await extractOnce(site))));
    const scores = found.flat();
    if (SHOWS_ALL) console.log(`\n${renderScores(scores)}\n`);
    expect(CORPUS_SITES.length).toBeGreaterThanOrEqual(20);
    expect(scores.filter(isFalseLogo)).toEqual([]);
    expect(shareRight(scores)).toBeGreaterThanOrEqual(0.95);
    expect(shareRight(scores.filter(isPrimary))).toBeGreaterThanOrEqual(0.9);
  });

  it("are the same on repeat", async () => {
    const sites = CORPUS_SITES.filter((_, index) => SHOWS_ALL || index % 4 === 0);
    for (const site of sites) expect(await extract(site)).toEqual(await extractOnce(site));
  });
});

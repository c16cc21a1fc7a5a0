import { parse } from "parse5";
import { extractBrand } from "../../src/brand/extract.ts";
import { homeOf, readCorpusSite, type CorpusSite } from "../../test/brand/corpus/corpus-site.ts";
import { CORPUS_SITES } from "../../test/brand/corpus/corpus-sites.ts";
import { measureLargeCss } from "./brand/large-css.ts";
import { measurePublish } from "./brand/publish.ts";

// Measures the processor time of extraction per page on the sites of the corpus, relative to only parsing
// the same pages in the same run: machines differ, but the ratio hardly does. Then 5 MB of CSS with a frame, and what a brand kit adds to a publish.

const ROUNDS = 5;

interface Measured {
  readonly site: string;
  readonly pages: number;
  /** Milliseconds of processor time per page. */
  readonly extractMs: number;
  readonly parseMs: number;
}

const measured: Measured[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const site of CORPUS_SITES) {
    const result = await measure(site);
    // The first round warms up the compiler.
    if (round > 0) measured.push(result);
  }
}

const largeCss = await measureLargeCss();
const publishing = await measurePublish({ pages: 1000, rounds: 5 });
const extract = measured.map(({ extractMs }) => extractMs).toSorted((a, b) => a - b);
const parsing = measured.map(({ parseMs }) => parseMs).toSorted((a, b) => a - b);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
process.stdout.write(
  `${JSON.stringify({
    sites: CORPUS_SITES.length,
    pageMsMedian: round(at(extract, 0.5)),
    pageMsP95: round(at(extract, 0.95)),
    parseMsP95: round(at(parsing, 0.95)),
    ratioToParsing: round(total(extract) / total(parsing)),
    slowest: measured.toSorted((a, b) => b.extractMs - a.extractMs)[0]?.site,
    isPageUnder150MsAtP95: at(extract, 0.95) < 150,
    largeCss: { megabytes: round(largeCss.megabytes), cpuMs: Math.round(largeCss.cpuMs) },
    publishOf1000Pages: {
      withoutMs: Math.round(publishing.withoutMs),
      withMs: Math.round(publishing.withMs),
      addedPercent: round(publishing.added * 100),
      addedPercentUnchanged: round(publishing.addedUnchanged * 100),
      isAddedUnder5Percent: publishing.added < 0.05,
    },
  })}\n`,
);

async function measure(site: CorpusSite): Promise<Measured> {
  const read = readCorpusSite(site);
  const started = process.cpuUsage();
  const { pages } = await extractBrand({ read, home: homeOf(site) });
  const extractMs = millisecondsSince(started);

  const parseStarted = process.cpuUsage();
  for (const address of pages) parse(String((await read(address))?.content ?? ""));
  const parseMs = millisecondsSince(parseStarted);
  return { site: site.name, pages: pages.length, extractMs: extractMs / pages.length, parseMs: parseMs / pages.length };
}

function millisecondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

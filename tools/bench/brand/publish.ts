// Measures what the brand kit adds to the first publish of a large site: the site is published with and without it in
// turns, each time in a new process to a new service without latency.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withHost } from "../sync/host.ts";
import type { Job } from "../sync/job.ts";

/** Processor time of whole processes, in milliseconds: medians. */
export interface BrandCost {
  readonly withoutMs: number;
  readonly withMs: number;
  /** What the brand kit adds, as a share of the publish without it: the median of the rounds. */
  readonly added: number;
  /** The same for a run that has nothing to send. */
  readonly addedUnchanged: number;
}

/** Publishes both once in each round, so that a machine that slows down affects both. */
export async function measurePublish({ pages, rounds }: { readonly pages: number; readonly rounds: number }) {
  const root = await createSite(pages);
  const runs: { readonly first: Pair; readonly unchanged: Pair }[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const costs = { without: await publishTwice(root, false), with: await publishTwice(root, true) };
      const pairOf = (at: 0 | 1): Pair => ({ without: costs.without[at], with: costs.with[at] });
      // The first round warms up the compile cache.
      if (round > 0) runs.push({ first: pairOf(0), unchanged: pairOf(1) });
    }
  } finally {
    await rm(root, { recursive: true });
  }
  const added = ({ without, with: all }: Pair) => all / without - 1;
  const cost: BrandCost = {
    withoutMs: median(runs.map(({ first }) => first.without)),
    withMs: median(runs.map(({ first }) => first.with)),
    added: median(runs.map(({ first }) => added(first))),
    addedUnchanged: median(runs.map(({ unchanged }) => added(unchanged))),
  };
  return cost;
}

interface Pair {
  readonly without: number;
  readonly with: number;
}

/** Measures the processor time of a first publish, and of one that has nothing to send. */
async function publishTwice(root: string, hasBrandKit: boolean): Promise<readonly [number, number]> {
  await rm(join(root, ".imprint"), { recursive: true, force: true });
  await rm(join(root, "imprint.lock.json"), { force: true });
  return withHost({ latencyMs: 0 }, async (host) => {
    const job: Job = { root, host, hasBrandKit };
    return [await publishOnce(job), await publishOnce(job)];
  });
}

async function publishOnce(job: Job): Promise<number> {
  const NODE_COMPILE_CACHE = join(tmpdir(), "imprint-bench-compiled");
  const child = fork(new URL("../sync/publisher.ts", import.meta.url), [JSON.stringify(job)], {
    env: { ...process.env, NODE_COMPILE_CACHE },
  });
  const exit = once(child, "exit");
  const [[told], [code]] = await Promise.all([Promise.race([once(child, "message"), exit]), exit]);
  if (code !== 0) throw new Error(`The publisher ended with ${code}.`);
  return Number(Object(told).cpuMs);
}

/** Creates pages with Bootstrap's style sheet, which is among the larger ones of real sites. */
async function createSite(pages: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-bench-brand-"));
  await mkdir(join(root, "dist/_astro"), { recursive: true });
  const css = createRequire(import.meta.url).resolve("bootstrap/dist/css/bootstrap.css");
  await cp(css, join(root, "dist/_astro/site.css"));
  await writeFile(
    join(root, "dist/logo.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h90v30z"/></svg>`,
  );
  for (let number = 0; number < pages; number += 1) {
    const folder = join(root, "dist", number === 0 ? "" : `page-${number}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "index.html"), pageHtml(number, pages));
  }
  return root;
}

function pageHtml(number: number, pages: number): string {
  const next = (number % (pages - 1)) + 1;
  const text = `<p>Paragraph of page ${number}, with <a href="/page-${next}/">a link</a> and some words.</p>\n`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number} – Bench</title><link rel="stylesheet" href="/_astro/site.css"></head>
<body><nav class="navbar bg-body-tertiary"><a class="navbar-brand" href="/"><img src="/logo.svg" alt="Bench"></a></nav>
<main class="container"><h1>Page ${number}</h1><a class="btn btn-primary" href="/page-${next}/">Next</a>${text.repeat(100)}</main></body></html>`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

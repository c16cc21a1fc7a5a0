// What the brand kit adds to the first publish of a large site: the same site is published with and without it, in
// turns, each time to a new service in a process of its own that answers at once.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOptions, publish } from "../../../src/publish.ts";

export interface BrandCost {
  readonly pages: number;
  readonly rounds: number;
  /** The quickest run of each: what else the machine does only ever adds. */
  readonly without: RunCost;
  readonly with: RunCost;
  /** How much the brand kit adds, as a share of the publish without it. */
  readonly added: { readonly wall: number; readonly cpu: number };
}

interface RunCost {
  readonly wallMs: number;
  /** Processor time of the publisher, which does not grow with the load of the machine. */
  readonly cpuMs: number;
}

export async function measurePublish({
  pages,
  rounds,
}: {
  readonly pages: number;
  readonly rounds: number;
}): Promise<BrandCost> {
  const root = await createSite(pages);
  const times: Readonly<Record<"with" | "without", RunCost[]>> = { without: [], with: [] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const order = round % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const);
      for (const kind of order) {
        const cost = await publishOnce(root, kind);
        // The first round is for the compiler.
        if (round > 0) times[kind].push(cost);
      }
    }
  } finally {
    await rm(root, { recursive: true });
  }
  const costs = { without: quickest(times.without), with: quickest(times.with) };
  const added = {
    wall: costs.with.wallMs / costs.without.wallMs - 1,
    cpu: costs.with.cpuMs / costs.without.cpuMs - 1,
  };
  return { pages, rounds, ...costs, added };
}

async function publishOnce(root: string, kind: "with" | "without"): Promise<RunCost> {
  await rm(join(root, ".imprint"), { recursive: true, force: true });
  await rm(join(root, "imprint.lock.json"), { force: true });
  const child = fork(new URL("../sync/service.ts", import.meta.url), [JSON.stringify({ latencyMs: 0 })]);
  const [told]: readonly unknown[] = await once(child, "message");
  const { baseUrl = "", pagesUrl = "", apiKey = "" }: Readonly<Record<string, string>> = Object(told);
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  const report = await publish({
    projectRoot: root,
    dist: join(root, "dist"),
    options: parseOptions({ site: { name: "Bench" }, ...(kind === "with" ? {} : { brandKit: false }) }),
    target: { baseUrl, pagesUrl, apiKey, routeSet: "auto", identity: "bench", close: async () => {} },
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const cost = { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  child.kill("SIGTERM");
  await once(child, "exit");
  const failed = report.entries.find((entry) => entry.kind === "failed" || entry.kind === "blocked");
  if (failed !== undefined) throw new Error(failed.error?.message ?? failed.reason);
  if ((report.counts["brand kit"].create === 1) !== (kind === "with")) throw new Error("No brand kit was made.");
  return cost;
}

/** Pages in the look of Bootstrap, whose style sheet is one of the larger ones that sites have. */
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

function quickest(costs: readonly RunCost[]): RunCost {
  return {
    wallMs: Math.min(...costs.map(({ wallMs }) => wallMs)),
    cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
  };
}

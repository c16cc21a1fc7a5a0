// Compares publishing to a service with a latency of 50 ms, in its own process, with a bare client that does the
// minimum in the same run. Every figure is a whole process, from start to end. `npm run bench:sync [faults|limits]`;
// what a publish costs as a whole: `npm run bench:peers`
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withHost, type HostOptions } from "./sync/host.ts";
import type { Address, BareJob, Job, Published } from "./sync/job.ts";
import { createSite, type Size } from "./sync/site.ts";

const SLOTS = 64;
const RATE = 50;

interface Measured extends Published {
  readonly seconds: number;
}

async function run(script: "publisher" | "bare-client", job: Job | BareJob): Promise<Measured> {
  const startedAt = performance.now();
  const child = fork(new URL(`sync/${script}.ts`, import.meta.url), [JSON.stringify(job)]);
  const exit = once(child, "exit");
  const [[told], [code]] = await Promise.all([Promise.race([once(child, "message"), exit]), exit]);
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  const {
    requests = 0,
    writes = 0,
    peakBytes = 0,
    sendingMs = 0,
    cpuMs = 0,
  }: Readonly<Record<string, number>> = Object(told);
  return { requests, writes, peakBytes, sendingMs, cpuMs, seconds: (performance.now() - startedAt) / 1000 };
}

function bareJob(root: string, host: Address, wanted: Partial<BareJob> = {}): BareJob {
  return { root, host, what: "send", slots: SLOTS, perSecond: 0, ...wanted };
}

async function countRefused({ baseUrl, apiKey }: Address): Promise<number> {
  const root = baseUrl.replace(/\/a$/, "");
  const answer = await fetch(`${root}/api/_requests`, { headers: { authorization: `Bearer ${apiKey}` } });
  const log: unknown = await answer.json();
  const entries: readonly unknown[] = Array.isArray(log) ? log : (Object(log).data ?? []);
  return entries.filter((entry) => [429, 503].includes(Object(entry).status)).length;
}

function print(name: string, published: Measured, { seconds: floor }: Measured): void {
  const { seconds, requests, writes, peakBytes } = published;
  const columns = [
    name.padEnd(30),
    `${seconds.toFixed(2)} s`.padStart(9),
    `${floor.toFixed(2)} s`.padStart(9),
    `${(seconds / floor).toFixed(2)} x`.padStart(8),
    String(requests).padStart(9),
    String(writes).padStart(7),
    `${(peakBytes / 1024 / 1024).toFixed(0)} MB`.padStart(8),
  ];
  console.log(columns.join(""));
}

async function benchLimited(name: string, options: HostOptions, wanted: Partial<BareJob>): Promise<void> {
  const root = await createSite({ pages: 1000, images: 0 });
  try {
    const floor = await withHost(options, (host) => run("bare-client", bareJob(root, host, wanted)));
    await withHost(options, async (host) => {
      const published = await run("publisher", { root, host });
      print(`1,000 pages, ${name}`, published, floor);
      const refused = await countRefused(host);
      const ratio = published.sendingMs / floor.sendingMs;
      const share = (100 * refused) / published.requests;
      console.log(`  sending alone ${ratio.toFixed(2)} x; refused: ${refused} requests, ${share.toFixed(1)} %`);
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

// Measures the cost of faults relative to the same publish without them, and how close a publish gets to an unknown
// rate.
async function benchFaults(size: Size): Promise<void> {
  const root = await createSite(size);
  const publish = (options: HostOptions) =>
    withHost({ program: "sync/thin-service.ts", ...options }, async (host) => {
      // Makes each run a first publish.
      await rm(join(root, ".imprint"), { recursive: true, force: true });
      await rm(join(root, "imprint.lock.json"), { force: true });
      const published = await run("publisher", { root, host });
      return { published, refused: await countRefused(host) };
    });
  try {
    const { published: whole } = await publish({});
    print(`${size.pages} pages without faults`, whole, whole);
    for (const faults of [0.01, 0.05]) {
      const { published } = await publish({ faults });
      print(`${faults * 100} % of 500, 503 and 429`, published, whole);
      console.log(`  sending alone ${(published.sendingMs / whole.sendingMs).toFixed(2)} x`);
    }
    for (const isTelling of [true, false]) {
      const { published, refused } = await publish({ perSecond: RATE, isTelling });
      print(`${RATE} a second, Retry-After: ${isTelling ? "yes" : "no"}`, published, whole);
      const perSecond = ((published.requests - refused) * 1000) / published.sendingMs;
      const share = (100 * refused) / published.requests;
      console.log(`  ${perSecond.toFixed(1)} a second; refused: ${refused} requests, ${share.toFixed(1)} %`);
    }
  } finally {
    await rm(root, { recursive: true });
  }
}

const wanted = process.argv[2] ?? "all";
console.log(`${"".padEnd(30)}  publish     floor   ratio requests writes  memory`);
if (wanted === "all" || wanted === "faults") await benchFaults({ pages: 1000, images: 0 });
if (wanted === "all" || wanted === "limits") {
  await benchLimited("16 at a time", { maxConcurrent: 16 }, { slots: 16 });
  await benchLimited("100 a second", { perSecond: 100 }, { perSecond: 100 });
}

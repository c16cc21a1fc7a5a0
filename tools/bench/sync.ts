// Speed of publishing against a service that takes 50 ms for every request, in a process of its own, and a bare client
// that does the least possible in the same run. Every figure is a whole process, from its start to its end.
// `npm run bench:sync [d1k|thin|faults|limits|d10k]`
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Address, BareJob, Job, Published } from "./sync/job.ts";
import { changePages, createSite, type Size } from "./sync/site.ts";

const LATENCY_MS = 50;
const SLOTS = 64;
const RATE = 50;

interface Host extends Address {
  close(): Promise<void>;
}

interface HostOptions {
  /** A service that does no work of its own, so that only the publisher is measured. */
  readonly thin?: boolean;
  readonly maxConcurrent?: number;
  readonly perSecond?: number;
  /** Of a thin service: the share of requests that are answered 500, 503 or 429. */
  readonly faults?: number;
  /** Of a thin service: whether it says `Retry-After` with what is beyond `perSecond`. */
  readonly isTelling?: boolean;
}

interface Measured extends Published {
  readonly seconds: number;
}

async function withHost<Result>(
  { thin = false, ...options }: HostOptions,
  work: (host: Host) => Promise<Result>,
): Promise<Result> {
  const service = fork(new URL(thin ? "sync/thin-service.ts" : "sync/service.ts", import.meta.url), [
    JSON.stringify({ latencyMs: LATENCY_MS, ...options }),
  ]);
  const [told]: readonly unknown[] = await once(service, "message");
  const { baseUrl = "", pagesUrl = "", apiKey = "" }: Readonly<Record<string, string>> = Object(told);
  const close = async () => {
    service.kill("SIGTERM");
    await once(service, "exit");
  };
  try {
    return await work({ baseUrl, pagesUrl, apiKey, close });
  } finally {
    await close();
  }
}

async function run(script: "publisher" | "bare-client", job: Job | BareJob): Promise<Measured> {
  const startedAt = performance.now();
  const child = fork(new URL(`sync/${script}.ts`, import.meta.url), [JSON.stringify(job)]);
  const exit = once(child, "exit");
  const [[told], [code]] = await Promise.all([Promise.race([once(child, "message"), exit]), exit]);
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  const { requests = 0, writes = 0, peakBytes = 0, sendingMs = 0 }: Readonly<Record<string, number>> = Object(told);
  return { requests, writes, peakBytes, sendingMs, seconds: (performance.now() - startedAt) / 1000 };
}

function bareJob(root: string, host: Host, wanted: Partial<BareJob> = {}): BareJob {
  return { root, host, what: "send", slots: SLOTS, perSecond: 0, ...wanted };
}

async function countRefused({ baseUrl, apiKey }: Host): Promise<number> {
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

async function benchSite(name: string, size: Size): Promise<void> {
  const root = await createSite(size);
  try {
    const floor = await withHost({}, (host) => run("bare-client", bareJob(root, host)));
    await withHost({}, async (host) => {
      print(`${name}: first`, await run("publisher", { root, host }), floor);
      const looking = await run("bare-client", bareJob(root, host, { what: "look" }));
      print(`${name}: nothing changed`, await run("publisher", { root, host }), looking);
      await changePages(root, size, 10);
      print(`${name}: 10 changed`, await run("publisher", { root, host }), looking);
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

// The floor of the specification of this benchmark: requests × latency / connections, with the bytes of a bare client.
async function benchThin(name: string, size: Size): Promise<void> {
  const root = await createSite(size);
  const host: HostOptions = { thin: true };
  try {
    const floor = await withHost(host, (thin) => run("bare-client", bareJob(root, thin)));
    const published = await withHost(host, (thin) => run("publisher", { root, host: thin }));
    print(`${name}: first`, published, floor);
    const rounds = (Math.ceil(published.requests / SLOTS) * LATENCY_MS) / 1000;
    console.log(`  at a service that does no work; requests × latency / ${SLOTS} alone: ${rounds.toFixed(2)} s`);
  } finally {
    await rm(root, { recursive: true });
  }
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

// What accidents cost, beside the same publish without them, and how near a publish comes to a rate that it has to find.
async function benchFaults(size: Size): Promise<void> {
  const root = await createSite(size);
  const publish = (options: HostOptions) =>
    withHost({ thin: true, ...options }, async (host) => {
      // Each run is a first one.
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
if (wanted === "all" || wanted === "d1k") await benchSite("1,000 pages, 300 images", { pages: 1000, images: 300 });
if (wanted === "all" || wanted === "thin") await benchThin("1,000 pages, 300 images", { pages: 1000, images: 300 });
if (wanted === "all" || wanted === "faults") await benchFaults({ pages: 1000, images: 0 });
if (wanted === "all" || wanted === "limits") {
  await benchLimited("16 at a time", { maxConcurrent: 16 }, { slots: 16 });
  await benchLimited("100 a second", { perSecond: 100 }, { perSecond: 100 });
}
if (wanted === "all" || wanted === "d10k") await benchSite("10,000 pages, 300 images", { pages: 10_000, images: 300 });

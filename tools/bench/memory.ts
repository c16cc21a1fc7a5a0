// Measures the peak memory of publishing unusually large sites: the publisher and its image process together. Fails
// above the limit. `npm run bench:memory [name]`
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { startService } from "../../src/service.ts";
import { createBlog, createGallery, createPages, createPicture, jpeg, type Extent } from "./memory/site.ts";
import type { Job } from "./sync/job.ts";

const LIMIT_MB = 400;
const SAMPLE_MS = 25;
const NAME_WIDTH = 14;

interface Site {
  readonly name: string;
  readonly routeSets: readonly ("a" | "b")[];
  /** In MB. Default: 400. */
  readonly limit?: number;
  /** Whether to publish again without lock file and memory, which reads back what the service has. */
  readonly isLost?: true;
  readonly create: () => Promise<string>;
}

const SITES: readonly Site[] = [
  { name: "blog", routeSets: ["a", "b"], isLost: true, create: createBlog },
  { name: "pages", routeSets: ["a", "b"], isLost: true, create: () => createPages({ count: 2500, paragraphs: 50 }) },
  { name: "10k", routeSets: ["a", "b"], isLost: true, create: () => createPages({ count: 10_000, paragraphs: 1 }) },
  { name: "100k", routeSets: ["a"], limit: 600, create: () => createPages({ count: 100_000, paragraphs: 1 }) },
  { name: "small", routeSets: ["a"], create: () => createPhoto({ width: 640, height: 480 }) },
  { name: "24-mpx", routeSets: ["a"], create: () => createPhoto({ width: 6000, height: 4000 }) },
  { name: "49-mpx", routeSets: ["a"], create: () => createPhoto({ width: 8064, height: 6048 }) },
  { name: "30-png", routeSets: ["a"], create: createScreenshots },
  { name: "2k-jpeg", routeSets: ["a"], create: createPhotos },
];

async function createPhoto(extent: Extent): Promise<string> {
  return await createGallery(new Map([["photo.jpg", await jpeg(extent)]]));
}

async function createPhotos(): Promise<string> {
  const pictures = new Map<string, Uint8Array>();
  for (let number = 0; number < 2000; number += 1) {
    pictures.set(`photo-${number}.jpg`, await jpeg({ width: 480, height: 320 }));
  }
  return await createGallery(pictures);
}

async function createScreenshots(): Promise<string> {
  const pictures = new Map<string, Uint8Array>();
  for (let number = 0; number < 30; number += 1) {
    const picture = await createPicture({ width: 2800 + number, height: 2000 });
    pictures.set(`screen-${number}.png`, await picture.png({ compressionLevel: 1 }).toBuffer());
  }
  return await createGallery(pictures);
}

interface Measured {
  /** Peak of both processes together, and of each, in MB. */
  readonly together: number;
  readonly publisher: number;
  readonly images: number;
  readonly cpuSeconds: unknown;
  readonly wrong: string | undefined;
}

async function measure(job: Job): Promise<Measured> {
  const child = fork(new URL("memory/publisher.ts", import.meta.url), [JSON.stringify(job)]);
  const pid = child.pid ?? 0;
  const peaks = { together: 0, publisher: 0, images: 0 };
  const timer = setInterval(() => {
    const [publisher, ...others] = [pid, ...childrenOf(pid)].map(memoryOf);
    const images = others.reduce((sum, { now }) => sum + now, 0);
    peaks.together = Math.max(peaks.together, (publisher?.now ?? 0) + images);
    peaks.publisher = Math.max(peaks.publisher, publisher?.most ?? 0);
    peaks.images = Math.max(peaks.images, ...others.map(({ most }) => most));
  }, SAMPLE_MS);
  const exit = once(child, "exit");
  const [[told], [code]] = await Promise.all([Promise.race([once(child, "message"), exit]), exit]);
  clearInterval(timer);
  const { failed, cpuSeconds }: Readonly<Record<string, unknown>> = Object(told);
  const wrong =
    code === 0 && Array.isArray(failed) && failed.length === 0 ? undefined : `ended with ${code}: ${failed}`;
  return { ...peaks, cpuSeconds, wrong };
}

function childrenOf(pid: number): readonly number[] {
  return readProc(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

/** Returns the current and the peak memory of a process, in MB. */
function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readProc(`${pid}/status`);
  const [now = 0, most = 0] = ["VmRSS", "VmHWM"].map((name) => {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  });
  return { now, most };
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

const wanted = process.argv[2];
let isTooMuch = false;
console.log(`${"".padEnd(NAME_WIDTH)} together publisher   images   publisher's processor time`);
for (const { name, routeSets, limit = LIMIT_MB, isLost = false, create } of SITES.filter(
  (site) => wanted === undefined || site.name === wanted,
)) {
  const root = process.env["BENCH_ROOT"] ?? (await create());
  for (const routeSet of routeSets) {
    const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, limits: { maxPages: 100_000 } });
    const host = { baseUrl: service.baseUrl(routeSet), pagesUrl: service.pagesUrl, apiKey: service.apiKey };
    for (const run of isLost ? ["", ", lost"] : [""]) {
      for (const rest of [".imprint", "imprint.lock.json"]) {
        await rm(`${root}/${rest}`, { recursive: true, force: true });
      }
      const { together, publisher, images, cpuSeconds, wrong } = await measure({ root, host });
      const figures = [together, publisher, images].map((megabytes) => `${megabytes.toFixed(0)} MB`.padStart(9));
      const label = `${name} ${routeSet.toUpperCase()}${run}`;
      console.log(label.padEnd(NAME_WIDTH), ...figures, `${cpuSeconds} s`, wrong ?? "");
      isTooMuch ||= together > limit || wrong !== undefined;
    }
    await service.close();
  }
}
if (isTooMuch) process.exitCode = 1;

// Speed of publishing as ratios, against a service with 50 ms latency in a process of its own. Prints the figures next
// to the floor that latency, concurrency and bytes leave.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { Pool } from "undici";
import { mapPool } from "../src/base/pool.ts";
import { encodeMultipart } from "../src/client/transport/multipart.ts";
import { sha256 } from "../src/base/hash.ts";
import { parseOptions, publish } from "../src/publish.ts";
import type { Report } from "../src/publish.ts";

const LATENCY_MS = 50;
const SLOTS = 64;

interface Host {
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

interface HostOptions {
  readonly maxConcurrent?: number;
  readonly perSecond?: number;
}

async function startHost(options: HostOptions = {}): Promise<Host> {
  const child = fork(new URL("./sync-service.ts", import.meta.url), [
    JSON.stringify({ latencyMs: LATENCY_MS, ...options }),
  ]);
  const [told]: readonly unknown[] = await once(child, "message");
  const { baseUrl, pagesUrl, apiKey }: Readonly<Record<string, string>> = Object(told);
  return {
    baseUrl: baseUrl ?? "",
    pagesUrl: pagesUrl ?? "",
    apiKey: apiKey ?? "",
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function createSite({ pages, images }: { readonly pages: number; readonly images: number }): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-bench-"));
  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  };
  for (let number = 0; number < images; number++)
    await put(`dist/_astro/image-${number}.AAAAAAAA.png`, await imageBytes());
  for (let number = 0; number < pages; number++) await put(pageFile(number), pageHtml(number, { pages, images }));
  return root;
}

function pageFile(number: number): string {
  return number === 0 ? "dist/index.html" : `dist/page-${number}/index.html`;
}

// Noise can't be compressed: 142 x 142 pixels of it make a PNG of 60 KB.
function imageBytes(): Promise<Buffer> {
  const raw = { width: 142, height: 142, channels: 3 } as const;
  return sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png()
    .toBuffer();
}

function pageHtml(
  number: number,
  { pages, images }: { readonly pages: number; readonly images: number },
  words = "",
): string {
  const image = images === 0 ? "" : `<img src="/_astro/image-${number % images}.AAAAAAAA.png" alt="">`;
  const text = `<p>Paragraph of page ${number}${words}, with <a href="/page-${(number % (pages - 1)) + 1}/">a link</a> and some words.</p>\n`;
  const body = text.repeat(Math.ceil(11_500 / text.length));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title></head><body><h1>Page ${number}</h1>${image}${body}</body></html>`;
}

interface Size {
  readonly pages: number;
  readonly images: number;
}

interface Measured {
  readonly seconds: number;
  readonly report: Report;
  readonly refused: number;
}

async function measure(root: string, host: Host): Promise<Measured> {
  const started = performance.now();
  const report = await publish({
    projectRoot: root,
    dist: join(root, "dist"),
    options: parseOptions({ images: { optimize: false }, brandKit: false, site: { name: "Bench" } }),
    target: { ...host, routeSet: "auto", identity: "bench" },
  });
  const failed = report.entries.filter(({ kind }) => kind === "failed" || kind === "blocked");
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed[0]?.error?.message ?? failed[0]?.reason}`);
  return { seconds: (performance.now() - started) / 1000, report, refused: await refusalsOf(host) };
}

async function refusalsOf(host: Host): Promise<number> {
  const root = host.baseUrl.replace(/\/a$/, "");
  const answer = await fetch(`${root}/api/_requests`, { headers: { authorization: `Bearer ${host.apiKey}` } });
  const log: unknown = await answer.json();
  const entries: readonly unknown[] = Array.isArray(log) ? log : (Object(log).data ?? []);
  return entries.filter((entry) => [429, 503].includes(Object(entry).status)).length;
}

/**
 * The floor of a first publish: a client that knows everything beforehand and sends each file and page once, with a
 * fixed number of requests on the way, to the same service on the same machine.
 */
async function sendBarely(
  root: string,
  { pages, images, slots, host }: Size & { readonly slots: number; readonly host: Host },
): Promise<number> {
  const started = performance.now();
  const { origin, pathname } = new URL(host.baseUrl);
  const pool = new Pool(origin, { connections: slots });
  const send = async (
    path: string,
    { method, headers, body }: { method: "PUT" | "POST"; headers: Record<string, string>; body: Uint8Array | string },
  ) => {
    const answer = await pool.request({
      method,
      path: pathname + path,
      headers: { ...headers, authorization: `Bearer ${host.apiKey}` },
      body,
    });
    await answer.body.dump();
  };
  await mapPool(Array.from({ length: images }), slots, async (_, number) => {
    const bytes = await readFile(join(root, `dist/_astro/image-${number}.AAAAAAAA.png`));
    sha256(bytes);
    const form = encodeMultipart([
      { kind: "file", name: "file", fileName: `image-${number}.png`, contentType: "image/png", bytes },
    ]);
    await send("/api/library", { method: "POST", headers: { "content-type": form.contentType }, body: form.bytes });
  });
  await mapPool(Array.from({ length: pages }), slots, async (_, number) => {
    const html = await readFile(join(root, pageFile(number)), "utf8");
    sha256(html);
    await send(`/api/pages/page-${number}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ html }),
    });
  });
  await pool.close();
  return (performance.now() - started) / 1000;
}

async function readAndHash(
  root: string,
  { pages, images }: { readonly pages: number; readonly images: number },
): Promise<number> {
  const started = performance.now();
  for (let number = 0; number < pages; number++) sha256(await readFile(join(root, pageFile(number))));
  for (let number = 0; number < images; number++)
    sha256(await readFile(join(root, `dist/_astro/image-${number}.AAAAAAAA.png`)));
  return (performance.now() - started) / 1000;
}

function print(name: string, { seconds, report, refused }: Measured, floor: number): void {
  const { total, writes } = report.requests;
  console.log(
    `${name.padEnd(34)} ${seconds.toFixed(2).padStart(7)} s   floor ${floor.toFixed(2).padStart(6)} s   ${(seconds / floor).toFixed(2).padStart(6)} x   ${String(total).padStart(6)} requests ${String(writes).padStart(6)} writes   ${refused} refused`,
  );
}

async function benchSite(size: { readonly pages: number; readonly images: number }): Promise<void> {
  const { pages, images } = size;
  const root = await createSite(size);
  const host = await startHost();
  try {
    const name = `${pages} pages + ${images} images`;
    const hashing = await readAndHash(root, size);
    const bare = await startHost();
    const floor = await sendBarely(root, { ...size, slots: SLOTS, host: bare });
    await bare.close();
    print(`${name}: first`, await measure(root, host), floor);
    print(`${name}: nothing changed, 1st`, await measure(root, host), hashing + (2 * LATENCY_MS) / 1000);
    const nothing = await measure(root, host);
    print(`${name}: nothing changed`, nothing, hashing + (2 * LATENCY_MS) / 1000);
    for (let number = 1; number <= 10; number++) {
      await writeFile(join(root, pageFile(number)), pageHtml(number, size, " changed"));
    }
    print(`${name}: 10 changed`, await measure(root, host), hashing + (3 * LATENCY_MS) / 1000);
    console.log(
      `${"".padEnd(34)} reading and hashing the dist ${hashing.toFixed(2)} s, peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
    );
  } finally {
    await host.close();
    await rm(root, { recursive: true });
  }
}

async function benchLimited(
  name: string,
  { options, ideal }: { readonly options: HostOptions; readonly ideal: (requests: number) => number },
): Promise<void> {
  const root = await createSite({ pages: 1000, images: 0 });
  const host = await startHost(options);
  try {
    const measured = await measure(root, host);
    print(`1000 pages, ${name}`, measured, ideal(measured.report.requests.total));
  } finally {
    await host.close();
    await rm(root, { recursive: true });
  }
}

const wanted = process.argv[2] ?? "all";
if (wanted === "all" || wanted === "d1k") await benchSite({ pages: 1000, images: 300 });
if (wanted === "all" || wanted === "limits") {
  await benchLimited("16 slots", {
    options: { maxConcurrent: 16 },
    ideal: (requests) => (Math.ceil(requests / 16) * LATENCY_MS) / 1000,
  });
  await benchLimited("100 requests/s", { options: { perSecond: 100 }, ideal: (requests) => requests / 100 });
}
if (wanted === "all" || wanted === "d10k") await benchSite({ pages: 9999, images: 300 });

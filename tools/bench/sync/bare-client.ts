// The baseline: a client that knows in advance what is missing, and how many concurrent requests the service accepts.
// It lists, reads, hashes and sends every file and page once, without planning, rewriting, state or reports.
import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FormData, Pool } from "undici";
import type { BareJob, Published } from "./job.ts";

const job: BareJob = JSON.parse(process.argv[2] ?? "{}");
const { host, root, what, only, slots, perSecond } = job;
const { origin, pathname } = new URL(host.baseUrl);
const pool = new Pool(origin, { connections: slots });
const authorization = `Bearer ${host.apiKey}`;
const startedAt = performance.now();
let requests = 0;

async function send(method: "GET" | "PUT" | "POST", path: string, body?: string | FormData): Promise<void> {
  const waitMs = perSecond === 0 ? 0 : startedAt + (requests * 1000) / perSecond - performance.now();
  requests += 1;
  if (waitMs > 0) await sleep(waitMs);
  const headers = { authorization, ...(typeof body === "string" ? { "content-type": "application/json" } : {}) };
  const answer = await pool.request({ method, path: pathname + path, headers, body });
  await answer.body.dump();
}

async function sendAll(paths: readonly string[], work: (path: string, content: Buffer) => Promise<void>) {
  const waiting = [...paths];
  const worker = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const content = readFileSync(join(root, "dist", path));
      hash("sha256", content);
      await work(path, content);
    }
  };
  await Promise.all(Array.from({ length: slots }, worker));
}

const paths = globSync("**/*.*", { cwd: join(root, "dist") });
const isWanted = (path: string) => what === "send" && (only?.includes(path) ?? true);
for (const path of paths) if (!isWanted(path)) hash("sha256", readFileSync(join(root, "dist", path)));
const wanted = paths.filter(isWanted);
await sendAll(
  wanted.filter((path) => path.endsWith(".png")),
  async (path, content) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(content)], { type: "image/png" }), basename(path));
    await send("POST", "/api/library", form);
  },
);
await sendAll(
  wanted.filter((path) => path.endsWith(".html")),
  async (path, content) => {
    const slug = path.replace(/\/?index\.html$/, "") || "index";
    await send("PUT", `/api/pages/${slug}`, JSON.stringify({ title: slug, html: content.toString() }));
  },
);
await send("GET", "/api/pages?limit=1");
await pool.close();
const { user, system } = process.cpuUsage();
const published: Published = {
  requests,
  writes: what === "send" ? requests : 0,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  sendingMs: performance.now() - startedAt,
  cpuMs: (user + system) / 1000,
};
process.send?.(published, () => process.disconnect());

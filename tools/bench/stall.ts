// Measures latency while the service does heavy work: a page, a page with a form, the API and the dashboard are
// requested in turns, one every ten milliseconds, timed from when they were due, during cleanup, backup, export,
// counting, migration and publishing. `npm run bench:stall -- 0.1` fills a tenth of the full scale: 1 is 10 million
// events and views, 100,000 pages and a million submissions.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { startService } from "../../dist/service.js";
import { EVENT_DAYS, fill } from "./stall/fill.ts";
import { COLUMNS, percentiles, probeWhile, type Measured, type Target } from "./stall/probe.ts";
import { publishRelease } from "./stall/publish.ts";

const scale = Number(process.argv[2] ?? 0.02);
if (!(scale > 0 && scale <= 1)) throw new Error("Name a part of the full scale, as in `npm run bench:stall -- 0.1`.");
const only = process.argv.slice(3);
const part = (whole: number) => Math.max(100, Math.round(whole * scale));
const AMOUNTS = {
  pages: part(100_000),
  submissions: part(1_000_000),
  events: part(5_000_000),
  requests: part(100_000),
};
const QUIET_MS = 10_000;
const WARM_MS = 3000;

const dataDir = mkdtempSync(join(tmpdir(), "imprint-bench-stall-"));
const [path, backup] = [join(dataDir, "service.sqlite"), join(dataDir, "service.backup")];
console.log(`filling ${JSON.stringify(AMOUNTS)}`);
await (await startService({ dataDir, port: 0, pagesPort: 0, background: false })).close();
fill(path, AMOUNTS);
console.log(`  ${Math.round(statSync(path).size / 1_048_576)} MiB`);

const child = fork(new URL("stall/serve.ts", import.meta.url), [dataDir]);
const tell = async (message?: object): Promise<Readonly<Record<string, unknown>>> => {
  if (message !== undefined) child.send(message);
  const [told]: readonly unknown[] = await once(child, "message");
  return Object(told);
};
const { apiUrl, pagesUrl, apiKey, signInUrl } = Object.fromEntries(
  Object.entries(await tell()).map(([name, value]) => [name, String(value)]),
);
if (apiUrl === undefined || pagesUrl === undefined || apiKey === undefined || signInUrl === undefined)
  throw new Error("The service says nothing of itself.");
const app = new URL(apiUrl).origin;
const authorization = `Bearer ${apiKey}`;
const cookie = await signIn(signInUrl);

async function signIn(address: string): Promise<string> {
  const token = new URL(address).searchParams.get("token") ?? "";
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: app };
  const answer = await fetch(`${app}/sign-in`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ token }),
    redirect: "manual",
  });
  const opened = answer.headers.has("set-cookie") ? answer : await fetch(address, { redirect: "manual" });
  return opened.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const slugOf = (number: number) => `page-${(number * 7919) % AMOUNTS.pages}`;
const browser = { accept: "text/html" };
const TARGETS: readonly Target[] = [
  { name: "page", origin: pagesUrl, request: (number) => ({ path: `/p/${slugOf(number)}`, headers: browser }) },
  {
    name: "form",
    origin: pagesUrl,
    request: (number) => ({ path: `/p/page-${(number % 10) * 10}`, headers: browser }),
  },
  {
    name: "API",
    origin: app,
    request: (number) => ({ path: `/a/api/pages/${slugOf(number)}`, headers: { authorization } }),
  },
  { name: "dashboard", origin: app, request: () => ({ path: "/keys", headers: { cookie, ...browser } }) },
];

async function read(address: string): Promise<void> {
  const headers = address.includes("/api/") ? { authorization } : { cookie };
  const answer = await request(address, { headers });
  await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
  if (answer.statusCode >= 300) throw new Error(`${address} responded ${answer.statusCode}`);
}

async function exportAll(): Promise<void> {
  const body = JSON.stringify({ pageSlug: "page-0", format: "csv" });
  const headers = { authorization, "content-type": "application/json" };
  const answer = await request(`${apiUrl?.replace(/a$/, "b")}/api/forms/export`, { method: "POST", headers, body });
  let bytes = 0;
  for await (const chunk of answer.body) bytes += Buffer.byteLength(chunk);
  if (answer.statusCode >= 300) throw new Error(`The export responded ${answer.statusCode}`);
  console.log(`  exported ${Math.round(bytes / 1024)} KiB`);
}

const daysBack = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function analyze(): Promise<void> {
  for (const from of [daysBack(6), daysBack(29), daysBack(389)]) {
    await read(`${apiUrl}/api/analytics/pages?from=${from}`);
    await read(`${apiUrl}/api/analytics/pages?from=${from}&sort=views`);
    await read(`${app}/analytics?from=${from}`);
  }
  await read(`${app}/`);
}

async function backUp(): Promise<void> {
  const command = spawn(process.execPath, ["dist/cli.js", "backup", backup, "--data", dataDir], { stdio: "ignore" });
  const [code] = await once(command, "exit");
  if (code !== 0) throw new Error(`imprint backup ended with ${String(code)}`);
}

async function runJobs(): Promise<void> {
  await tell({ jobs: true });
}

const PHASES: readonly (readonly [name: string, work: () => Promise<void>])[] = [
  ["nothing", () => new Promise((resolve) => setTimeout(resolve, QUIET_MS))],
  ["migration", runJobs],
  ["analytics", analyze],
  ["export", exportAll],
  ["backup", backUp],
  ["release", () => publishRelease(apiUrl, { apiKey, pages: Math.min(10_000, AMOUNTS.pages) })],
  [
    "retention",
    async () => {
      await tell({ moveDays: EVENT_DAYS / 2 });
      await runJobs();
    },
  ],
];

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(24) + cells.map((cell) => cell.padStart(9)).join("");
}

function print(name: string, { times, lateness, failures }: Measured, seconds: number): void {
  const all = Object.values(times).flat();
  const ms = (values: readonly number[]) => percentiles(values).map((value) => value.toFixed(1));
  const title = `${name} (${seconds.toFixed(1)} s)`;
  console.log(row(title, [...ms(all), `${failures}`]));
  for (const [target, values] of Object.entries(times)) console.log(row(`  ${target}`, ms(values)));
  console.log(row("  lateness of the probe", ms(lateness)));
}

try {
  // Warms up caches and the compiler.
  await probeWhile(TARGETS, () => new Promise((resolve) => setTimeout(resolve, WARM_MS)));
  console.log(row("ms from when it was due", [...COLUMNS, "failed"]));
  for (const [name, work] of PHASES) {
    if (only.length > 0 && !only.includes(name)) continue;
    const started = performance.now();
    await tell({});
    print(name, await probeWhile(TARGETS, work), (performance.now() - started) / 1000);
    const { longestMs } = await tell({});
    console.log(row("  longest turn, processor", ["", "", "", Number(longestMs).toFixed(1)]));
  }
  const { rss } = await tell({});
  console.log(`memory of the service: ${Math.round(Number(rss) / 1_048_576)} MiB`);
} finally {
  child.kill("SIGTERM");
  await once(child, "exit");
  rmSync(dataDir, { recursive: true });
}

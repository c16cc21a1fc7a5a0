// Compares the service's cost per request with a minimal server that stores and serves pages, in turns within one run.
// Processor time is also reliable on a busy machine, or if the client is the bottleneck.
// `npm run bench:service`
import { fork } from "node:child_process";
import { once } from "node:events";
import { Pool } from "undici";

const PAGES = 200;
const REQUESTS = 2000;
const AT_ONCE = 16;
const ROUNDS = 5;
const LISTS = 500;
const LISTED = 100;

interface Server {
  readonly apiUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  /** Returns the server's processor time so far, in milliseconds. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

async function start(script: "bare" | "full"): Promise<Server> {
  const child = fork(new URL(`service/${script}.ts`, import.meta.url));
  const tell = async (): Promise<Readonly<Record<string, unknown>>> => {
    const [told]: readonly unknown[] = await once(child, "message");
    return Object(told);
  };
  const { apiUrl, pagesUrl, apiKey } = await tell();
  return {
    ...{ apiUrl: String(apiUrl), pagesUrl: String(pagesUrl), apiKey: String(apiKey) },
    async cpuMs() {
      child.send("cpu");
      return Number((await tell())["cpuMs"]);
    },
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

function pageHtml(number: number, round: number): string {
  const text = `<p>Paragraph of page ${number} in round ${round}, with <a href="/p/page-${number + 1}">a link</a>.</p>\n`;
  const body = text.repeat(Math.ceil(11_500 / text.length));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title></head><body>${body}</body></html>`;
}

interface Rate {
  readonly perSecond: number;
  /** The server's processor time per request, in milliseconds. */
  readonly cpuMs: number;
}

interface Load {
  readonly url: string;
  readonly server: Server;
  readonly requests?: number;
  readonly send: (pool: Pool, number: number) => Promise<number>;
}

async function measure({ url, server, requests = REQUESTS, send }: Load): Promise<Rate> {
  const pool = new Pool(new URL(url).origin, { connections: AT_ONCE });
  let next = 0;
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  const worker = async () => {
    while (next < requests) {
      const status = await send(pool, next++);
      if (status >= 300) throw new Error(`${url} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = ((await server.cpuMs()) - cpuBefore) / requests;
  await pool.close();
  return { perSecond: requests / seconds, cpuMs };
}

/** Returns the prefix of the route set's paths. */
function prefixOf({ apiUrl }: Server): string {
  const { pathname } = new URL(apiUrl);
  return pathname === "/" ? "" : pathname;
}

function put(server: Server, round: number): Promise<Rate> {
  const { apiUrl: url, apiKey } = server;
  const prefix = prefixOf(server);
  const send = async (pool: Pool, number: number) => {
    const answer = await pool.request({
      method: "PUT",
      path: `${prefix}/api/pages/page-${number % PAGES}`,
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ title: `Page ${number}`, html: pageHtml(number, round) }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  return measure({ url, server, send });
}

function get(server: Server): Promise<Rate> {
  const send = async (pool: Pool, number: number) => {
    const answer = await pool.request({
      method: "GET",
      path: `/p/page-${number % PAGES}`,
      headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  return measure({ url: server.pagesUrl, server, send });
}

function list(server: Server): Promise<Rate> {
  const { apiUrl: url, apiKey } = server;
  const path = `${prefixOf(server)}/api/pages?limit=${LISTED}`;
  const send = async (pool: Pool) => {
    const answer = await pool.request({ method: "GET", path, headers: { authorization: `Bearer ${apiKey}` } });
    const { data }: { readonly data?: readonly unknown[] } = Object(await answer.body.json());
    if (data?.length !== LISTED) throw new Error(`${url} listed ${data?.length ?? 0} pages`);
    return answer.statusCode;
  };
  return measure({ url, server, requests: LISTS, send });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function print(name: string, bare: readonly Rate[], full: readonly Rate[]): void {
  const [bareRate, fullRate] = [bare, full].map((rates) => median(rates.map(({ perSecond }) => perSecond)));
  const [bareCpu, fullCpu] = [bare, full].map((rates) => median(rates.map(({ cpuMs }) => cpuMs)));
  const row = (unit: string, [one = 0, other = 0]: readonly (number | undefined)[], ratio: number) =>
    [one, other].map((value) => `${value.toFixed(unit === "/s" ? 0 : 3)} ${unit}`.padStart(12)).join("") +
    ratio.toFixed(2).padStart(8);
  console.log(`${name}, requests`.padEnd(24) + row("/s", [bareRate, fullRate], (fullRate ?? 0) / (bareRate ?? 1)));
  console.log(`${name}, processor`.padEnd(24) + row("ms", [bareCpu, fullCpu], (bareCpu ?? 0) / (fullCpu ?? 1)));
}

const [bare, full] = [await start("bare"), await start("full")];
const KINDS = ["put", "get", "list"] as const;
const rounds: Readonly<Record<(typeof KINDS)[number], readonly [Rate, Rate]>>[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const written = [await put(bare, round), await put(full, round)] as const;
  const read = [await get(bare), await get(full)] as const;
  const listed = [await list(bare), await list(full)] as const;
  // The first round is a warm-up.
  if (round > 0) rounds.push({ put: written, get: read, list: listed });
}
console.log(`${"12 KB, 16 at a time".padEnd(24)}${"bare".padStart(12)}${"service".padStart(12)}${"ratio".padStart(8)}`);
for (const name of KINDS) {
  const [ofBare, ofFull] = [rounds.map((round) => round[name][0]), rounds.map((round) => round[name][1])];
  print(name.toUpperCase(), ofBare, ofFull);
}
await Promise.all([bare.close(), full.close()]);

// Compares PostgreSQL with SQLite: pages of 12 KB, 16 concurrent requests, in turns, both on this machine.
// `npm run bench:postgres`
import { fork } from "node:child_process";
import { once } from "node:events";
import { Pool } from "undici";
import { findPostgres, startPostgres } from "../../test/postgres/start-postgres.ts";

const REQUESTS = 600;
const PAGES = 200;
const AT_ONCE = 16;
const ROUNDS = 3;

interface Server {
  readonly apiUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

async function start(script: string, ...argv: readonly string[]): Promise<Server> {
  const child = fork(new URL(`service/${script}.ts`, import.meta.url), argv);
  const [told]: readonly unknown[] = await once(child, "message");
  const { apiUrl, pagesUrl, apiKey } = Object(told);
  return {
    ...{ apiUrl: String(apiUrl), pagesUrl: String(pagesUrl), apiKey: String(apiKey) },
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Requests per second. */
async function measure(url: string, send: (pool: Pool, number: number) => Promise<number>): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: AT_ONCE });
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (next < REQUESTS) {
      const status = await send(pool, next++);
      if (status >= 300) throw new Error(`${url} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return REQUESTS / seconds;
}

function put({ apiUrl, apiKey }: Server, round: number): Promise<number> {
  return measure(apiUrl, async (pool, number) => {
    const { statusCode, body } = await pool.request({
      method: "PUT",
      path: `/a/api/pages/page-${number % PAGES}`,
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ html: `<!doctype html><title>Page</title>${`<p>${round} ${number}</p>\n`.repeat(800)}` }),
    });
    await body.dump();
    return statusCode;
  });
}

function get({ pagesUrl }: Server): Promise<number> {
  return measure(pagesUrl, async (pool, number) => {
    const { statusCode, body } = await pool.request({ method: "GET", path: `/p/page-${number % PAGES}` });
    await body.dump();
    return statusCode;
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const binaries = await findPostgres();
if (binaries === undefined) throw new Error("There is no PostgreSQL here. On Debian: apt-get install postgresql");
const postgres = await startPostgres(binaries, { fsync: true });
const [onSqlite, onPostgres] = [await start("full"), await start("on-postgres", postgres.url)];
const rates = {
  put: { sqlite: [] as number[], postgres: [] as number[] },
  get: { sqlite: [] as number[], postgres: [] as number[] },
};
for (let round = 0; round <= ROUNDS; round++) {
  const written = [await put(onSqlite, round), await put(onPostgres, round)] as const;
  const read = [await get(onSqlite), await get(onPostgres)] as const;
  // The first round is a warm-up.
  if (round === 0) continue;
  rates.put.sqlite.push(written[0]);
  rates.put.postgres.push(written[1]);
  rates.get.sqlite.push(read[0]);
  rates.get.postgres.push(read[1]);
}
console.log(
  `PostgreSQL ${postgres.version}, 12 KB, ${AT_ONCE} at a time${"SQLite".padStart(14)}${"PostgreSQL".padStart(14)}${"ratio".padStart(8)}`,
);
for (const [name, { sqlite, postgres: other }] of Object.entries(rates)) {
  const [one, two] = [median(sqlite), median(other)];
  const numbers =
    `${one.toFixed(0)} /s`.padStart(14) + `${two.toFixed(0)} /s`.padStart(14) + (two / one).toFixed(2).padStart(8);
  console.log(name.toUpperCase().padEnd(46) + numbers);
}
await Promise.all([onSqlite.close(), onPostgres.close()]);
await postgres.remove();

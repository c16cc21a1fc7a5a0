import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Kysely, sql } from "kysely";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createPostgresDialect } from "../../src/service/store/postgres/postgres-dialect.ts";
import { StoreLostError } from "../../src/service/store/store-lost-error.ts";
import { serverUrl } from "./servers.ts";

/** A proxy whose connections can be made to drop all data, as when a machine disappears. */
async function openWay() {
  const { hostname, port } = new URL(serverUrl());
  let silent = new Set<object>();
  const known = new Set<object>();
  const proxy = createServer((near) => {
    known.add(near);
    const far = connect(Number(port), hostname);
    near.on("data", (chunk) => silent.has(near) || far.write(chunk));
    far.on("data", (chunk) => silent.has(near) || near.write(chunk));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.once("close", () => other.destroy());
    }
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  const url = new URL(serverUrl());
  url.port = String(typeof address === "object" ? address?.port : "");
  return { url: url.href, silence: () => (silent = new Set(known)) };
}

it("a dead connection is closed after its first query times out", async () => {
  const way = await openWay();
  const pool = new Pool({ connectionString: way.url, max: 1, query_timeout: 500 });
  const database = new Kysely<object>({ dialect: createPostgresDialect(pool) });
  onTestFinished(() => database.destroy());
  const ask = () => sql`select ${1} as one`.execute(database);
  await ask();
  way.silence();
  await expect(ask()).rejects.toThrow(StoreLostError);
  expect((await ask()).rows).toHaveLength(1);
});

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { VISIT_TRAITS } from "../../../src/contract/visit-traits.ts";
import { migrate } from "../../../src/service/store/migrate.ts";
import { openStore, type Store } from "../../../src/service/store/open-store.ts";
import { sumEarlierVisits } from "../../../src/service/store/sum-visits.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { slicesOf } from "./slices-of.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const BEFORE_SUMS = 26;

interface Visited {
  readonly scope: string;
  readonly days: number;
  /** Rows per day, each from another source. */
  readonly kinds: number;
}

/** Creates the database of a version without totals, with an account, a site, and these rows of visits. */
async function makeDatabase(visited: readonly Visited[]): Promise<string> {
  const dataDir = await temporaryFolder();
  const database = new DatabaseSync(join(dataDir, "service.sqlite"));
  migrate(database, NOW, BEFORE_SUMS);
  database.exec(`insert into account (id, name, created_at) values ('acc_1', 'One', 0);
    insert into site (id, account_id, name, slug, version, created_at, updated_at)
      values ('st_1', 'acc_1', 'One', 'one', 1, 0, 0);`);
  const insert = database.prepare(`with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
    insert into visit_day select ?, 86400000 * (i / ?), 'host-' || (i % ?), '', case i % 3 when 0 then 'spring' else '' end, '', '',
    case i % 2 when 0 then 'Firefox' else 'Chrome' end, 'Linux', 'desktop', 3 + i % 5, 2, 1, i % 2, 1 from n`);
  database.exec("begin");
  for (const { scope, days, kinds } of visited) insert.run(BigInt(days * kinds), scope, BigInt(kinds), BigInt(kinds));
  database.exec("commit");
  database.close();
  return dataDir;
}

async function open(dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir, now: NOW });
  onTestFinished(() => store.close());
  return store;
}

/** Totals computed from all rows, and as they are stored. */
async function compare({ database }: Store) {
  const read = async (query: string) => (await sql.raw(query).execute(database)).rows;
  const byTrait = VISIT_TRAITS.map(
    (trait) => `select scope, day, '${trait}' as trait, ${trait} as value, sum(visits) as visits from visit_day
      where ${trait} <> '' and scope in ('acc_1', 'st_1') group by scope, day, ${trait}`,
  );
  return {
    counted: [
      await read(`select scope, day, sum(views) as views, sum(visits) as visits, sum(entries) as entries,
        sum(exits) as exits, sum(bounces) as bounces from visit_day group by scope, day order by scope, day`),
      await read(`select * from (${byTrait.join(" union all ")}) order by scope, day, trait, value`),
    ],
    summed: [
      await read("select * from visit_total order by scope, day"),
      await read("select * from visit_trait order by scope, day, trait, value"),
    ],
    left: await read("select * from unsummed_visit"),
  };
}

/** Computes all totals with the given number of rows per slice; returns how many rows the slices added to the totals by trait. */
async function sumUp({ database }: Store, rows: number): Promise<readonly number[]> {
  const slices = slicesOf(database);
  const sizes: number[] = [];
  const count = async () => {
    const counted = await sql<{
      readonly rows: number;
    }>`select count(*) as rows from visit_trait`.execute(database);
    return counted.rows[0]?.rows ?? 0;
  };
  await sumEarlierVisits({
    ...slices,
    async run(slice) {
      for (let isLeft = true; isLeft;) {
        const before = await count();
        await slices.run(async (transaction) => {
          isLeft = await slice(transaction, rows);
          return false;
        });
        sizes.push((await count()) - before);
      }
    },
  });
  return sizes;
}

describe("visits from before totals were stored", () => {
  it("are totaled as many days at a time as fit into a slice", async () => {
    const pages = Array.from({ length: 30 }, (_, number) => ({
      scope: `pg_${number}`,
      days: 100,
      kinds: 1,
    }));
    const store = await open(await makeDatabase(pages));
    expect((await sumUp(store, 1000)).length).toBeLessThan(6);
    const { summed, counted, left } = await compare(store);
    expect(summed).toEqual(counted);
    expect(left).toEqual([]);
  });

  it("are totaled one trait at a time if a day has more kinds than fit into a slice", async () => {
    const store = await open(await makeDatabase([{ scope: "acc_1", days: 2, kinds: 500 }]));
    const sizes = await sumUp(store, 100);
    // Each day's 500 sources are processed alone.
    expect(sizes.filter((size) => size > 0).toSorted((one, other) => one - other)).toEqual([
      ...[1, 1, 1, 1, 1, 1, 2, 2],
      ...[500, 500],
    ]);
    const { summed, counted, left } = await compare(store);
    expect(summed).toEqual(counted);
    expect(left).toEqual([]);
  });

  it("are totaled exactly once, whenever the process is killed", async () => {
    const dataDir = await makeDatabase([
      { scope: "acc_1", days: 3, kinds: 40 },
      { scope: "st_1", days: 20, kinds: 4 },
      { scope: "pg_1", days: 100, kinds: 2 },
    ]);
    // Twice before the commit of a slice, once at its start.
    for (const moment of [10, 23, 60]) {
      const child = fork(new URL("./sum-visits-child.ts", import.meta.url), [dataDir], {
        execArgv: [],
      });
      let moments = 0;
      child.on("message", () => (++moments === moment ? child.kill("SIGKILL") : child.send("go on")));
      await once(child, "exit");
      expect(child.signalCode).toBe("SIGKILL");
    }
    const store = await open(dataDir);
    expect((await compare(store)).left.length).toBeGreaterThan(0);
    await sumUp(store, 10);
    const { summed, counted, left } = await compare(store);
    expect(summed).toEqual(counted);
    expect(left).toEqual([]);
  });
});

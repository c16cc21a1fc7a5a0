import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import { openStore, type Store } from "../../../src/service/store/open-store.ts";
import { createSlices, deleteInSlices, walkValues } from "../../../src/service/store/slices.ts";
import { closeVisitors, forgetStats } from "../../../src/service/store/forget-stats.ts";
import { forgetHistory } from "../../../src/service/store/webhooks.ts";
import { forgetSubmissions } from "../../../src/service/store/submissions.ts";
import { slicesOf } from "./slices-of.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const HOUR = 3_600_000;

async function open(): Promise<Store["database"]> {
  const store = await openStore({
    dataDir: undefined,
    databaseUrl: process.env["IMPRINT_TEST_DATABASE_URL"],
    now: NOW,
  });
  onTestFinished(() => store.close());
  await ensureAccount(store.database, { id: "acc_1", name: "Test" }, NOW);
  return store.database;
}

/** The requested number of rows, numbered `i` from 0. */
const numbered = (rows: number) =>
  sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(rows - 1)})`;

async function count(database: Store["database"], table: "event" | "submission" | "visitorSeen"): Promise<number> {
  const { rows } = await sql<{ readonly rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
    database,
  );
  return rows[0]?.rows ?? 0;
}

async function insertEvents(database: Store["database"], rows: number): Promise<void> {
  await sql`${numbered(rows)} insert into event (id, account_id, type, subject, data, created_at)
    select 'evt_' || i, 'acc_1', 'page.updated', 'pg_' || (i % 7), '{}', i / 3 from n`.execute(database);
}

describe("sliced work", () => {
  it("allows writes in between, and processes as many rows as fit into a few milliseconds", async () => {
    const database = await open();
    await insertEvents(database, 20_000);
    const sizes: number[] = [];
    let written = 0;
    const writing = setInterval(() => {
      written += 1;
      void sql`update account set name = ${String(written)}`.execute(database);
    }, 1);
    await slicesOf(database).run(async (transaction, rows) => {
      sizes.push(rows);
      const { numAffectedRows = 0n } = await sql`delete from event where id in (
        select id from event limit ${rows})`.execute(transaction);
      return numAffectedRows > 0n;
    });
    clearInterval(writing);
    expect(await count(database, "event")).toBe(0);
    expect(sizes[0]).toBe(10);
    expect(Math.max(...sizes)).toBeGreaterThan(10);
    expect(sizes.length).toBeGreaterThan(4);
    expect(written).toBeGreaterThan(1);
  });

  it("waits while the log is long, and stops when the service closes", async () => {
    const database = await open();
    await insertEvents(database, 1000);
    const closing = new AbortController();
    let looks = 0;
    const isLogLong = () => {
      looks += 1;
      if (looks === 3) closing.abort(new Error("The service closes."));
      return true;
    };
    const slices = createSlices({ database, closing: closing.signal, isLogLong });
    await expect(deleteInSlices(slices, "event", { key: ["id"], where: sql`true` })).rejects.toThrow();
    expect(await count(database, "event")).toBe(1000);
  });

  it("visits every value of a column once", async () => {
    const database = await open();
    await insertEvents(database, 1000);
    const counts: number[] = [];
    await walkValues(slicesOf(database), { name: "event", column: "subject" }, async (transaction, within) => {
      const found = sql<{ readonly rows: number }>`select count(*) as rows from event where ${within}`;
      counts.push((await found.execute(transaction)).rows[0]?.rows ?? 0);
      return false;
    });
    expect(counts.reduce((sum, rows) => sum + rows, 0)).toBe(1000);
  });
});

describe("sliced retention", () => {
  it("counts each visitor of earlier days once, whatever the slices", async () => {
    const database = await open();
    const seen = Array.from({ length: 3000 }, (_, i) => ({
      scope: `pg_${i % 3}`,
      day: Math.floor(i / 1000) * 24 * HOUR,
      visitor: Buffer.from(String(i).padStart(8, "0")),
      hour: HOUR * (i % 5),
    }));
    await database.insertInto("visitorSeen").values(seen).execute();
    await slicesOf(database).run((transaction, rows) => closeVisitors(transaction, 2 * 24 * HOUR, Math.min(rows, 77)));
    const counted =
      await sql`select scope, sum(visitors) as visitors from visitor_count group by scope order by scope`.execute(
        database,
      );
    expect(counted.rows).toEqual([
      { scope: "pg_0", visitors: 667 },
      { scope: "pg_1", visitors: 667 },
      { scope: "pg_2", visitors: 666 },
    ]);
    expect(await count(database, "visitorSeen")).toBe(1000);
  });

  it("deletes the numbers before a given time on every page, and no others", async () => {
    const database = await open();
    await sql`${numbered(300)} insert into page
      (id, account_id, slug, title, status, content_hash, bytes, version, created_at, updated_at)
      select 'pg_' || i, 'acc_1', 'page-' || i, 'Page', 'published', 'h', 1, 1, 0, 0 from n`.execute(database);
    await sql`${numbered(20)} insert into view_hour select id, 1, i * ${HOUR}, 'desktop', 1, 0, 0, 0, 0 from page, n`.execute(
      database,
    );
    await forgetStats(slicesOf(database), 15 * HOUR);
    const { rows } = await sql`select min(hour) as first, count(*) as rows from view_hour`.execute(database);
    expect(rows).toEqual([{ first: 15 * HOUR, rows: 300 * 5 }]);
  });

  it("keeps old events with pending deliveries", async () => {
    const database = await open();
    await insertEvents(database, 900);
    await sql`insert into webhook (id, account_id, url, events, secret, created_at, updated_at)
      values ('wh_1', 'acc_1', 'https://example.com', '[]', 's', 0, 0)`.execute(database);
    await sql`insert into delivery (id, webhook_id, event_id, type, payload, status, attempts, next_attempt_at, created_at)
      select 'msg_' || id, 'wh_1', id, type, '{}', 'pending', 0, 0, 0 from event where subject = 'pg_3'`.execute(
      database,
    );
    await forgetHistory(slicesOf(database), new Date(200));
    // 600 of 900 are older, and every seventh of those has pending deliveries.
    expect(await count(database, "event")).toBe(300 + 86);
  });

  it("deletes old submissions of every form, with their events", async () => {
    const database = await open();
    await sql`${numbered(5)} insert into form
      (id, account_id, page_id, page_slug, action_slug, name, position, fields, open, created_at)
      select 'fm_' || i, 'acc_1', 'pg_1', 'page', 'page', 'form-' || i, 0, '[]', 1, 0 from n`.execute(database);
    await sql`${numbered(1000)} insert into submission
      (id, account_id, form_id, page_id, page_slug, fields, lead, spam, created_at)
      select 'sb_' || i, 'acc_1', 'fm_' || (i % 5), 'pg_1', 'page', '[]', 0, 0, i from n`.execute(database);
    await sql`insert into event (id, account_id, type, subject, data, created_at)
      select 'evt_' || id, account_id, 'form.submitted', id, '{}', created_at from submission`.execute(database);
    await forgetSubmissions(slicesOf(database), new Date(900));
    expect([await count(database, "submission"), await count(database, "event")]).toEqual([100, 100]);
  });
});

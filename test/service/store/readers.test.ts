import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, SqliteDialect } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { asProblem } from "../../../src/service/store/as-problem.ts";
import { startCheckpoints } from "../../../src/service/store/checkpoints.ts";
import { NO_DAMAGE } from "../../../src/service/store/damage.ts";
import { createDatabase } from "../../../src/service/store/database.ts";
import { createReaders } from "../../../src/service/store/readers.ts";
import { createSlices } from "../../../src/service/store/slices.ts";
import { adaptSqlite, openSqlite, sqliteCodeOf } from "../../../src/service/store/sqlite.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function openFile() {
  const path = join(await temporaryFolder(), "service.sqlite");
  const writer = openSqlite(path, { file: "create" });
  onTestFinished(() => writer.close());
  writer.exec("create table page (id text primary key, slug text, created_at integer, html blob) strict");
  return { path, writer };
}

function read(path: string, deadlineMs?: number) {
  const readers = createReaders({ path, damage: NO_DAMAGE, ...(deadlineMs !== undefined && { deadlineMs }) });
  onTestFinished(() => readers.close());
  return readers;
}

// A trillion rows, which takes hours.
const ENDLESS = sql`select count(*) from page as one, page as two, page as three, page as four`;

// On a busy machine, threads start late.
const PATIENT = { timeout: 30_000 };

describe("reader threads", () => {
  it("see what was committed before the query, as records", async () => {
    const { path, writer } = await openFile();
    const { database } = read(path);
    const find = () => database.selectFrom("page").select(["slug", "createdAt"]).where("id", "=", "pg_1").execute();
    expect(await find()).toEqual([]);
    writer.exec("insert into page values ('pg_1', 'über', 1700000000000, null)");
    expect(await find()).toEqual([{ slug: "über", createdAt: new Date(1_700_000_000_000) }]);
  });

  it("don't block the calling thread", async () => {
    const { path } = await openFile();
    const { database } = read(path, 60_000);
    const reading = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000)
      select count(*) as rows from n`.execute(database);
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const { rows } = await reading;
    clearInterval(turning);
    expect(rows).toEqual([{ rows: 3_000_000 }]);
    expect(turns).toBeGreaterThan(3);
  });

  it("return 503 with Retry-After for a query over the time limit, and continue with others", async () => {
    const { path, writer } = await openFile();
    const insert = writer.prepare("insert into page values (?, null, 0, null)");
    for (let number = 0; number < 1000; number++) insert.run(String(number));
    const { database } = read(path, 2000);
    // One query per thread, and one that waits.
    const refused = await Promise.all([1, 2, 3].map(() => ENDLESS.execute(database).catch(asProblem)));
    const expected = { code: "unavailable", details: { headers: { "Retry-After": "1" } } };
    expect(refused).toMatchObject([expected, expected, expected]);
    expect((await sql`select count(*) as pages from page`.execute(database)).rows).toEqual([{ pages: 1000 }]);
  });

  it("reject queries beyond a hundred waiting ones", async () => {
    const { path } = await openFile();
    const { database } = read(path);
    const asked = Array.from({ length: 110 }, () => sql`select 1 as one`.execute(database).catch(asProblem));
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => "rows" in answer)).toHaveLength(102);
    expect(answers.filter((answer) => "code" in answer && answer.code === "unavailable")).toHaveLength(8);
  });

  it("can't write or return bytes, and report SQLite's error", async () => {
    const { path } = await openFile();
    const { database } = read(path);
    await expect(database.deleteFrom("page").execute()).rejects.toThrow("it is a view");
    const error = await sql`delete from main.page`.execute(database).catch((thrown: unknown) => thrown);
    expect(sqliteCodeOf(error)).toBe(8);
    await expect(sql`select html from page`.execute(database)).rejects.toThrow("blobs");
    await expect(sql`select other from page`.execute(database)).rejects.toThrow("no such column");
  });
});

describe("the checkpoint thread", () => {
  const options = { logger: { debug() {}, info() {}, warn: vi.fn<() => void>(), error() {} }, startAfterMs: 1 };
  const autocheckpoint = (database: ReturnType<typeof openSqlite>) =>
    database.prepare("pragma wal_autocheckpoint").get()?.["wal_autocheckpoint"];

  it("takes over checkpoints from the writer and keeps the log short", async () => {
    const { path, writer } = await openFile();
    const checkpoints = startCheckpoints(writer, { path, ...options });
    await vi.waitFor(() => expect(autocheckpoint(writer)).toBe(0), PATIENT);
    const before = (await stat(path)).size;
    const insert = writer.prepare("insert into page values (?, null, 0, zeroblob(100000))");
    for (let number = 0; number < 100; number++) insert.run(String(number));
    await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(before + 10_000_000), PATIENT);
    expect(checkpoints.isLogLong()).toBe(false);
    await checkpoints.close();
  });

  it("reports a long log while a reader blocks checkpoints", async () => {
    const { path, writer } = await openFile();
    const checkpoints = startCheckpoints(writer, { path, ...options });
    const reader = openSqlite(path);
    reader.exec("begin; select count(*) from page");
    const insert = writer.prepare("insert into page values (?, null, 0, zeroblob(1000000))");
    for (let number = 0; number < 30; number++) insert.run(String(number));
    await vi.waitFor(() => expect(checkpoints.isLogLong()).toBe(true), PATIENT);
    reader.exec("commit");
    await vi.waitFor(() => expect(checkpoints.isLogLong()).toBe(false), PATIENT);
    reader.close();
    await checkpoints.close();
  });

  it("lets the log start again between slices that write much", async () => {
    const { path, writer } = await openFile();
    const checkpoints = startCheckpoints(writer, { path, ...options });
    await vi.waitFor(() => expect(autocheckpoint(writer)).toBe(0), PATIENT);
    const database = createDatabase(new SqliteDialect({ database: adaptSqlite(writer) }));
    const { isLogLong } = checkpoints;
    const closing = new AbortController().signal;
    let [written, longest] = [0, 0];
    await createSlices({ database, closing, isLogLong }).run(async (transaction) => {
      await sql`insert into page values (${String(written)}, null, 0, zeroblob(2000000))`.execute(transaction);
      longest = Math.max(longest, (await stat(`${path}-wal`)).size);
      written += 1;
      return written < 200;
    });
    expect(longest).toBeLessThan(100_000_000);
    await checkpoints.close();
  });

  it("leaves checkpoints to the writer while it is down, and is restarted", async () => {
    const { writer } = await openFile();
    const broken = join(await temporaryFolder(), "broken.sqlite");
    await writeFile(broken, "This is no database, and longer than a header of one. ".repeat(20));
    const checkpoints = startCheckpoints(writer, { path: broken, ...options });
    // It is restarted at once: more may have failed between two looks.
    await vi.waitFor(() => expect(options.logger.warn.mock.calls.length).toBeGreaterThanOrEqual(2), PATIENT);
    expect(autocheckpoint(writer)).toBe(4000);
    await writeFile(broken, "");
    await vi.waitFor(() => expect(autocheckpoint(writer)).toBe(0), PATIENT);
    await checkpoints.close();
  });
});

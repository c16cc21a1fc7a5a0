import { randomInt } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { findFreeSqlite, isPostgres } from "./database.ts";
import { isLostRace, sqlStateOf } from "./postgres/sql-state.ts";
import type { Database } from "./tables.ts";

// A rule reads, decides and writes; what it read must not change in between. SQLite runs one write at a time, and every
// rule relies on that. PostgreSQL runs them concurrently, so locks provide the same guarantee there.

/**
 * Which other writes may run concurrently, in all processes.
 *
 * - `alone`: none. Safe for every rule.
 * - `shared`: other shared writes. For rules that lock by name (`holdName`) what their decision depends on.
 * - `lasting`: like `shared`, and survives a power failure once confirmed. For data that nobody can send again.
 */
export type WriteScope = "alone" | "shared" | "lasting";

const ALL_WRITES = "writes";
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 50;

/**
 * Runs work in a transaction. On PostgreSQL, work that loses a race (a deadlock, a unique key conflict) is rolled back
 * and repeated, so it must have no side effects outside the database.
 */
export async function writeTransaction<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
  scope: WriteScope = "alone",
): Promise<Result> {
  if (!isPostgres(database)) return await writeTogether(database, work, scope);
  const lock = scope === "alone" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction().execute(async (transaction) => {
        await sql`select ${lock}(${lockKey(ALL_WRITES)})`.execute(transaction);
        if (scope === "lasting") await sql`set local synchronous_commit = on`.execute(transaction);
        return await work(transaction);
      });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLostRace(sqlStateOf(error))) throw error;
      // Without a random pause, the two would collide again.
      await delay(randomInt(MAX_PAUSE_MS));
    }
  }
}

/**
 * Locks a name until the end of the transaction, waiting for any other one that holds it. Later reads see what that one
 * wrote. Lock names in a fixed order, from the larger thing to the smaller.
 */
export async function holdName(transaction: Database, name: string): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${lockKey(name)})`.execute(transaction);
}

// Services with separate schemas may share a database.
function lockKey(name: string) {
  return sql`hashtextextended(current_schema() || ' ' || ${name}, 0)`;
}

type Write = <Result>(change: (transaction: Database) => Promise<Result>, scope: WriteScope) => Promise<Result>;

interface Job {
  readonly isLasting: boolean;
  /** Returns a function that reports the result, to be called after the commit. */
  run(transaction: Database): Promise<() => void>;
  fail(error: unknown): void;
}

const MAX_TOGETHER = 64;
// Later changes wait for the next transaction, so that requests are served in between.
const MAX_TOGETHER_MS = 5;

const groups = new WeakMap<Database, Write>();

/**
 * Runs a change on SQLite in one transaction with others that arrive at the same time, in order of arrival: a commit
 * takes SQLite longer than changing a page. A change that throws is rolled back on its own.
 */
export async function writeTogether<Result>(
  database: Database,
  change: (transaction: Database) => Promise<Result>,
  scope: WriteScope = "alone",
): Promise<Result> {
  const write = groups.get(database) ?? createGroup(database);
  groups.set(database, write);
  return await write(change, scope);
}

/** Creates the function behind `writeTogether`; `now` measures a transaction's changes in milliseconds. */
export function createGroup(database: Database, now = () => performance.now()): Write {
  const waiting: Job[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      // By then, all requests received so far have been read.
      await nextTurn();
      const jobs = waiting.slice(0, MAX_TOGETHER);
      waiting.splice(0, await commitTogether(database, jobs, now));
    }
    isRunning = false;
  }

  return async (change, scope) =>
    await new Promise((resolve, reject) => {
      waiting.push({
        isLasting: scope === "lasting",
        async run(transaction) {
          const result = await change(transaction);
          return () => resolve(result);
        },
        fail: reject,
      });
      if (isRunning) return;
      isRunning = true;
      void runAll();
    });
}

async function commitTogether(database: Database, jobs: readonly Job[], now: () => number): Promise<number> {
  let begun = 0;
  const commit = async (connection: Database) =>
    await connection.transaction().execute(async (transaction) => {
      const [only] = jobs;
      const started = now();
      if (jobs.length === 1 && only !== undefined) {
        begun = 1;
        return [await only.run(transaction)];
      }
      const reports: (() => void)[] = [];
      while (begun < jobs.length && now() - started < MAX_TOGETHER_MS) {
        const job = jobs[begun++];
        if (job !== undefined) reports.push(await runApart(transaction, job));
      }
      return reports;
    });
  try {
    const isLasting = jobs.some((job) => job.isLasting);
    const reports = isLasting ? await withFullDurability(database, commit) : await commit(database);
    for (const report of reports) report();
    return begun;
  } catch (error) {
    // If none was started, the database accepts no writes at all.
    const failed = begun === 0 ? jobs.length : begun;
    for (const job of jobs.slice(0, failed)) job.fail(error);
    return failed;
  }
}

/** Runs work on a connection whose commits wait for the disk. SQLite can't change this setting within a transaction. */
async function withFullDurability<Result>(database: Database, work: (connection: Database) => Promise<Result>) {
  return await database.connection().execute(async (connection) => {
    const { rows } = await sql<{ readonly synchronous: number }>`pragma synchronous`.execute(connection);
    await sql`pragma synchronous = full`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`pragma synchronous = ${sql.lit(rows[0]?.synchronous ?? 2)}`.execute(connection);
    }
  });
}

async function runApart(transaction: Database, job: Job): Promise<() => void> {
  const connection = findFreeSqlite(transaction);
  if (connection === undefined) throw new TypeError("Only SQLite supports grouped changes.");
  const execute = (statement: string) => void connection.prepare(statement).run([]);
  execute("savepoint change");
  let report: () => void;
  try {
    report = await job.run(transaction);
  } catch (error) {
    // A full disk rolls back the whole transaction, so the savepoint is gone: all jobs have failed.
    try {
      execute("rollback to change");
    } catch {
      throw error;
    }
    report = () => job.fail(error);
  }
  execute("release change");
  return report;
}

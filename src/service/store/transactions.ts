import { randomInt } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { findFreeSqlite, isPostgres } from "./database.ts";
import { isLostRace, sqlStateOf } from "./postgres/sql-state.ts";
import type { Database } from "./tables.ts";

// A rule reads, decides, and writes; between the two nothing may change what it has read. SQLite lets one write run at a
// time, and every rule is written for that. PostgreSQL runs them side by side, so this gives the same by its locks.

/**
 * What runs beside a write, in all processes.
 *
 * - `alone`: no other write. Right for every rule.
 * - `shared`: other shared writes. For rules that hold by names (`holdName`) what they decide about.
 * - `lasting`: as `shared`, and once it is reported no power cut takes it back. For what nobody can send again.
 */
export type WriteScope = "alone" | "shared" | "lasting";

const ALL_WRITES = "writes";
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 50;

/**
 * Runs work in a transaction. On PostgreSQL, work that loses a race (a deadlock, a unique key that another one took) is
 * undone and done again, so it must change nothing outside of the database.
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
      // Two that met once would otherwise meet again.
      await delay(randomInt(MAX_PAUSE_MS));
    }
  }
}

/**
 * Waits until no other transaction holds this name, and holds it until the end of this one. What is read afterwards is
 * what the one before has left. Hold names in one order, from the larger thing to the smaller.
 */
export async function holdName(transaction: Database, name: string): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${lockKey(name)})`.execute(transaction);
}

// Services with a schema each may share a database.
function lockKey(name: string) {
  return sql`hashtextextended(current_schema() || ' ' || ${name}, 0)`;
}

/** Runs a change in a transaction and gives its result once that is committed. */
type Write = <Result>(change: (transaction: Database) => Promise<Result>, scope: WriteScope) => Promise<Result>;

interface Job {
  readonly isLasting: boolean;
  /** Gives the function that reports the result, to be called when everything is committed. */
  run(transaction: Database): Promise<() => void>;
  fail(error: unknown): void;
}

const MAX_TOGETHER = 64;
// What has come by then waits for the next transaction, so that requests are served in between.
const MAX_TOGETHER_MS = 5;

const groups = new WeakMap<Database, Write>();

/**
 * Runs a change on SQLite in one transaction with those that come at the same moment, in the order in which they come: a
 * commit takes SQLite longer than changing a page. A change that throws is undone by itself.
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

/** Makes what `writeTogether` does; `now` says in milliseconds how long the changes of a transaction take. */
export function createGroup(database: Database, now = () => performance.now()): Write {
  const waiting: Job[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      // By then every request is read that has come so far.
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

/** Answers how many of the jobs are over. */
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
    // Where none was begun, the database takes nothing at all.
    const failed = begun === 0 ? jobs.length : begun;
    for (const job of jobs.slice(0, failed)) job.fail(error);
    return failed;
  }
}

/** Runs work on a connection that waits for the disk with every commit; in a transaction SQLite refuses the change. */
async function withFullDurability<Result>(
  database: Database,
  work: (connection: Database) => Promise<Result>,
): Promise<Result> {
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
  if (connection === undefined) throw new TypeError("Only SQLite runs changes together.");
  const execute = (statement: string) => void connection.prepare(statement).run([]);
  execute("savepoint change");
  let report: () => void;
  try {
    report = await job.run(transaction);
  } catch (error) {
    // A full disk undoes the whole transaction, so that there is nothing left to go back to: all of them have failed.
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

import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import { writeTogether } from "./grouped-writes.ts";
import { isLostRace, sqlStateOf } from "./postgres/sql-state.ts";
import type { Database } from "./tables.ts";

// A rule reads, decides, and writes; between the two nothing may change what it has read. SQLite lets one write run at a
// time, and every rule is written for that. PostgreSQL runs them side by side, so this gives the same by its locks.

/**
 * What runs beside a write, in all processes.
 *
 * - `alone`: no other write. Right for every rule.
 * - `shared`: other shared writes. For rules that hold by names (`holdName`) what they decide about.
 */
export type WriteScope = "alone" | "shared";

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
  if (!isPostgres(database)) return await writeTogether(database, work);
  const lock = scope === "alone" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction().execute(async (transaction) => {
        await sql`select ${lock}(${lockKey(ALL_WRITES)})`.execute(transaction);
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

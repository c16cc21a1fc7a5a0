import { setTimeout as delay } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { isPostgres, textsIn } from "./database.ts";
import type { Database, Tables } from "./tables.ts";
import { writeTransaction } from "./transactions.ts";

// What is tidied up may be millions of rows. Nobody waits for it, so it is done a little at a time, with rests for those who
// do: in one statement it would hold the database for minutes, and with SQLite the whole process.

/** Work that is done in short transactions with rests between them. */
export interface Slices {
  readonly database: Database;
  /** Aborted when the service closes; what is not done by then is left for the next process. */
  readonly closing: AbortSignal;
  /**
   * Calls a piece of work again and again, each time with as many rows as it may change, until it answers that nothing
   * is left. No other transaction needs to wait for it on PostgreSQL.
   */
  run(slice: (transaction: Database, rows: number) => Promise<boolean>): Promise<void>;
}

export interface SliceOptions extends Pick<Slices, "database" | "closing"> {
  /** Whether a disk is so far behind that what can wait should. */
  isLogLong(): boolean;
}

const SLICE_MS = 5;
// There the processor's time is that of another process, and others write meanwhile.
const POSTGRES_SLICE_MS = 100;
const FIRST_ROWS = 10;
const MAX_ROWS = 5000;
const LOG_WAIT_MS = 50;

export function createSlices({ database, closing, isLogLong }: SliceOptions): Slices {
  const sliceMs = isPostgres(database) ? POSTGRES_SLICE_MS : SLICE_MS;
  return {
    database,
    closing,
    async run(slice) {
      let rows = FIRST_ROWS;
      for (let isLeft = true; isLeft;) {
        closing.throwIfAborted();
        while (isLogLong()) await delay(LOG_WAIT_MS, undefined, { signal: closing });
        const allowed = rows;
        const started = performance.now();
        isLeft = await writeTransaction(database, (transaction) => slice(transaction, allowed), "shared");
        const tookMs = performance.now() - started;
        rows = Math.max(1, Math.min(MAX_ROWS, Math.round(rows * Math.max(0.3, Math.min(2, sliceMs / tookMs)))));
        if (isLeft) await delay(2 * tookMs, undefined, { signal: closing });
      }
    },
  };
}

interface Deletion {
  /** The columns of a key. */
  readonly key: readonly string[];
  readonly where: RawBuilder<unknown>;
}

/** Deletes at most so many of the rows that match; answers whether more may be left. */
export async function deleteSome(
  database: Database,
  name: keyof Tables,
  { key, where, rows }: Deletion & { readonly rows: number },
): Promise<boolean> {
  const [table, columns] = [sql.table(name), sql.join(key.map((column) => sql.ref(column)))];
  const found = sql`select ${columns} from ${table} where ${where} limit ${rows}`;
  const query = sql`delete from ${table} where (${columns}) in (${found})`;
  const { numAffectedRows = 0n } = await query.execute(database);
  return numAffectedRows >= BigInt(rows);
}

/** Deletes all rows that match. */
export async function deleteInSlices(slices: Slices, name: keyof Tables, deletion: Deletion): Promise<void> {
  await slices.run((transaction, rows) => deleteSome(transaction, name, { ...deletion, rows }));
}

/** The tables with the column `expiresAt`, and their keys. */
const EXPIRING = {
  oauthToken: "hash",
  oauthGrant: "id",
  oauthClient: "id",
  session: "hash",
  signInLink: "hash",
  previewLink: "hash",
} as const;

/** Deletes the rows whose time is over. */
export async function forgetExpired(slices: Slices, name: keyof typeof EXPIRING, now: Date): Promise<void> {
  await deleteInSlices(slices, name, { key: [EXPIRING[name]], where: sql`expires_at <= ${now}` });
}

/**
 * Walks over the values of a column that an index begins with, a few at a time and in their order. `work` says whether
 * something is left with the same ones.
 */
export async function walkValues(
  slices: Slices,
  { name, column }: { readonly name: keyof Tables; readonly column: string },
  work: (transaction: Database, within: RawBuilder<unknown>, rows: number) => Promise<boolean>,
): Promise<void> {
  const [table, value] = [sql.table(name), sql.ref(column)];
  let after = "";
  await slices.run(async (transaction, rows) => {
    // Looks each one up: `distinct` would read the whole table.
    const { rows: found } = await sql<{ readonly value: string }>`with recursive found (value) as (
        select min(${value}) from ${table} where ${value} > ${after}
        union all select (select min(${value}) from ${table} where ${value} > found.value) from found
        where found.value is not null)
      select value from found where value is not null limit ${rows}`.execute(transaction);
    const values = found.map(({ value }) => value);
    const last = values.at(-1);
    if (last === undefined) return false;
    const isLeft = await work(transaction, sql`${value} in ${textsIn(transaction, values)}`, rows);
    if (!isLeft) after = last;
    return true;
  });
}

import { setTimeout as delay } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { isPostgres, textsIn } from "./database.ts";
import type { Database, Tables } from "./tables.ts";
import { writeTransaction } from "./transactions.ts";

// Cleanup may affect millions of rows. As nobody waits for it, it runs in short steps with pauses for other requests: a
// single statement would block the database for minutes, and with SQLite the whole process.

/** Work done in short transactions with pauses in between. */
export interface Slices {
  readonly database: Database;
  /** Aborted when the service closes. The next process does the remaining work. */
  readonly closing: AbortSignal;
  /**
   * Calls `slice` with the maximum number of rows to change until it returns `false`. On PostgreSQL, it should block no
   * other transaction.
   */
  run(slice: (transaction: Database, rows: number) => Promise<boolean>): Promise<void>;
}

export interface SliceOptions extends Pick<Slices, "database" | "closing"> {
  /** Whether the disk lags so far behind that deferrable work should be postponed. */
  isLogLong(): boolean;
}

const SLICE_MS = 5;
// PostgreSQL runs in another process, and accepts other writes meanwhile.
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
  /** The columns of a unique key. */
  readonly key: readonly string[];
  readonly where: RawBuilder<unknown>;
}

/** Deletes up to `rows` matching rows. Returns whether more may be left. */
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

/** Deletes all matching rows. */
export async function deleteInSlices(slices: Slices, name: keyof Tables, deletion: Deletion): Promise<void> {
  await slices.run((transaction, rows) => deleteSome(transaction, name, { ...deletion, rows }));
}

/** Tables with the column `expiresAt`, and their keys. */
const EXPIRING = {
  oauthToken: "hash",
  oauthGrant: "id",
  oauthClient: "id",
  session: "hash",
  signInLink: "hash",
  previewLink: "hash",
} as const;

/** Deletes expired rows. */
export async function forgetExpired(slices: Slices, name: keyof typeof EXPIRING, now: Date): Promise<void> {
  await deleteInSlices(slices, name, { key: [EXPIRING[name]], where: sql`expires_at <= ${now}` });
}

/**
 * Visits the values of a column in order, a few at a time; an index must start with this column. `work` returns whether
 * more rows with these values are left.
 */
export async function walkValues(
  slices: Slices,
  { name, column }: { readonly name: keyof Tables; readonly column: string },
  work: (transaction: Database, within: RawBuilder<unknown>, rows: number) => Promise<boolean>,
): Promise<void> {
  const [table, value] = [sql.table(name), sql.ref(column)];
  let after = "";
  await slices.run(async (transaction, rows) => {
    // Looks up each value in the index: `distinct` would read the whole table.
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

import { sql, type Insertable, type RawBuilder, type SelectQueryBuilder } from "kysely";
import { createSqlStatement, isPostgres, runBuilt } from "./database.ts";
import type { Database, Tables } from "./tables.ts";

// Generic queries for all tables. Queries that are specific to a table or run with every request are in the table's own
// file.

export type TableName = keyof Tables;

/** Columns with the values that rows must have; `null` matches null. */
export type Match<Name extends TableName> = Partial<Tables[Name]>;

/** New values of columns, as values or expressions. */
export type Changes<Name extends TableName> = {
  readonly [Column in keyof Tables[Name]]?: Tables[Name][Column] | RawBuilder<unknown>;
};

export async function findRow<Name extends TableName>(database: Database, name: Name, match: Match<Name>) {
  const { rows } = await runBuilt(database, { shape: `find ${name}`, match }, ({ match: matched }) => {
    return sql<Tables[Name]>`select * from ${sql.table(name)} where ${matching(matched)} limit 1`;
  });
  return rows[0];
}

export async function listRows<Name extends TableName>(database: Database, name: Name, match: Match<Name>) {
  const { rows } = await runBuilt(database, { shape: `list ${name}`, match }, ({ match: matched }) => {
    return sql<Tables[Name]>`select * from ${sql.table(name)} where ${matching(matched)}`;
  });
  return rows;
}

/** Starts a query for matching rows, to select columns and add conditions. */
export function selectRows<Name extends TableName>(database: Database, name: Name, match: Match<Name>) {
  const query: unknown = database.selectFrom<TableName>(name);
  // Kysely can't resolve the columns of a table whose name is a type parameter.
  return (query as SelectQueryBuilder<Tables, Name, object>).where(matching(match));
}

/** Returns the fields that are given, for conditions that only some callers set. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

export async function listValues<Name extends TableName, Column extends keyof Tables[Name] & string>(
  database: Database,
  name: Name,
  { match, column }: { readonly match: Match<Name>; readonly column: Column },
): Promise<readonly Tables[Name][Column][]> {
  const query = sql<Tables[Name]>`select ${sql.ref(column)} from ${sql.table(name)} where ${matching(match)}`;
  return (await query.execute(database)).rows.map((row) => row[column]);
}

export async function countRows<Name extends TableName>(database: Database, name: Name, match: Match<Name>) {
  const { rows } = await runBuilt(database, { shape: `count ${name}`, match }, ({ match: matched }) => {
    return sql<{ readonly count: number }>`select count(*) as count from ${sql.table(name)} where ${matching(matched)}`;
  });
  return rows[0]?.count ?? 0;
}

// Immutable columns are left out of updates, since SQLite would rewrite their indexes.
const PERMANENT: ReadonlySet<string> = new Set(["id", "accountId", "createdAt"]);

export async function insertRow<Name extends TableName>(database: Database, name: Name, row: Insertable<Tables[Name]>) {
  await runBuilt(database, { shape: `insert ${name}`, set: row }, ({ set }) => insertion(name, set));
}

const ROWS_AT_ONCE = [64, 16, 4, 1] as const;

const insertions = new Map<string, ReturnType<typeof createSqlStatement<readonly unknown[], unknown>>>();

/** Inserts rows that don't exist yet, many per statement, and returns their number. Statements for a few batch sizes are built once. */
export async function insertNewRows<Name extends TableName>(
  database: Database,
  name: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<number> {
  let inserted = 0;
  for (let done = 0; done < rows.length;) {
    const size = ROWS_AT_ONCE.find((number) => number <= rows.length - done) ?? 1;
    const columns = Object.keys(rows[done] ?? {});
    const key = `${name} ${size} ${columns.join()}`;
    const insert = insertions.get(key) ?? createInsertion({ name, size, columns });
    insertions.set(key, insert);
    // Positional: naming the values of many rows takes longer than inserting them.
    const values = rows.slice(done, done + size).flatMap((row) => {
      const fields: Readonly<Record<string, unknown>> = Object(row);
      return columns.map((column) => fields[column]);
    });
    inserted += (await insert(database, values)).changed;
    done += size;
  }
  return inserted;
}

interface InsertedRows {
  readonly name: TableName;
  readonly size: number;
  readonly columns: readonly string[];
}

function createInsertion({ name, size, columns }: InsertedRows) {
  return createSqlStatement<readonly unknown[], unknown>((_, parameter) => {
    const values = Array.from({ length: size }, (_row, row) => {
      return sql`(${sql.join(columns.map((_column, column) => parameter(row * columns.length + column)))})`;
    });
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)} on conflict do nothing`;
  });
}

/** Inserts a record or replaces the one with the same id. */
export async function saveRow<Name extends SavedTable>(database: Database, name: Name, row: Insertable<Tables[Name]>) {
  await runBuilt(database, { shape: `save ${name}`, set: row }, ({ set }) => {
    const changed = Object.keys(set).filter((column) => !PERMANENT.has(column));
    return sql`${insertion(name, set)} on conflict (id) do update set ${excluded(changed)}`;
  });
}

/** Inserts a row, or sets columns of the one with the same key; `first` is only for a new row. */
export async function putRow<Name extends TableName>(
  database: Database,
  name: Name,
  { key, first, set }: { readonly key: Match<Name>; readonly first?: Match<Name>; readonly set: Match<Name> },
): Promise<void> {
  const names = Object.keys(key);
  await runBuilt(database, { shape: `put ${name} ${names.join()}`, match: { ...key, ...first }, set }, (row) => {
    const conflict = sql.join(names.map((column) => sql.ref(column)));
    const inserted = insertion(name, { ...row.match, ...row.set });
    return sql`${inserted} on conflict (${conflict}) do update set ${excluded(Object.keys(row.set))}`;
  });
}

function excluded(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`));
}

type SavedTable = {
  readonly [Name in TableName]: Tables[Name] extends { readonly id: string } ? Name : never;
}[TableName];

/** Updates matching rows. Returns `false` if there are none. */
export async function updateRows<Name extends TableName>(
  database: Database,
  name: Name,
  { match, set }: { readonly match: Match<Name>; readonly set: Changes<Name> },
): Promise<boolean> {
  const { changed } = await runBuilt(database, { shape: `update ${name}`, match, set }, (given) => {
    return sql`update ${sql.table(name)} set ${assignments(given.set)} where ${matching(given.match)}`;
  });
  return changed > 0;
}

/** Deletes matching rows. Returns `false` if there are none. */
export async function deleteRows<Name extends TableName>(database: Database, name: Name, match: Match<Name>) {
  const { changed } = await runBuilt(database, { shape: `delete ${name}`, match }, ({ match: matched }) => {
    return sql`delete from ${sql.table(name)} where ${matching(matched)}`;
  });
  return changed > 0;
}

/**
 * Deletes a record and the stored responses that contain it: otherwise, a repeated request would return a deleted
 * record. Returns `false` if there is none.
 */
export async function deleteRecord<Name extends SavedTable>(
  database: Database,
  name: Name,
  match: Match<Name> & { readonly id: string },
): Promise<boolean> {
  const isDeleted = await deleteRows<Name>(database, name, match);
  if (isDeleted) await deleteResponsesWith(database, match.id);
  return isDeleted;
}

/** Deletes the stored responses that contain a record. */
export async function deleteResponsesWith(database: Database, recordId: string): Promise<void> {
  await sql`delete from idempotent_request where (account_id, route, key) in (
    select account_id, route, key from idempotent_record where record_id = ${recordId}
  )`.execute(database);
}

// Workers claim queue rows by lease, so that only one process handles each row, and another takes over once the lease
// of a dead one has expired.

/** The tables with the columns `lease` and `leaseUntil`. */
const QUEUES = {
  delivery: { key: "id", due: "nextAttemptAt" },
  domain: { key: "id", due: "nextCheckAt" },
  domainCertificate: { key: "domainId", due: "nextOrderAt" },
  job: { key: "name", due: "dueAt" },
  mail: { key: "id", due: "dueAt" },
} as const satisfies Partial<Record<TableName, { readonly key: string; readonly due: string }>>;

export type QueueTable = keyof typeof QUEUES;

export interface Lease {
  /** Identifies the claim. Results are written only while it is valid. */
  readonly token: string;
  readonly until: Date;
}

/** The right to write results to a row. */
export interface Claim {
  readonly id: string;
  readonly token: string;
}

export interface ClaimRequest {
  readonly now: Date;
  readonly lease: Lease;
  /** Further conditions for the row. */
  readonly where?: RawBuilder<unknown>;
}

/** Claims the row that has been due longest. */
export async function claimDue<Name extends QueueTable>(
  database: Database,
  name: Name,
  { now, lease, where = sql`true` }: ClaimRequest,
): Promise<Tables[Name] | undefined> {
  const [table, key, due] = [sql.table(name), sql.ref(QUEUES[name].key), sql.ref(QUEUES[name].due)];
  // Other processes take the next row instead of waiting for this one.
  const skipLocked = isPostgres(database) ? sql`for update skip locked` : sql``;
  // Not `in`: PostgreSQL may evaluate its subquery again for each row, and then claims several.
  const dueKey = sql`(select ${key} from ${table}
    where ${due} <= ${now} and ${isFree(now)} and ${where} order by ${due} limit 1 ${skipLocked})`;
  // Checked again for databases that reevaluate rows after waiting for another process.
  const query = sql<Tables[Name]>`update ${table} set ${assignments(toColumns(lease))}
    where ${key} = ${dueKey} and ${isFree(now)} returning *`;
  return (await query.execute(database)).rows[0];
}

/** Claims a row. Returns `false` if it is claimed already or doesn't exist. */
export async function claimRow<Name extends QueueTable>(
  database: Database,
  name: Name,
  { id, now, lease, where = sql`true`, set }: ClaimRequest & { readonly id: string; readonly set?: Changes<Name> },
): Promise<boolean> {
  const query = sql`update ${sql.table(name)} set ${assignments({ ...set, ...toColumns(lease) })}
    where ${sql.ref(QUEUES[name].key)} = ${id} and ${isFree(now)} and ${where}`;
  return ((await query.execute(database)).numAffectedRows ?? 0n) > 0n;
}

/** Ends a claim and writes its results, if any. Returns `undefined` if the claim was no longer valid. */
export async function endClaim<Name extends QueueTable>(
  database: Database,
  name: Name,
  { claim: { id, token }, set }: { readonly claim: Claim; readonly set?: Changes<Name> },
): Promise<Tables[Name] | undefined> {
  const query = sql<
    Tables[Name]
  >`update ${sql.table(name)} set ${assignments({ ...set, lease: null, leaseUntil: null })}
    where ${sql.ref(QUEUES[name].key)} = ${id} and lease = ${token} returning *`;
  return (await query.execute(database)).rows[0];
}

export function isFree(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(lease_until is null or lease_until <= ${now})`;
}

function toColumns({ token, until }: Lease) {
  return { lease: token, leaseUntil: until };
}

function insertion(name: TableName, row: object): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  return sql`insert into ${sql.table(name)} (${columns}) values (${sql.join(Object.values(row))})`;
}

/**
 * Condition that matches rows with these values. Not Kysely's `and({ … })`, which writes `is true`: flags are numbers
 * on PostgreSQL.
 */
export function matching(match: object): RawBuilder<boolean> {
  const conditions = Object.entries(match).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  );
  return sql`${sql.join(conditions, sql` and `)}`;
}

function assignments(set: object): RawBuilder<unknown> {
  return sql.join(Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

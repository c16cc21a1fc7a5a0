import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { ImprintError, messageOf } from "../../base/error.ts";
import { SILENT_LOGGER } from "../../base/log.ts";
import { createDatabase } from "../store/database.ts";
import { latestVersion, listTables } from "../store/migrate.ts";
import { parseDatabaseUrl } from "../store/postgres/database-url.ts";
import { migratePostgres } from "../store/postgres/migrate-postgres.ts";
import { asOpenError, createPool } from "../store/postgres/open-postgres.ts";
import { createPostgresDialect } from "../store/postgres/postgres-dialect.ts";
import type { Database } from "../store/tables.ts";
import { ALWAYS_FILLED, asRowValue, damaged, isKeptTable, type Row, type RowSource, type RowTarget } from "./format.ts";

// A row can contain a page of five megabytes.
const ROWS_AT_ONCE = 25;

/**
 * Opens a consistent snapshot of a PostgreSQL database in a transaction that blocks no one. Throws `OPTIONS_INVALID`,
 * `STORAGE_UNREACHABLE` or `STATE_UNREADABLE`.
 */
export async function openPostgresSource(databaseUrl: string): Promise<RowSource> {
  const address = parseDatabaseUrl(databaseUrl);
  const pool = createPool(address, SILENT_LOGGER, { statementTimeoutMs: undefined });
  let client: PoolClient | undefined;
  const close = async () => {
    // The server rolls back when the connection ends.
    client?.release(true);
    await pool.end();
  };
  try {
    client = await pool.connect();
    return { ...(await readFrom(client, address.label)), close };
  } catch (error) {
    await close();
    throw asOpenError(error, address);
  }
}

async function readFrom(client: PoolClient, label: string): Promise<Omit<RowSource, "close">> {
  await client.query("begin transaction isolation level repeatable read, read only");
  // The backup is written between reads, which may take long.
  await client.query("set local idle_in_transaction_session_timeout = 0");
  const schemaVersion = await readVersion(client, label);
  const hashes = await client.query<{ readonly hash: string }>("select distinct hash from asset order by hash");
  return {
    schemaVersion,
    tables: await countTables(client),
    blobHashes: hashes.rows.map(({ hash }) => hash),
    readRows: (table) => readRows(client, table),
  };
}

async function readVersion(client: PoolClient, label: string): Promise<number> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as known");
  const known = rows[0]?.known === true;
  const version = known ? Number((await client.query("select max(version) as v from schema_version")).rows[0]?.v) : 0;
  if (version === 0) {
    throw new ImprintError("STATE_UNREADABLE", `There is no service in ${label}.`, {
      hint: "Pass the service's database with `--database-url`.",
    });
  }
  if (version <= latestVersion()) return version;
  throw new ImprintError(
    "STATE_UNREADABLE",
    `The database at ${label} was written by a newer version of astro-imprint.`,
    { hint: "Update astro-imprint." },
  );
}

async function countTables(client: PoolClient): Promise<RowSource["tables"]> {
  const { rows } = await client.query(
    "select table_name from information_schema.tables where table_schema = current_schema()",
  );
  const present = new Set(rows.map(({ table_name: name }) => name));
  const tables: { readonly name: string; readonly rows: number }[] = [];
  for (const name of listTables()) {
    if (!present.has(name) || !isKeptTable(name)) continue;
    const counted = await client.query(`select count(*) as rows from "${name}"`);
    tables.push({ name, rows: Number(counted.rows[0]?.rows) });
  }
  return tables;
}

async function* readRows(client: PoolClient, table: string): AsyncGenerator<Row> {
  await client.query(`declare reading no scroll cursor for select * from "${table}"`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${ROWS_AT_ONCE} from reading`);
    for (const row of rows) {
      yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asRowValue(value)]));
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query("close reading");
}

/** A schema next to that of the service, which replaces it when complete. */
export interface PostgresTarget extends RowTarget {
  /** Renames the new schema to the old one's name. Returns the old one's new name if it is kept. */
  putInPlace(): Promise<string | undefined>;
}

export interface PostgresTargetOptions {
  readonly schemaVersion: number;
  readonly now: Date;
  readonly existing: "refuse" | "keep-aside";
}

// A statement accepts 65,535 parameters.
const MAX_PARAMETERS = 10_000;

/** Throws `RESTORE_REFUSED` if the schema contains a service with records that may not be kept aside. */
export async function openPostgresTarget(
  databaseUrl: string,
  { schemaVersion, now, existing }: PostgresTargetOptions,
): Promise<PostgresTarget> {
  const { schema, label } = parseDatabaseUrl(databaseUrl);
  const staging = `${schema.slice(0, 30)}_restoring_${randomBytes(4).toString("hex")}`;
  const address = parseDatabaseUrl(databaseUrl, staging);
  const pool = createPool(address, SILENT_LOGGER, { statementTimeoutMs: undefined });
  const database = createDatabase(createPostgresDialect(pool));
  try {
    const isEmpty = await hasNoRecords(database, schema);
    if (existing === "refuse" && !isEmpty) {
      throw new ImprintError("RESTORE_REFUSED", `${label} contains a service with records.`);
    }
    await migratePostgres(database, staging, { now, until: schemaVersion });
    const references = await removeReferences(database, staging);
    return {
      async insert(table, rows) {
        if (!isKeptTable(table) || !listTables().includes(table)) throw damaged(`It has an unknown table "${table}".`);
        await insertRows(database, table, rows);
      },
      async finish() {
        await addReferences(database, references);
        await migratePostgres(database, staging, { now });
      },
      putInPlace: () => swapSchemas(database, { schema, staging, isEmpty }),
      async close() {
        await sql`drop schema if exists ${sql.id(staging)} cascade`.execute(database);
        await database.destroy();
      },
    };
  } catch (error) {
    await database.destroy();
    throw asOpenError(error, address);
  }
}

async function hasNoRecords(database: Database, schema: string): Promise<boolean> {
  const { rows } = await sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema}
  `.execute(database);
  for (const { name } of rows) {
    if (!isKeptTable(name) || ALWAYS_FILLED.has(name)) continue;
    const found = await sql`select 1 from ${sql.id(schema, name)} limit 1`.execute(database);
    if (found.rows.length > 0) return false;
  }
  return true;
}

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Rows may reference others of the same table or of tables that follow in the backup; `finish` checks them all. */
async function removeReferences(database: Database, schema: string): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select c.conname as name, r.relname as table, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = ${schema}::regnamespace
  `.execute(database);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(database);
  }
  return rows;
}

async function addReferences(database: Database, references: readonly Reference[]): Promise<void> {
  for (const { table, name, definition } of references) {
    try {
      await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(database);
    } catch (error) {
      throw damaged(`A row of "${table}" references a missing row: ${messageOf(error)}`, error);
    }
  }
}

async function insertRows(database: Database, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const atOnce = Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(1, columns.length)));
  const names = sql.join(columns.map((column) => sql.id(column)));
  try {
    for (let from = 0; from < rows.length; from += atOnce) {
      const tuples = rows
        .slice(from, from + atOnce)
        .map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
      await sql`insert into ${sql.id(table)} (${names}) values ${sql.join(tuples)}`.execute(database);
    }
  } catch (error) {
    throw damaged(`A row of "${table}" doesn't fit the database: ${messageOf(error)}`, error);
  }
}

/** `isEmpty`: the existing schema has nothing worth keeping. */
async function swapSchemas(
  database: Database,
  { schema, staging, isEmpty }: { readonly schema: string; readonly staging: string; readonly isEmpty: boolean },
): Promise<string | undefined> {
  const aside = `${schema.slice(0, 30)}_before_${new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(transaction);
    const isThere = rows.length > 0;
    if (isThere && isEmpty) await sql`drop schema ${sql.id(schema)} cascade`.execute(transaction);
    if (isThere && !isEmpty) await sql`alter schema ${sql.id(schema)} rename to ${sql.id(aside)}`.execute(transaction);
    await sql`alter schema ${sql.id(staging)} rename to ${sql.id(schema)}`.execute(transaction);
    return isThere && !isEmpty ? aside : undefined;
  });
}

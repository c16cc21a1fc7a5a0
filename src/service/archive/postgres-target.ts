import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { ImprintError, messageOf } from "../../base/error.ts";
import { SILENT_LOGGER } from "../../base/log.ts";
import { createDatabase } from "../store/columns.ts";
import { listTables } from "../store/migrate.ts";
import { parseDatabaseUrl } from "../store/postgres/database-url.ts";
import { migratePostgres } from "../store/postgres/migrate-postgres.ts";
import { asOpenError, createPool } from "../store/postgres/open-postgres.ts";
import { createPostgresDialect } from "../store/postgres/postgres-dialect.ts";
import type { Database } from "../store/tables.ts";
import { damaged, type Row } from "./format.ts";
import { ALWAYS_FILLED } from "./place.ts";
import { isKeptTable, type RowTarget } from "./row-source.ts";

/** A schema beside that of the service, which takes its place when it is whole. */
export interface PostgresTarget extends RowTarget {
  /** Gives the new schema the name of the old one; answers the name that the old one has then, if it is kept. */
  putInPlace(): Promise<string | undefined>;
}

export interface PostgresTargetOptions {
  readonly schemaVersion: number;
  readonly now: Date;
  readonly existing: "refuse" | "keep-aside";
}

// A statement takes 65,535 parameters.
const MAX_PARAMETERS = 10_000;

/** Throws `RESTORE_REFUSED` when the schema holds a service with records that is not to be kept aside. */
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
      throw new ImprintError("RESTORE_REFUSED", `${label} holds a service with records.`);
    }
    await migratePostgres(database, staging, { now, until: schemaVersion });
    return {
      async insert(table, rows) {
        if (!isKeptTable(table) || !listTables().includes(table)) throw damaged(`It holds a table "${table}".`);
        await insertRows(database, { table, rows });
      },
      finish: () => migratePostgres(database, staging, { now }),
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

async function insertRows(
  database: Database,
  { table, rows }: { readonly table: string; readonly rows: readonly Row[] },
): Promise<void> {
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
    throw damaged(`A row of "${table}" does not fit the database: ${messageOf(error)}`, error);
  }
}

interface Swap {
  readonly schema: string;
  readonly staging: string;
  /** Whether the schema that is there holds nothing worth keeping. */
  readonly isEmpty: boolean;
}

async function swapSchemas(database: Database, { schema, staging, isEmpty }: Swap): Promise<string | undefined> {
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

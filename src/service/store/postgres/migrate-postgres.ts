import { sql } from "kysely";
import { latestVersion, listPending, readMigration } from "../migrate.ts";
import type { Database } from "../tables.ts";

/**
 * Migrates a PostgreSQL schema to the current version in one transaction. Of several processes that start at once, one
 * migrates while the others wait. Skips migrations after `until`.
 */
export async function migratePostgres(
  database: Database,
  schema: string,
  { now, until = latestVersion() }: { readonly now: Date; readonly until?: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`migrate ${schema}`}, 0))`.execute(transaction);
    await makeSchema(transaction, schema);
    for (const { name, version } of listPending(await readVersions(transaction))) {
      if (version > until) continue;
      await sql.raw(translateMigration(readMigration(name))).execute(transaction);
      await sql`insert into schema_version (version, name, applied_at) values (${version}, ${name}, ${now.getTime()})`.execute(
        transaction,
      );
    }
  });
}

async function makeSchema(transaction: Database, schema: string): Promise<void> {
  // Checked first, because a user without the right to create schemas can use an existing one.
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(transaction);
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction);
  await sql`create table if not exists schema_version (version bigint primary key, name text not null, applied_at bigint not null)`.execute(
    transaction,
  );
}

async function readVersions(transaction: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly version: number }>`select version from schema_version`.execute(transaction);
  return rows.map(({ version }) => version);
}

/**
 * Translates a migration from SQLite to PostgreSQL: column types by their names there, text collated by bytes as in
 * SQLite, no `strict`. Only PostgreSQL runs a line `-- postgres: <statement>`, and only SQLite the statement after a
 * line `-- sqlite:`.
 */
export function translateMigration(migration: string): string {
  return migration
    .replaceAll(/^-- sqlite:\n[^;]*;$/gm, "")
    .replaceAll(/^-- postgres: (.*)$/gm, "$1")
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/^(\s*(?:alter table \w+ add column )?\w+ )(text|integer|real|blob)\b/gm, (_, column, type) => {
      return `${column}${TYPES[type] ?? type}`;
    })
    .replaceAll(/\)\s*strict(?:,\s*without rowid)?\s*;/g, ");");
}

const TYPES: Readonly<Record<string, string>> = {
  text: `text collate "C"`,
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
};

import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError } from "../../base/error.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
}

/**
 * Applies pending migrations in order, each in a transaction that also records it. Throws `STATE_UNREADABLE` for a
 * database of a newer version. Skips migrations after `until`.
 */
export function migrate(database: DatabaseSync, now: Date, until = latestVersion()): void {
  database.exec(
    "create table if not exists schema_version (version integer primary key, name text not null, applied_at integer not null) strict",
  );
  for (const migration of listPending(readVersions(database))) {
    if (migration.version <= until) applyMigration(database, migration, now);
  }
}

/** Lists pending migrations in order. Throws `STATE_UNREADABLE` for a database of a newer version. */
export function listPending(applied: readonly number[]): readonly Migration[] {
  const migrations = listMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  if (applied.every((version) => version <= newest)) {
    return migrations.filter(({ version }) => !applied.includes(version));
  }
  throw new ImprintError(
    "STATE_UNREADABLE",
    "The service's database was written by a newer version of astro-imprint.",
    {
      hint: "Update astro-imprint, or use another data folder for the service.",
    },
  );
}

export function listMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, version: Number.parseInt(name, 10) }));
}

/** Lists the tables that migrations create, each after those that it references. */
export function listTables(): readonly string[] {
  const made = listMigrations().flatMap(({ name }) =>
    [...readMigration(name).matchAll(/^create table (\w+)/gm)].map(([, table = ""]) => table),
  );
  // A later migration may create a table again.
  return [...new Set(made)];
}

/** Returns the number of the last migration. */
export function latestVersion(): number {
  return listMigrations().at(-1)?.version ?? 0;
}

/** Returns the number of the last migration applied to a database. */
export function readVersion(database: DatabaseSync): number {
  return Math.max(0, ...readVersions(database));
}

/** Reads the SQL of a migration for SQLite. */
export function readMigration(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}

function readVersions(database: DatabaseSync): readonly number[] {
  return database
    .prepare("select version from schema_version")
    .all()
    .map((row) => Number(row["version"]));
}

function applyMigration(database: DatabaseSync, { version, name }: Migration, now: Date): void {
  const sql = readMigration(name);
  database.exec("begin immediate");
  try {
    // Another process may have applied it between the check and the lock.
    if (!readVersions(database).includes(version)) {
      database.exec(sql);
      database
        .prepare("insert into schema_version (version, name, applied_at) values (?, ?, ?)")
        .run(version, name, now.getTime());
    }
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

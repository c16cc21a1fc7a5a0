import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError } from "../../base/error.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
}

/**
 * Brings a database to the schema of this program: every migration that it has not seen, in order, each in a
 * transaction with the note that it was applied. Throws `STATE_UNREADABLE` for a database of a newer program. Migrations
 * after `until` are left out.
 */
export function migrate(database: DatabaseSync, now: Date, until = latestVersion()): void {
  database.exec(
    "create table if not exists schema_version (version integer primary key, name text not null, applied_at integer not null) strict",
  );
  for (const migration of listPending(readVersions(database))) {
    if (migration.version <= until) applyMigration(database, migration, now);
  }
}

/** The migrations that a database has not seen, in order. Throws `STATE_UNREADABLE` for one of a newer program. */
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
      hint: "Update astro-imprint, or let the service keep its data elsewhere.",
    },
  );
}

/** All migrations of this program, in the order in which they are applied. */
export function listMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, version: Number.parseInt(name, 10) }));
}

/** The tables that migrations make, each after those that it refers to. */
export function listTables(): readonly string[] {
  const made = listMigrations().flatMap(({ name }) =>
    [...readMigration(name).matchAll(/^create table (\w+)/gm)].map(([, table = ""]) => table),
  );
  // A table that a later migration makes anew is still one.
  return [...new Set(made)];
}

/** The number of the last migration of this program. */
export function latestVersion(): number {
  return listMigrations().at(-1)?.version ?? 0;
}

/** The number of the last migration that a database has seen. */
export function readVersion(database: DatabaseSync): number {
  return Math.max(0, ...readVersions(database));
}

/** The SQL of a migration, as SQLite takes it. */
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
    // Another process may have applied it between the look and the lock.
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

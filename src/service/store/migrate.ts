import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError } from "../../base/error.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

interface Migration {
  readonly version: number;
  readonly name: string;
}

/**
 * Brings a database to the schema of this program: every migration that it has not seen, in order, each in a
 * transaction with the note that it was applied. Throws `STATE_UNREADABLE` for a database of a newer program.
 */
export function migrate(database: DatabaseSync, now: Date): void {
  database.exec(
    "create table if not exists schema_version (version integer primary key, name text not null, applied_at integer not null) strict",
  );
  const migrations = listMigrations();
  const current = readVersion(database);
  if (current > (migrations.at(-1)?.version ?? 0)) {
    throw new ImprintError(
      "STATE_UNREADABLE",
      "The service's database was written by a newer version of astro-imprint.",
      {
        hint: "Update astro-imprint, or let the service use another folder.",
      },
    );
  }
  for (const migration of migrations) {
    if (migration.version > current) applyMigration(database, migration, now);
  }
}

function listMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, version: Number.parseInt(name, 10) }));
}

function readVersion(database: DatabaseSync): number {
  const version = database.prepare("select max(version) as version from schema_version").get()?.["version"];
  return typeof version === "number" ? version : 0;
}

function applyMigration(database: DatabaseSync, { version, name }: Migration, now: Date): void {
  const sql = readFileSync(new URL(name, FOLDER), "utf8");
  database.exec("begin immediate");
  try {
    // Another process may have applied it between the look and the lock.
    if (readVersion(database) < version) {
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

import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError, systemCodeOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { migrate } from "./migrate.ts";
import { openSqlite, type Durability } from "./sqlite.ts";

// A full disk or an interrupted copy leaves an empty file, which SQLite treats as a new database. A file next to the
// database therefore records that one exists.

export function databaseFile(folder: string): string {
  return join(folder, "service.sqlite");
}

/**
 * Prefix of the folder into which a restore unpacks a backup. The process id follows, which identifies folders that
 * killed processes left behind.
 */
export const RESTORING = "restoring-";

/** Removes the folders that killed restores left in a service's data folder. */
export function removeLeftRestores(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (!name.startsWith(RESTORING)) continue;
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > DAY_MS || !isRunning(Number(/^restoring-(\d+)-/.exec(name)?.[1])))
      rmSync(path, { recursive: true, force: true });
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function isRunning(pid: number): boolean {
  // Written by a version without process ids in the name: only its age counts.
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}

/** File with the random id of the database. */
export const ID_FILE = "service.id";

export interface DatabaseFileOptions {
  readonly now: Date;
  readonly durability: Durability;
  /** Starts with an empty database, whatever else is in the folder. */
  readonly startsEmpty: boolean;
  readonly logger: Logger;
}

/**
 * Opens the database of a folder with the current schema. Throws `STATE_UNREADABLE` if the database is missing or empty
 * next to the files of a service, or if it belongs to another program.
 */
export function openDatabaseFile(folder: string, options: DatabaseFileOptions): DatabaseSync {
  removeLeftRestores(folder);
  // Checked first: another process starting in the same folder creates the tables before it writes the id.
  const hadService = isServiceFolder(folder);
  const path = databaseFile(folder);
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && hadService && !options.startsEmpty) throw emptied(folder);
  const database = openSqlite(path, { durability: options.durability, file: isThere ? "open" : "create" });
  try {
    if (isThere) checkContent(database, { folder, hadService, ...options });
    migrate(database, options.now);
    identify(database);
    rememberId(folder, readNumber(database, "user_version"), options);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isServiceFolder(folder: string): boolean {
  return existsSync(join(folder, ID_FILE)) || hasBlobs(join(folder, "blobs"));
}

function hasBlobs(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => name.length === 2 && readdirSync(join(folder, name)).length > 0);
}

function emptied(folder: string): ImprintError {
  return new ImprintError(
    "STATE_UNREADABLE",
    `The database ${databaseFile(folder)} is missing or empty, but the folder contains files of a service.`,
    {
      hint: "Restore a backup: `imprint restore <file> --force`. Or start empty: `imprint serve --new`.",
    },
  );
}

// "Impr"
const APPLICATION_ID = 0x49_6d_70_72;

function checkContent(
  database: DatabaseSync,
  { folder, hadService, startsEmpty }: Pick<DatabaseFileOptions, "startsEmpty"> & FolderFacts,
): void {
  const tables = Number(database.prepare("select count(*) as count from sqlite_schema").get()?.["count"]);
  if (tables === 0 && hadService && !startsEmpty) throw emptied(folder);
  if ([0, APPLICATION_ID].includes(readNumber(database, "application_id"))) return;
  throw new ImprintError("STATE_UNREADABLE", `${databaseFile(folder)} belongs to another program.`, {
    hint: "Use another data folder for the service.",
  });
}

interface FolderFacts {
  readonly folder: string;
  readonly hadService: boolean;
}

/** Marks a database as ours and gives it an id, unless it has them. */
export function identify(database: DatabaseSync): void {
  if (readNumber(database, "application_id") === 0) database.exec(`pragma application_id = ${APPLICATION_ID}`);
  if (readNumber(database, "user_version") === 0) database.exec(`pragma user_version = ${randomInt(1, 2 ** 31)}`);
}

function rememberId(folder: string, id: number, { logger, startsEmpty }: DatabaseFileOptions): void {
  const path = join(folder, ID_FILE);
  const noted = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  if (noted === String(id)) return;
  if (noted !== undefined && !startsEmpty) {
    logger.warn(`${databaseFile(folder)} is not the database that was here before.`, { event: "start" });
  }
  rmSync(path, { force: true });
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
}

function readNumber(database: DatabaseSync, pragma: "application_id" | "user_version"): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma]);
}

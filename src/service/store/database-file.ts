import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError, systemCodeOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { migrate } from "./migrate.ts";
import { openSqlite, type Durability } from "./sqlite.ts";

// A disk that was full or a copy that was cut off leaves an empty file, which SQLite takes for a new database. So a file
// beside the database says that there is one.

/** The database of a service that keeps its data in a folder. */
export function databaseFile(folder: string): string {
  return join(folder, "service.sqlite");
}

/**
 * Begins the name of the folder in which a restore unpacks a backup. The number of its process follows, by which the folder
 * of a killed one is known.
 */
export const RESTORING = "restoring-";

/** Removes what killed restores have left in the folder of a service. */
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
  // Of a version that did not write the number into the name: known by its age alone.
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}

/** Holds the random id of the database. */
export const ID_FILE = "service.id";

export interface DatabaseFileOptions {
  readonly now: Date;
  readonly durability: Durability;
  /** Begins with an empty database, whatever else is in the folder. */
  readonly startsEmpty: boolean;
  readonly logger: Logger;
}

/**
 * Opens the database of a folder with the schema of this program. Throws `STATE_UNREADABLE` for one that is missing or
 * empty beside the files of a service, and for one of another program.
 */
export function openDatabaseFile(folder: string, options: DatabaseFileOptions): DatabaseSync {
  removeLeftRestores(folder);
  // Asked first: another process that starts in the same folder makes the tables before it writes the id.
  const hadService = isServiceFolder(folder);
  const path = databaseFile(folder);
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && hadService && !options.startsEmpty) throw emptied(folder);
  const database = openSqlite(path, { durability: options.durability, file: isThere ? "open" : "create" });
  try {
    if (isThere) checkContent(database, { folder, hadService, ...options });
    migrate(database, options.now);
    identify(database);
    noteId(folder, readNumber(database, "user_version"), options);
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
    `The database ${databaseFile(folder)} is missing or empty, and the files of a service are beside it.`,
    {
      hint: "Restore a backup: `imprint restore <file> --force`. To start with an empty service: `imprint serve --new`.",
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
  throw new ImprintError("STATE_UNREADABLE", `${databaseFile(folder)} is a database of another program.`, {
    hint: "Let the service keep its data in another folder.",
  });
}

interface FolderFacts {
  readonly folder: string;
  readonly hadService: boolean;
}

/** Marks a database as one of ours and gives it an id; one that has both stays as it is. */
export function identify(database: DatabaseSync): void {
  if (readNumber(database, "application_id") === 0) database.exec(`pragma application_id = ${APPLICATION_ID}`);
  if (readNumber(database, "user_version") === 0) database.exec(`pragma user_version = ${randomInt(1, 2 ** 31)}`);
}

function noteId(folder: string, id: number, { logger, startsEmpty }: DatabaseFileOptions): void {
  const path = join(folder, ID_FILE);
  const noted = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  if (noted === String(id)) return;
  if (noted !== undefined && !startsEmpty) {
    logger.warn(`${databaseFile(folder)} is another database than the one that was here before.`, { event: "start" });
  }
  rmSync(path, { force: true });
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
}

function readNumber(database: DatabaseSync, pragma: "application_id" | "user_version"): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma]);
}

import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { SqliteDialect } from "kysely";
import { ImprintError, messageOf } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { openBlobs, type Blobs } from "./blobs.ts";
import { createDatabaseCheck, type DatabaseCheck } from "./check-database.ts";
import { databaseFile, openDatabaseFile } from "./database-file.ts";
import { createDamage, isDamageCode, NO_DAMAGE, type Damage } from "./damage.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { createDatabase, registerSqlite } from "./database.ts";
import { createReaders } from "./readers.ts";
import { adaptSqlite, openSqlite, sqliteCodeOf, type Durability } from "./sqlite.ts";
import { migrate } from "./migrate.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";
import type { S3Options } from "./s3-options.ts";
import type { Database } from "./tables.ts";

export interface Store {
  readonly database: Database;
  /** The same database for expensive reads; with an SQLite file, they run in separate threads. */
  readonly reader: Database;
  /** Whether the disk lags so far behind that deferrable work should be postponed. */
  isLogLong(): boolean;
  readonly blobs: Blobs;
  readonly snapshots: Snapshots;
  readonly damage: Damage;
  /** Looks for damage that no request has encountered. `undefined` for PostgreSQL, which checks its own files. */
  readonly check: DatabaseCheck | undefined;
  close(): Promise<void>;
}

/** A database with the current schema. */
export type OpenDatabase = Omit<Store, "blobs">;

export interface StoreOptions {
  /** `undefined` keeps everything in memory and in a temporary folder until `close`. */
  readonly dataDir: string | undefined;
  /** A PostgreSQL database to use instead of SQLite in the folder. */
  readonly databaseUrl?: string | undefined;
  /** A bucket to use instead of the blob folder. */
  readonly s3?: S3Options | undefined;
  readonly now: Date;
  /** For SQLite only. @default "normal" */
  readonly durability?: Durability;
  /** Starts with an empty database even if the folder contains files of a service. @default false */
  readonly startsEmpty?: boolean;
  /** @default silent */
  readonly logger?: Logger;
}

/**
 * Opens the database and the blob folder. Throws `STATE_UNWRITABLE`, `STATE_UNREADABLE` or `STORAGE_UNREACHABLE`,
 * leaving nothing open.
 */
export async function openStore({ dataDir, ...options }: StoreOptions): Promise<Store> {
  const folder = await makeFolder(dataDir);
  const isEphemeral = dataDir === undefined;
  try {
    return await openIn(folder, { ...options, isEphemeral });
  } catch (error) {
    if (isEphemeral) await rm(folder, { recursive: true, force: true });
    throw asStateError(error, folder);
  }
}

async function makeFolder(dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined) return await mkdtemp(join(tmpdir(), "imprint-"));
  const folder = resolve(dataDir);
  try {
    makeOwnFolder(folder, { root: folder, mode: 0o700 });
    return folder;
  } catch (error) {
    throw asStateError(error, folder);
  }
}

interface OpenOptions extends Omit<StoreOptions, "dataDir"> {
  readonly isEphemeral: boolean;
}

async function openIn(folder: string, options: OpenOptions): Promise<Store> {
  const { blobs, closeBlobs } = await openFiles(folder, options);
  const opened = await openDatabase(folder, options);
  return {
    ...opened,
    blobs,
    async close() {
      await opened.close();
      await closeBlobs();
      if (options.isEphemeral) await rm(folder, { recursive: true, force: true });
    },
  };
}

interface OpenFiles {
  readonly blobs: Blobs;
  readonly closeBlobs: () => Promise<void>;
}

async function openFiles(folder: string, { s3, isEphemeral }: OpenOptions): Promise<OpenFiles> {
  if (s3 === undefined) return { blobs: await openBlobs(join(folder, "blobs")), closeBlobs: async () => {} };
  const { openS3Blobs } = await import("./s3-blobs.ts");
  const blobs = await openS3Blobs(s3, { isEphemeral });
  return { blobs, closeBlobs: () => blobs.close() };
}

async function openDatabase(
  folder: string,
  { databaseUrl, logger = SILENT_LOGGER, ...options }: OpenOptions,
): Promise<OpenDatabase> {
  if (databaseUrl === undefined) return openSqliteIn(folder, { ...options, logger });
  // A service on SQLite never loads the PostgreSQL driver.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  const opened = await openPostgres({ ...options, databaseUrl, logger });
  return { ...opened, reader: opened.database, isLogLong: () => false };
}

type FolderOptions = Omit<OpenOptions, "databaseUrl" | "s3" | "logger"> & { readonly logger: Logger };

function openSqliteIn(folder: string, options: FolderOptions): OpenDatabase {
  const { isEphemeral, now, logger, durability = "normal", startsEmpty = false } = options;
  const path = isEphemeral ? ":memory:" : databaseFile(folder);
  // A process that exits cleanly leaves no log behind.
  const endedWell = isEphemeral || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const sqlite = isEphemeral ? openInMemory(now) : openDatabaseFile(folder, { now, durability, startsEmpty, logger });
  const damage = isEphemeral ? NO_DAMAGE : createDamage(logger, () => sqlite.exec("pragma query_only = on"));
  const adapted = adaptSqlite(sqlite, damage);
  const database = createDatabase(new SqliteDialect({ database: adapted }));
  registerSqlite(database, adapted);
  const snapshotFolder = join(folder, "snapshots");
  // An in-memory database has no other connections.
  const readers = isEphemeral ? undefined : createReaders({ path, damage });
  const checkpoints = isEphemeral ? undefined : startCheckpoints(sqlite, { path, logger });
  return {
    database,
    reader: readers?.database ?? database,
    isLogLong: () => checkpoints?.isLogLong() ?? false,
    snapshots: createSnapshots(database, snapshotFolder),
    damage,
    check: isEphemeral ? undefined : createDatabaseCheck(path, { damage, isDueNow: !endedWell }),
    async close() {
      await readers?.close();
      await checkpoints?.close();
      // Kysely closes a database only if it was used.
      adapted.close();
      await rm(snapshotFolder, { recursive: true, force: true });
    },
  };
}

// A process that opens many databases, as tests do, creates the tables once. Node 22 can't copy a database.
let emptyImage: Uint8Array | undefined;

function openInMemory(now: Date): DatabaseSync {
  const database = openSqlite(":memory:");
  if (emptyImage === undefined) {
    migrate(database, now);
    if ("serialize" in database) emptyImage = database.serialize();
  } else {
    database.deserialize(emptyImage);
  }
  return database;
}

/** Converts an error from opening the store to an `ImprintError`. */
export function asStateError(error: unknown, folder: string): ImprintError {
  if (error instanceof ImprintError) return error;
  if (!isDamageCode(sqliteCodeOf(error))) {
    const message = `The service can't keep its data in ${folder}: ${messageOf(error)}`;
    return new ImprintError("STATE_UNWRITABLE", message, { cause: error });
  }
  return new ImprintError("STATE_UNREADABLE", `The service's database in ${folder} is damaged: ${messageOf(error)}`, {
    cause: error,
    hint: "Restore a backup: `imprint restore <file> --force`. Or delete the folder to start with an empty service.",
  });
}

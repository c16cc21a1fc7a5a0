import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SqliteDialect } from "kysely";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { SILENT_LOGGER } from "../../base/log.ts";
import { BLOB_SWEEP } from "../jobs/runner.ts";
import { openBlobs, type Blobs } from "../store/blobs.ts";
import type { S3Options } from "../store/s3-options.ts";
import { createDatabase } from "../store/database.ts";
import { holdJob } from "../store/jobs.ts";
import { endClaim } from "../store/rows.ts";
import { latestVersion } from "../store/migrate.ts";
import { databaseFile } from "../store/database-file.ts";
import { adaptSqlite, openSqlite } from "../store/sqlite.ts";
import type { Database } from "../store/tables.ts";
import { writeArchive } from "./archive-file.ts";
import { totalOf, type OnProgress, type RowSource } from "./format.ts";
import { openSqliteSource } from "./sqlite-rows.ts";

/** What `backupService` takes. */
export interface BackupOptions {
  /**
   * The backup to write. One that is there already is replaced once the new one is whole.
   */
  readonly file: string;
  /**
   * Folder of the service's database and files.
   *
   * @default ".imprint"
   */
  readonly dataDir?: string;
  /** A PostgreSQL database in the place of the one in the folder. */
  readonly databaseUrl?: string | undefined;
  /** A bucket in the place of the files in the folder. */
  readonly blobs?: { readonly s3: S3Options } | undefined;
  /** Called with how much is saved, after every few megabytes. */
  readonly onProgress?: OnProgress;
  /** Ends the backup; nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

/** What a backup holds. */
export interface Backup {
  /** Absolute path of the backup. */
  readonly file: string;
  readonly bytes: number;
  readonly schemaVersion: number;
  readonly rows: number;
  readonly blobs: number;
  /** Hashes of library files that were lost or damaged before the backup; it holds everything else. */
  readonly missingBlobs: readonly string[];
}

/**
 * Saves a service into one file, while it runs: everything is as it was at one moment, and nobody who writes has to
 * wait. The file holds hashes of keys and the secrets of webhooks, so only its owner may read it. Throws
 * `STATE_UNREADABLE` when there is no service, `BACKUP_INCOMPLETE` when the file can't be written, and `USAGE` rather than
 * replace a file that is no backup.
 */
export async function backupService(options: BackupOptions): Promise<Backup> {
  const { onProgress = () => {}, signal } = options;
  const path = resolve(options.file);
  const place = { ...options, folder: resolve(options.dataDir ?? ".imprint") };
  await checkPlace(path);
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  const source = await openSource(place);
  try {
    // Held before the files are read, so that a sweep that runs now is over by then.
    const { schemaVersion } = source;
    const releaseSweep = await holdBlobSweep(place, schemaVersion);
    try {
      const blobs = await openPlaceBlobs(place);
      const content = { source, blobs, now: new Date(), onProgress, signal };
      const { manifest, missingBlobs } = await writeArchive(partial, content);
      await rename(partial, path);
      const { rows, blobs: named } = totalOf(manifest);
      const { size: bytes } = await stat(path);
      return { file: path, bytes, schemaVersion, rows, blobs: named - missingBlobs.length, missingBlobs };
    } finally {
      await releaseSweep();
    }
  } catch (error) {
    throw asBackupError(error, { path, signal });
  } finally {
    await source.close();
    await rm(partial, { force: true });
  }
}

interface Place extends Pick<BackupOptions, "databaseUrl" | "blobs"> {
  readonly folder: string;
}

async function openSource({ databaseUrl, folder }: Place): Promise<RowSource> {
  if (databaseUrl !== undefined) {
    const { openPostgresSource } = await import("./postgres-rows.ts");
    return await openPostgresSource(databaseUrl);
  }
  if (await isThere(databaseFile(folder))) return openSqliteSource(databaseFile(folder));
  throw new ImprintError("STATE_UNREADABLE", `There is no service in ${folder}.`, {
    hint: "Name the folder of the service with `--data`.",
  });
}

const HELD_MS = 6 * 60 * 60 * 1000;
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** Keeps files from being deleted that the rows of a backup still name, for six hours at most; returns the release. */
async function holdBlobSweep(place: Place, schemaVersion: number): Promise<() => Promise<void>> {
  // A service of another version works in another way; the backup reports what is missing then.
  if (schemaVersion !== latestVersion()) return async () => {};
  const database = await openDatabase(place);
  const token = randomUUID();
  for (let tries = 0; tries < TRIES; tries++) {
    const now = new Date();
    const lease = { token, until: new Date(now.getTime() + HELD_MS) };
    if (await holdJob(database, BLOB_SWEEP, { lease, now })) break;
    await delay(BETWEEN_TRIES_MS);
  }
  return async () => {
    await endClaim(database, "job", { claim: { id: BLOB_SWEEP, token } });
    await database.destroy();
  };
}

async function openDatabase({ databaseUrl, folder }: Place): Promise<Database> {
  if (databaseUrl === undefined) {
    return createDatabase(new SqliteDialect({ database: adaptSqlite(openSqlite(databaseFile(folder))) }));
  }
  const [{ parseDatabaseUrl }, { createPool }, { createPostgresDialect }] = await Promise.all([
    import("../store/postgres/database-url.ts"),
    import("../store/postgres/open-postgres.ts"),
    import("../store/postgres/postgres-dialect.ts"),
  ]);
  const pool = createPool(parseDatabaseUrl(databaseUrl), SILENT_LOGGER);
  return createDatabase(createPostgresDialect(pool));
}

/** The files of a service, wherever it keeps them. */
export async function openPlaceBlobs({ blobs, folder }: Place): Promise<Blobs> {
  if (blobs === undefined) return await openBlobs(join(folder, "blobs"));
  const { openS3Blobs } = await import("../store/s3-blobs.ts");
  return await openS3Blobs(blobs.s3, { isEphemeral: false });
}

const GZIP = "1f8b";
const STALE_MS = 24 * 60 * 60 * 1000;

/** Refuses to replace what is no backup, and removes what killed backups left. */
async function checkPlace(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const siblings = await readdir(folder).catch((error: unknown) => {
    throw new ImprintError("BACKUP_INCOMPLETE", `There is no folder ${folder}.`, { cause: error });
  });
  for (const sibling of siblings) {
    if (!sibling.startsWith(`.${name}.`) || !sibling.endsWith(".partial")) continue;
    const { mtimeMs } = await stat(join(folder, sibling));
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, sibling), { force: true });
  }
  if (siblings.includes(name) && (await firstBytes(path)) !== GZIP) {
    throw new ImprintError("USAGE", `${path} is there already and is no backup, so it is not replaced.`);
  }
}

async function firstBytes(path: string): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read({ buffer: Buffer.alloc(2) });
      return buffer.toString("hex");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCodeOf(error) === "EISDIR") return undefined;
    throw new ImprintError("BACKUP_INCOMPLETE", `${path} can't be replaced: ${messageOf(error)}`, { cause: error });
  }
}

export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

function asBackupError(
  error: unknown,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
): ImprintError {
  if (error instanceof ImprintError) return error;
  if (signal?.aborted === true) {
    return new ImprintError("ABORTED", "The backup was interrupted; nothing is left of it.", {
      hint: "Run it again.",
      cause: error,
    });
  }
  return new ImprintError("BACKUP_INCOMPLETE", `${path} was not written: ${messageOf(error)}`, { cause: error });
}

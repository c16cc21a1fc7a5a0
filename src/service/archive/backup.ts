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

/** Options of `backupService`. */
export interface BackupOptions {
  /** The backup file to write. An existing backup is replaced once the new one is complete. */
  readonly file: string;
  /** Folder of the service's database and files. @default ".imprint" */
  readonly dataDir?: string;
  /** A PostgreSQL database to use instead of the one in the folder. */
  readonly databaseUrl?: string | undefined;
  /** A bucket to use instead of the files in the folder. */
  readonly blobs?: { readonly s3: S3Options } | undefined;
  /** Called with the progress after every few megabytes. */
  readonly onProgress?: OnProgress;
  /** Aborts the backup and removes the partial file. */
  readonly signal?: AbortSignal | undefined;
}

/** A completed backup. */
export interface Backup {
  /** Absolute path of the backup. */
  readonly file: string;
  readonly bytes: number;
  readonly schemaVersion: number;
  readonly rows: number;
  readonly blobs: number;
  /** Hashes of library files that were already lost or damaged; the backup contains everything else. */
  readonly missingBlobs: readonly string[];
}

/**
 * Saves a service to one file while it is running, as a consistent snapshot that blocks no writes. The file contains
 * hashes of keys and the secrets of webhooks, so only its owner can read it. Throws `STATE_UNREADABLE` if there is no
 * service, `BACKUP_INCOMPLETE` if the file can't be written, and `USAGE` instead of replacing a file that isn't a
 * backup.
 */
export async function backupService(options: BackupOptions): Promise<Backup> {
  const { onProgress = () => {}, signal } = options;
  const path = resolve(options.file);
  const place = { ...options, folder: resolve(options.dataDir ?? ".imprint") };
  await checkPlace(path);
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  const source = await openSource(place);
  try {
    // Held before files are read, so that a running sweep is finished by then.
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
    hint: "Pass the service's folder with `--data`.",
  });
}

const HELD_MS = 6 * 60 * 60 * 1000;
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** Prevents the deletion of files in the backup for up to six hours. Returns a function that ends this. */
async function holdBlobSweep(place: Place, schemaVersion: number): Promise<() => Promise<void>> {
  // Other versions may sweep differently; the backup then reports missing files.
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

/** Opens the file storage of a service. */
export async function openPlaceBlobs({ blobs, folder }: Place): Promise<Blobs> {
  if (blobs === undefined) return await openBlobs(join(folder, "blobs"));
  const { openS3Blobs } = await import("../store/s3-blobs.ts");
  return await openS3Blobs(blobs.s3, { isEphemeral: false });
}

const GZIP = "1f8b";
const STALE_MS = 24 * 60 * 60 * 1000;

/** Refuses to replace a file that isn't a backup, and removes leftovers of killed backups. */
async function checkPlace(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const siblings = await readdir(folder).catch((error: unknown) => {
    throw new ImprintError("BACKUP_INCOMPLETE", `The folder ${folder} doesn't exist.`, { cause: error });
  });
  for (const sibling of siblings) {
    if (!sibling.startsWith(`.${name}.`) || !sibling.endsWith(".partial")) continue;
    const { mtimeMs } = await stat(join(folder, sibling));
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, sibling), { force: true });
  }
  if (siblings.includes(name) && (await firstBytes(path)) !== GZIP) {
    throw new ImprintError("USAGE", `${path} already exists and isn't a backup, so it was not replaced.`);
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
    return new ImprintError("ABORTED", "The backup was interrupted; no file was written.", {
      hint: "Run it again.",
      cause: error,
    });
  }
  return new ImprintError("BACKUP_INCOMPLETE", `${path} was not written: ${messageOf(error)}`, { cause: error });
}

import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { openBlobs } from "../store/blobs.ts";
import { databaseFile } from "../store/open-store.ts";
import { holdBlobSweep } from "./hold-sweep.ts";
import type { OnProgress } from "./progress.ts";
import { openSqliteSource } from "./sqlite-source.ts";
import { writeArchive } from "./write-archive.ts";

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
export async function backupService({ file, dataDir, onProgress, signal }: BackupOptions): Promise<Backup> {
  const path = resolve(file);
  const folder = resolve(dataDir ?? ".imprint");
  await checkPlace(path);
  const database = databaseFile(folder);
  await checkService(database, folder);
  const sweep = await holdBlobSweep(database);
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  try {
    const source = openSqliteSource(database);
    try {
      const blobs = await openBlobs(join(folder, "blobs"));
      const content = { source, blobs, now: new Date(), onProgress: onProgress ?? (() => {}), signal };
      const { manifest, missingBlobs } = await writeArchive(partial, content);
      await rename(partial, path);
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const { size: bytes } = await stat(path);
      const { schemaVersion } = manifest;
      return { file: path, bytes, schemaVersion, rows, blobs: manifest.blobs - missingBlobs.length, missingBlobs };
    } finally {
      await source.close();
    }
  } catch (error) {
    throw asBackupError(error, { path, signal });
  } finally {
    await rm(partial, { force: true });
    await sweep.release();
  }
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

async function checkService(database: string, folder: string): Promise<void> {
  const isThere = await stat(database).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  throw new ImprintError("STATE_UNREADABLE", `There is no service in ${folder}.`, {
    hint: "Name the folder of the service with `--data`.",
  });
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

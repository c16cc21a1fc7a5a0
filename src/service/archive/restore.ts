import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import { openBlobs } from "../store/blobs.ts";
import { databaseFile } from "../store/open-store.ts";
import { latestVersion } from "../store/migrate.ts";
import type { Manifest } from "./format.ts";
import { damaged } from "./format.ts";
import { checkIsReplaceable, putInPlace } from "./place.ts";
import type { OnProgress } from "./progress.ts";
import { readArchive } from "./read-archive.ts";
import { openSqliteTarget } from "./sqlite-target.ts";

/** What `restoreService` takes. */
export interface RestoreOptions {
  /** A backup that `backupService` wrote, of this version of astro-imprint or an older one. */
  readonly file: string;
  /**
   * Folder that the service will keep its data in.
   *
   * @default ".imprint"
   */
  readonly dataDir?: string;
  /**
   * What to do with a service that is there already: `refuse`, or `keep-aside` in a folder `before-restore-…` of
   * `dataDir`. One that holds nothing is always replaced.
   *
   * @default "refuse"
   */
  readonly existing?: "refuse" | "keep-aside";
  /** Called with how much is put back. */
  readonly onProgress?: OnProgress;
  /** Ends the restore; the place is as it was. */
  readonly signal?: AbortSignal | undefined;
}

/** What was put back. */
export interface Restored {
  /** Absolute path of the folder of the service. */
  readonly dataDir: string;
  /** When the backup was made. */
  readonly savedAt: Date;
  readonly rows: number;
  readonly blobs: number;
  /** The schema that the rows had, and the one that they have. */
  readonly schemaVersion: { readonly from: number; readonly to: number };
  /** Where the service is that was there before. */
  readonly keptAside: string | undefined;
}

/**
 * Puts a service back from a backup. The backup is read to its end before anything is written, and the service appears
 * only when it is whole. Throws `BACKUP_DAMAGED`, `RESTORE_REFUSED` when a service is there or runs, and
 * `STATE_UNREADABLE` for a backup of a newer version.
 */
export async function restoreService({
  dataDir,
  file,
  existing,
  onProgress,
  signal,
}: RestoreOptions): Promise<Restored> {
  const folder = resolve(dataDir ?? ".imprint");
  const path = resolve(file);
  const manifest = await verify(path, signal);
  await makeFolder(folder);
  await checkIsReplaceable(folder, existing ?? "refuse");
  const staging = join(folder, `restoring-${randomUUID()}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    const counts = await unpack({ path, staging, manifest, onProgress, signal });
    // It took a while, in which somebody may have started the service.
    await checkIsReplaceable(folder, existing ?? "refuse");
    const keptAside = await putInPlace(staging, folder);
    const schemaVersion = { from: manifest.schemaVersion, to: latestVersion() };
    return { dataDir: folder, savedAt: new Date(manifest.createdAt), ...counts, schemaVersion, keptAside };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Reads the whole backup, so that a damaged one is refused before anything is touched. */
async function verify(path: string, signal: AbortSignal | undefined): Promise<Manifest> {
  let manifest: Manifest | undefined;
  for await (const piece of readArchive(path)) {
    stopIfAborted(signal);
    if (piece.kind !== "manifest") continue;
    manifest = piece.manifest;
    if (manifest.schemaVersion > latestVersion()) {
      throw new ImprintError("STATE_UNREADABLE", `${path} was made by a newer version of astro-imprint.`, {
        hint: "Update astro-imprint, then restore again.",
      });
    }
  }
  if (manifest === undefined) throw damaged("It is empty.");
  return manifest;
}

interface Unpacking {
  readonly path: string;
  readonly staging: string;
  readonly manifest: Manifest;
  readonly onProgress: OnProgress | undefined;
  readonly signal: AbortSignal | undefined;
}

async function unpack({ path, staging, manifest, onProgress, signal }: Unpacking) {
  const total = { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), blobs: manifest.blobs };
  const blobs = await openBlobs(join(staging, "blobs"));
  const options = { schemaVersion: manifest.schemaVersion, now: new Date() };
  const target = openSqliteTarget(databaseFile(staging), options);
  let done = { rows: 0, blobs: 0 };
  try {
    for await (const piece of readArchive(path)) {
      stopIfAborted(signal);
      if (piece.kind === "rows") {
        await target.insert(piece.table, piece.rows);
        done = { ...done, rows: done.rows + piece.rows.length };
      } else if (piece.kind === "blob") {
        await blobs.write(piece.hash, piece.bytes);
        done = { ...done, blobs: done.blobs + 1 };
      }
      onProgress?.(done, total);
    }
    await target.finish();
  } finally {
    await target.close();
  }
  return done;
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ImprintError("ABORTED", "The restore was interrupted; nothing was changed.", { hint: "Run it again." });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${folder} can't be made: ${messageOf(error)}`, { cause: error });
  }
}

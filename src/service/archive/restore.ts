import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import type { Blobs } from "../store/blobs.ts";
import { databaseFile } from "../store/open-store.ts";
import { latestVersion } from "../store/migrate.ts";
import type { S3Options } from "../store/s3-options.ts";
import { openPlaceBlobs } from "./backup.ts";
import { damaged, type Manifest } from "./format.ts";
import { checkIsReplaceable, putInPlace } from "./place.ts";
import type { ArchiveProgress, OnProgress } from "./progress.ts";
import { readArchive } from "./read-archive.ts";
import type { RowTarget } from "./row-source.ts";
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
  /** A PostgreSQL database in the place of the one in the folder. */
  readonly databaseUrl?: string | undefined;
  /** A bucket in the place of the files in the folder. */
  readonly blobs?: { readonly s3: S3Options } | undefined;
  /**
   * What to do with a service that is there already: `refuse`, or `keep-aside` in a folder `before-restore-…` of
   * `dataDir`, on PostgreSQL in a schema `…_before_…`. One that holds nothing is always replaced.
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
  /** The folder or the schema of the service that was there before. */
  readonly keptAside: string | undefined;
}

/**
 * Puts a service back from a backup. The backup is read to its end before anything is written, and the service appears
 * only when it is whole. Throws `BACKUP_DAMAGED`, `RESTORE_REFUSED` when a service is there or runs, and
 * `STATE_UNREADABLE` for a backup of a newer version.
 */
export async function restoreService(options: RestoreOptions): Promise<Restored> {
  const folder = resolve(options.dataDir ?? ".imprint");
  const path = resolve(options.file);
  const manifest = await verify(path, options.signal);
  const plan = { ...options, path, folder, manifest, existing: options.existing ?? "refuse" };
  const { counts, keptAside } = await (options.databaseUrl === undefined
    ? restoreToFolder(plan)
    : restoreToPostgres(plan, options.databaseUrl));
  const schemaVersion = { from: manifest.schemaVersion, to: latestVersion() };
  return { dataDir: folder, savedAt: new Date(manifest.createdAt), ...counts, schemaVersion, keptAside };
}

interface RestorePlan extends Pick<RestoreOptions, "blobs" | "onProgress" | "signal"> {
  readonly path: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly existing: "refuse" | "keep-aside";
}

interface Outcome {
  readonly counts: ArchiveProgress;
  readonly keptAside: string | undefined;
}

async function restoreToFolder(plan: RestorePlan): Promise<Outcome> {
  const { folder, existing, manifest } = plan;
  makeFolder(folder);
  await checkIsReplaceable(folder, existing);
  const staging = join(folder, `restoring-${randomUUID()}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    // The files of a bucket go to where they belong: until records name them, they are in nobody's way.
    const blobs = await openPlaceBlobs({ ...plan, folder: staging });
    const options = { schemaVersion: manifest.schemaVersion, now: new Date() };
    const counts = await unpack(openSqliteTarget(databaseFile(staging), options), blobs, plan);
    // It took a while, in which somebody may have started the service.
    await checkIsReplaceable(folder, existing);
    return { counts, keptAside: await putInPlace(staging, folder) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function restoreToPostgres(plan: RestorePlan, databaseUrl: string): Promise<Outcome> {
  const { manifest, existing } = plan;
  const { openPostgresTarget } = await import("./postgres-target.ts");
  const options = { schemaVersion: manifest.schemaVersion, now: new Date(), existing };
  const target = await openPostgresTarget(databaseUrl, options);
  try {
    const blobs = await openPlaceBlobs(plan);
    const counts = await unpack({ ...target, close: async () => {} }, blobs, plan);
    return { counts, keptAside: await target.putInPlace() };
  } finally {
    await target.close();
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

async function unpack(
  target: RowTarget,
  blobs: Pick<Blobs, "write">,
  { path, manifest, onProgress, signal }: RestorePlan,
): Promise<ArchiveProgress> {
  const total = { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), blobs: manifest.blobs };
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

function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder, { root: folder, mode: 0o700 });
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${folder} can't be made: ${messageOf(error)}`, { cause: error });
  }
}

import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { AuditAction } from "../../contract/people.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { createId } from "../resources/context.ts";
import type { Blobs } from "../store/blobs.ts";
import { latestVersion } from "../store/migrate.ts";
import { databaseFile, ID_FILE, removeLeftRestores, RESTORING } from "../store/database-file.ts";
import { openSqlite, sqliteCodeOf } from "../store/sqlite.ts";
import { readArchive } from "./archive-file.ts";
import { isThere, openPlaceBlobs, type BackupOptions } from "./backup.ts";
import {
  ALWAYS_FILLED,
  damaged,
  isKeptTable,
  totalOf,
  type ArchiveProgress,
  type Manifest,
  type OnProgress,
  type Row,
  type RowTarget,
} from "./format.ts";
import { openSqliteTarget } from "./sqlite-rows.ts";

/** Options of `restoreService`. */
export interface RestoreOptions extends Pick<BackupOptions, "databaseUrl" | "blobs"> {
  /** A backup written by `backupService` of this version of astro-imprint or an older one. */
  readonly file: string;
  /** Data folder of the restored service. @default ".imprint" */
  readonly dataDir?: string;
  /**
   * What to do with an existing service: `refuse`, or `keep-aside` in a folder `before-restore-…` of `dataDir`, on
   * PostgreSQL in a schema `…_before_…`. An empty one is always replaced.
   *
   * @default "refuse"
   */
  readonly existing?: "refuse" | "keep-aside";
  /** Called with the progress. */
  readonly onProgress?: OnProgress;
  /** Aborts the restore without changes to the existing service. */
  readonly signal?: AbortSignal | undefined;
}

/** A completed restore. */
export interface Restored {
  /** Absolute path of the service's data folder. */
  readonly dataDir: string;
  /** When the backup was made. */
  readonly savedAt: Date;
  readonly rows: number;
  readonly blobs: number;
  /** The schema version of the backup, and the current one. */
  readonly schemaVersion: { readonly from: number; readonly to: number };
  /** The folder or schema in which the previous service was kept. */
  readonly keptAside: string | undefined;
}

/**
 * Restores a service from a backup. Verifies the whole backup before writing anything, and puts the service in place
 * only when it is complete. Throws `BACKUP_DAMAGED`, `RESTORE_REFUSED` if a service exists or is running, and
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
  removeLeftRestores(folder);
  const staging = join(folder, `${RESTORING}${process.pid}-${randomUUID()}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    // Files for a bucket are written to their final place: they do no harm until records reference them.
    const blobs = await openPlaceBlobs({ ...plan, folder: staging });
    const options = { schemaVersion: manifest.schemaVersion, now: new Date() };
    const counts = await unpack(openSqliteTarget(databaseFile(staging), options), blobs, plan);
    // Someone may have started the service meanwhile.
    await checkIsReplaceable(folder, existing);
    return { counts, keptAside: await putInPlace(staging, folder) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function restoreToPostgres(plan: RestorePlan, databaseUrl: string): Promise<Outcome> {
  const { manifest, existing } = plan;
  const { openPostgresTarget } = await import("./postgres-rows.ts");
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

/** Reads the whole backup, so that a damaged one is rejected before anything changes. */
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
  const total = totalOf(manifest);
  const done = { rows: 0, blobs: 0 };
  const entries: Row[] = [];
  try {
    for await (const piece of readArchive(path)) {
      stopIfAborted(signal);
      if (piece.kind === "rows") {
        await target.insert(piece.table, piece.rows);
        if (piece.table === "account")
          entries.push(...piece.rows.map(({ id = null }) => auditEntry(id, path, manifest)));
        done.rows += piece.rows.length;
      } else if (piece.kind === "blob") {
        await blobs.write(piece.hash, piece.bytes);
        done.blobs++;
      }
      onProgress?.({ ...done }, total);
    }
    await target.finish();
    await target.insert("audit_entry", entries);
  } finally {
    await target.close();
  }
  return done;
}

function auditEntry(accountId: Row[string], path: string, { createdAt }: Manifest): Row {
  const action: AuditAction = "backup.restored";
  const what = { action, actor: "the service", actor_id: null, subject: basename(path), subject_id: null };
  const detail = `as of ${createdAt}`;
  const id = createId("aud", randomBytes);
  return { id, account_id: accountId, ...what, detail, address: null, created_at: Date.now() };
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ImprintError("ABORTED", "The restore was interrupted; nothing was changed.", { hint: "Run it again." });
}

function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder, { root: folder, mode: 0o700 });
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${folder} can't be created: ${messageOf(error)}`, { cause: error });
  }
}

// The folder itself stays: it may be a mount point, and imprint keeps other files in it.

const FILES = ["service.sqlite", "service.sqlite-wal", "service.sqlite-shm", ID_FILE, "blobs"] as const;

const SQLITE_BUSY = 5;

/** Throws `RESTORE_REFUSED` if a service is running on a folder or has records that may not be kept aside. */
async function checkIsReplaceable(folder: string, existing: "refuse" | "keep-aside"): Promise<void> {
  const file = databaseFile(folder);
  if (!(await isThere(file))) return;
  const { isRunning, isEmpty } = inspect(file, folder);
  if (isRunning) {
    throw new ImprintError("RESTORE_REFUSED", `A service is running on ${folder}.`, {
      hint: "Stop it, then restore again.",
    });
  }
  if (existing === "refuse" && !isEmpty) {
    throw new ImprintError("RESTORE_REFUSED", `${folder} contains a service with records.`);
  }
}

/**
 * Moves a restored service into place and returns the folder of the previous one, if any. The database moves last: a
 * service that starts in between finds no database instead of one without its files.
 */
async function putInPlace(staging: string, folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const former = FILES.filter((name) => names.includes(name));
  const aside = join(folder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  if (former.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of former) await rename(join(folder, name), join(aside, name));
  // With a bucket, this folder doesn't exist.
  if (await isThere(join(staging, "blobs"))) await rename(join(staging, "blobs"), join(folder, "blobs"));
  await rename(databaseFile(staging), databaseFile(folder));
  if (former.length === 0) return undefined;
  // Files without a database belong to a lost one.
  const isWorthKeeping = (await isThere(databaseFile(aside)))
    ? !inspect(databaseFile(aside), aside).isEmpty
    : former.includes("blobs");
  if (isWorthKeeping) return aside;
  await rm(aside, { recursive: true, force: true });
  return undefined;
}

/** `isEmpty`: the service has no data of its own. */
function inspect(file: string, folder: string): { readonly isRunning: boolean; readonly isEmpty: boolean } {
  try {
    const database = openSqlite(file, { timeoutMs: 200 });
    try {
      // Only an exclusive connection can remove the write-ahead log.
      database.exec("pragma journal_mode = delete");
      const names = database
        .prepare("select name from sqlite_schema where type = 'table'")
        .all()
        .map(({ name }) => String(name))
        .filter((name) => isKeptTable(name) && !ALWAYS_FILLED.has(name));
      const isEmpty =
        names.length > 0 &&
        names.every((name) => database.prepare(`select 1 from "${name}" limit 1`).get() === undefined);
      return { isRunning: false, isEmpty };
    } finally {
      database.close();
    }
  } catch (error) {
    if (sqliteCodeOf(error) === SQLITE_BUSY) return { isRunning: true, isEmpty: false };
    // A damaged database may be the reason for the restore.
    if (sqliteCodeOf(error) !== undefined) return { isRunning: false, isEmpty: false };
    throw new ImprintError("STATE_UNREADABLE", `${folder} can't be inspected: ${messageOf(error)}`, { cause: error });
  }
}

import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import { databaseFile } from "../store/open-store.ts";
import { openSqlite, sqliteCodeOf } from "../store/sqlite.ts";
import { isKeptTable } from "./row-source.ts";

// The folder itself stays: it may be a mount point, and other parts of imprint keep files in it.

const FILES = ["service.sqlite", "service.sqlite-wal", "service.sqlite-shm", "blobs"] as const;

/** Rows of these are there as soon as a service has been started once. */
export const ALWAYS_FILLED: ReadonlySet<string> = new Set([
  "account",
  "request_log",
  "session",
  "sign_in_link",
  "rate_window",
]);

const SQLITE_BUSY = 5;

/** Throws `RESTORE_REFUSED` when a service runs on a folder, or holds something that is not to be kept aside. */
export async function checkIsReplaceable(folder: string, existing: "refuse" | "keep-aside"): Promise<void> {
  const file = databaseFile(folder);
  if (!(await isThere(file))) return;
  const { isRunning, isEmpty } = inspect(file, folder);
  if (isRunning) {
    throw new ImprintError("RESTORE_REFUSED", `A service runs on ${folder}.`, {
      hint: "Stop it, then restore again.",
    });
  }
  if (existing === "refuse" && !isEmpty) {
    throw new ImprintError("RESTORE_REFUSED", `${folder} holds a service with records.`);
  }
}

/**
 * Moves a restored service to its place and gives the folder in which the former one is kept, if there was one. The
 * database moves last: a service that is started in between finds none rather than one without its files.
 */
export async function putInPlace(staging: string, folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const former = FILES.filter((name) => names.includes(name));
  const aside = join(folder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  if (former.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of former) await rename(join(folder, name), join(aside, name));
  // With a bucket there is no such folder.
  if (await isThere(join(staging, "blobs"))) await rename(join(staging, "blobs"), join(folder, "blobs"));
  await rename(databaseFile(staging), databaseFile(folder));
  if (former.length === 0) return undefined;
  const isWorthKeeping = (await isThere(databaseFile(aside))) && !inspect(databaseFile(aside), aside).isEmpty;
  if (isWorthKeeping) return aside;
  await rm(aside, { recursive: true, force: true });
  return undefined;
}

interface Inspection {
  readonly isRunning: boolean;
  /** Whether nobody has put anything into the service. */
  readonly isEmpty: boolean;
}

function inspect(file: string, folder: string): Inspection {
  try {
    const database = openSqlite(file, { timeoutMs: 200 });
    try {
      // Only who has a database for himself may take its write-ahead log away.
      database.exec("pragma journal_mode = delete");
      const names = database
        .prepare("select name from sqlite_schema where type = 'table'")
        .all()
        .map(({ name }) => String(name))
        .filter((name) => isKeptTable(name) && !ALWAYS_FILLED.has(name));
      const isEmpty = names.every((name) => database.prepare(`select 1 from "${name}" limit 1`).get() === undefined);
      return { isRunning: false, isEmpty };
    } finally {
      database.close();
    }
  } catch (error) {
    if (sqliteCodeOf(error) === SQLITE_BUSY) return { isRunning: true, isEmpty: false };
    // A damaged database may be the very reason for the restore.
    if (sqliteCodeOf(error) !== undefined) return { isRunning: false, isEmpty: false };
    throw new ImprintError("STATE_UNREADABLE", `${folder} can't be looked at: ${messageOf(error)}`, { cause: error });
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

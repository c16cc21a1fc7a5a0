import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { codeOf, loadSqlite } from "./memory.ts";

// A lock is a transaction on an empty SQLite file that is never written to. The system ends it when the process ends,
// for whatever reason, so a lock is never stale.

/** A file that only one process can hold at a time. */
export interface ProcessLock {
  /** Releases the lock. Calling it again does nothing. */
  release(): void;
}

/** Who holds a lock; `pid` is `undefined` for a moment while it is taken. */
export interface Holder {
  readonly pid: number | undefined;
}

const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Takes `.imprint/run.lock`, so that two runs of one project don't interfere with each other.
 *
 * @throws ImprintError `RUN_LOCKED` if another run holds it, `STATE_UNWRITABLE` if it can't be written
 */
export function acquireRunLock(projectRoot: string): ProcessLock {
  const folder = join(projectRoot, ".imprint");
  const file = join(folder, "run.lock");
  const lock = tryRunLock(file, folder);
  if ("release" in lock) return lock;
  const holder = lock.pid === undefined ? "Another process" : `The process ${lock.pid}`;
  throw new ImprintError("RUN_LOCKED", `${holder} is publishing this project (${file}).`);
}

function tryRunLock(file: string, folder: string): ProcessLock | Holder {
  try {
    makeOwnFolder(folder);
    return tryProcessLock(file);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Takes a lock, or returns who holds it. The folder must exist. Throws errors of the file system and SQLite. */
export function tryProcessLock(file: string): ProcessLock | Holder {
  const pidFile = `${file}.pid`;
  const db = new (loadSqlite().DatabaseSync)(file);
  try {
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    db.close();
    if (codeOf(error) === BUSY) return { pid: readPid(pidFile) };
    if (codeOf(error) !== NOT_A_DATABASE) throw error;
    // The first edition wrote the holder to this file.
    truncateSync(file);
    return tryProcessLock(file);
  }
  writeFileSync(pidFile, String(process.pid));
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      rmSync(pidFile, { force: true });
      db.close();
    },
  };
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

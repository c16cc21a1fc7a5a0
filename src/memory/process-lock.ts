import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { codeOf, loadSqlite } from "./memory.ts";

// A lock is a transaction on an empty SQLite file in which nothing is ever written. The system ends it with the process,
// however that ends, so that no lock is ever stale.

/** A file that only one process at a time holds. */
export interface ProcessLock {
  /** Lets the next process take it. Calling it again does nothing. */
  release(): void;
}

/** Who holds a lock; `pid` is `undefined` in the moment in which it is taken. */
export interface Holder {
  readonly pid: number | undefined;
}

const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Takes `.imprint/run.lock`, so that two runs on one project do not work against each other.
 *
 * @throws ImprintError `RUN_LOCKED` when another run holds it, `STATE_UNWRITABLE` when it can't be written
 */
export function takeRunLock(projectRoot: string): ProcessLock {
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

/** Takes a lock, or reports who holds it. The folder must exist. Throws what the file system and SQLite throw. */
export function tryProcessLock(file: string): ProcessLock | Holder {
  const pidFile = `${file}.pid`;
  const db = new (loadSqlite().DatabaseSync)(file);
  try {
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    db.close();
    if (codeOf(error) === BUSY) return { pid: readPid(pidFile) };
    if (codeOf(error) !== NOT_A_DATABASE) throw error;
    // The first edition wrote who holds it.
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

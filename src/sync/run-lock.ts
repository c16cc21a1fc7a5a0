import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { tryFileLock, type FileLock, type Living } from "./file-lock.ts";

/** Held while a run works on a project. */
export type RunLock = FileLock;

/**
 * Takes `.imprint/run.lock`, so that two runs on one project do not work against each other. The lock of a process that
 * has ended is taken over.
 *
 * @throws ImprintError `RUN_LOCKED` when another run holds it, `STATE_UNWRITABLE` when it can't be written
 */
export async function takeRunLock(projectRoot: string): Promise<RunLock> {
  const folder = join(projectRoot, ".imprint");
  const file = join(folder, "run.lock");
  const lock = await tryIn(folder, file);
  if ("release" in lock) return lock;
  throw new ImprintError("RUN_LOCKED", `The process ${lock.pid} is publishing this project (${file}).`, {
    hint: `Wait until it has finished, or end the process ${lock.pid}.`,
  });
}

async function tryIn(folder: string, file: string): Promise<FileLock | Living> {
  try {
    makeOwnFolder(folder);
    return await tryFileLock(file);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

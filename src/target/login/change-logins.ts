import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError, messageOf } from "../../base/error.ts";
import { tryFileLock, type FileLock } from "../../sync/file-lock.ts";
import { readLogins, writeLogins, type Logins } from "./login-file.ts";

const LONGEST_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * Changes the logins of a file, one process after the other: a refresh token is good for one use, and two that use it
 * at the same time would both be logged out.
 *
 * @param change gets what is there when its turn has come, and gives what is to be there; the same object: nothing
 */
export async function changeLogins(
  file: string,
  change: (logins: Logins) => Promise<Logins>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Logins> {
  const lock = await takeLock(file, signal);
  try {
    const before = await readLogins(file);
    const after = await change(before);
    if (after !== before) await writeLogins(file, after);
    return after;
  } finally {
    await lock.release();
  }
}

async function takeLock(file: string, signal: AbortSignal | undefined): Promise<FileLock> {
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const lock = await tryLock(`${file}.lock`);
    if ("release" in lock) return lock;
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "The run was interrupted.");
    if (performance.now() > until) {
      throw new ImprintError("STATE_UNWRITABLE", `The process ${lock.pid} does not let go of ${file}.lock.`, {
        hint: `Wait until it has finished, or end the process ${lock.pid}.`,
      });
    }
    await wait(LOOK_EVERY_MS);
  }
}

async function tryLock(file: string): ReturnType<typeof tryFileLock> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return await tryFileLock(file);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

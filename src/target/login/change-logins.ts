import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError, messageOf } from "../../base/error.ts";
import { tryProcessLock, type ProcessLock } from "../../memory/process-lock.ts";
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
    lock.release();
  }
}

async function takeLock(file: string, signal: AbortSignal | undefined): Promise<ProcessLock> {
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const lock = await tryLock(`${file}.lock`);
    if ("release" in lock) return lock;
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "The run was interrupted.");
    if (performance.now() > until) {
      throw new ImprintError(
        "STATE_UNWRITABLE",
        `Another process${lock.pid === undefined ? "" : ` (${lock.pid})`} still holds ${file}.lock.`,
        {
          hint: "Wait until it has finished, or end it.",
        },
      );
    }
    await wait(LOOK_EVERY_MS);
  }
}

async function tryLock(file: string): Promise<ReturnType<typeof tryProcessLock>> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return tryProcessLock(file);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

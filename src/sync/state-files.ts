import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { EMPTY_LOCK, EMPTY_STATE, parseLock, parseState, renderLock } from "./state.ts";
import type { Lock, State } from "./state.ts";

/** The two files of one project and one target. */
export interface StateFiles {
  readLock(): Promise<Lock>;
  writeLock(lock: Lock): Promise<void>;
  /** The state and whether there was one: without it the service is read more closely. */
  readState(): Promise<{ readonly state: State; readonly found: boolean }>;
  writeState(state: State): Promise<void>;
  /** Throws `STATE_UNWRITABLE` unless the state can be written; asked before anything is sent. */
  check(): Promise<void>;
}

/**
 * @param projectRoot absolute path of the project: `imprint.lock.json` stands there, the state in `.imprint/`
 * @param target base address of the service; each target has its own state
 */
export function createStateFiles(projectRoot: string, target: string): StateFiles {
  const lockFile = join(projectRoot, "imprint.lock.json");
  const stateFile = join(projectRoot, ".imprint", "state", `${sha256(target).slice(0, 16)}.json`);

  return {
    async readLock() {
      const text = await readIfThere(lockFile);
      return text === undefined ? EMPTY_LOCK : parseLock(text, lockFile);
    },
    async writeLock(lock) {
      const text = renderLock(lock);
      if (text !== (await readIfThere(lockFile))) await writeWhole(lockFile, text);
    },
    async readState() {
      const text = await readIfThere(stateFile);
      const state = text === undefined ? undefined : parseState(text);
      return { state: state ?? EMPTY_STATE, found: state !== undefined };
    },
    writeState: (state) => writeWhole(stateFile, JSON.stringify(state)),
    async check() {
      const probe = `${stateFile}.${process.pid}.probe`;
      await writeWhole(probe, "ok");
      await rm(probe);
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

// Written beside and renamed, so that a run that is cut off leaves either the old or the new file.
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

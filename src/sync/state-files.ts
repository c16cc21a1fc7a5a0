import { existsSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { replayJournal } from "./state-draft.ts";
import { createJournal, unwritable, type Journal } from "./state-journal.ts";
import { EMPTY_LOCK, parseLock, renderLock, type Lock } from "./lock.ts";
import { EMPTY_STATE, parseJournal, parseState, type State } from "./state.ts";

/** The files of one project and one target. */
export interface StateFiles {
  readLock(): Promise<Lock>;
  writeLock(lock: Lock): Promise<void>;
  /** What the state file and a journal that a run left behind it tell. A damaged file counts as none. */
  readState(): Promise<State>;
  /** Opens a new journal behind the state, which it takes into the state file when it is closed. */
  openJournal(state: State): Promise<OpenJournal>;
  /** Throws `STATE_UNWRITABLE` unless the state can be written; asked before anything is sent. */
  check(): Promise<void>;
  /** Forgets the state. */
  remove(): Promise<void>;
}

export interface OpenJournal extends Journal {
  /** Puts all lines into the state file and removes the journal. */
  close(): Promise<void>;
}

/**
 * @param projectRoot absolute path of the project: `imprint.lock.json` stands there, the state in `.imprint/`
 * @param target base address of the service; each target has its own state
 */
export function createStateFiles(projectRoot: string, target: string): StateFiles {
  const lockFile = join(projectRoot, "imprint.lock.json");
  const stateFile = join(projectRoot, ".imprint", "state", `${sha256(target).slice(0, 16)}.json`);
  const journalFile = stateFile.replace(/json$/, "journal");

  async function readState(): Promise<State> {
    const [text, journal] = [await readIfThere(stateFile), await readIfThere(journalFile)];
    const state = (text === undefined ? undefined : parseState(text)) ?? EMPTY_STATE;
    return journal === undefined ? state : replayJournal(state, parseJournal(journal));
  }

  return {
    async readLock() {
      const text = await readIfThere(lockFile);
      return text === undefined ? EMPTY_LOCK : parseLock(text, lockFile);
    },
    async writeLock(lock) {
      const text = renderLock(lock);
      if (text !== (await readIfThere(lockFile))) await writeWhole(lockFile, text);
    },
    readState,
    async openJournal(state) {
      // What an interrupted run left is taken into the state file before its journal is begun anew.
      if (existsSync(journalFile)) await writeWhole(stateFile, JSON.stringify(state));
      const { close, ...journal } = await createJournal(journalFile);
      return {
        ...journal,
        async close() {
          const hasLines = await close();
          if (hasLines) await writeWhole(stateFile, JSON.stringify(await readState()));
          await rm(journalFile, { force: true });
        },
      };
    },
    async check() {
      const probe = `${stateFile}.${process.pid}.probe`;
      await writeWhole(probe, "ok");
      await rm(probe);
    },
    async remove() {
      for (const file of [stateFile, journalFile]) await rm(file, { force: true });
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
    makeOwnFolder(dirname(file));
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
    throw unwritable(file, error);
  }
}

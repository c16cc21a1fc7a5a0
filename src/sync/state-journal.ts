import { open, type FileHandle } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { dirname } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";

/**
 * What a run learns while it works, line by line behind the state file. Lines are written in groups: those that come
 * while one is written make the next.
 */
export interface Journal {
  add(line: string): void;
  /** Waits until all lines are handed to the system. Throws `STATE_UNWRITABLE`. */
  flush(): Promise<void>;
  /** Waits until all lines survive a loss of power. Throws `STATE_UNWRITABLE`. */
  sync(): Promise<void>;
}

export interface JournalFile extends Journal {
  /** Answers whether anything was written. */
  close(): Promise<boolean>;
}

/** Begins a journal anew. Throws `STATE_UNWRITABLE`. */
export async function createJournal(file: string): Promise<JournalFile> {
  const handle = await openForWriting(file);
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;
  let failure: ImprintError | undefined;
  let hasLines = false;

  // After a failure nothing more is written: what stands behind a line that was cut off is never read.
  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0 && failure === undefined) {
        // Answers come in bunches; what they all teach is one write.
        await nextTurn();
        const group = waiting.join("");
        waiting = [];
        await handle.writeFile(group);
      }
    } catch (error) {
      failure = unwritable(file, error);
    } finally {
      writing = undefined;
    }
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0 || writing !== undefined) {
      if (failure !== undefined) break;
      writing ??= writeAll();
      await writing;
    }
    if (failure !== undefined) throw failure;
  }

  return {
    add(line) {
      hasLines = true;
      waiting.push(line);
      writing ??= writeAll();
    },
    flush,
    async sync() {
      await flush();
      await handle.datasync().catch((error: unknown) => Promise.reject(unwritable(file, error)));
    },
    async close() {
      try {
        await flush();
      } finally {
        await handle.close();
      }
      return hasLines;
    },
  };
}

/** The error for a state file that can't be written. */
export function unwritable(file: string, cause: unknown): ImprintError {
  return new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(cause)}`, { cause });
}

async function openForWriting(file: string): Promise<FileHandle> {
  try {
    makeOwnFolder(dirname(file));
    return await open(file, "w");
  } catch (error) {
    throw unwritable(file, error);
  }
}

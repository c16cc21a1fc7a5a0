import { once } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { CHECKPOINT_PAGES } from "./sqlite.ts";

/** The thread that keeps the write-ahead log of an SQLite file short. */
export interface Checkpoints {
  /** Whether more waits in the log to be copied than should; what can wait does so then. */
  isLogLong(): boolean;
  close(): Promise<void>;
}

export interface CheckpointOptions {
  readonly path: string;
  readonly logger: Logger;
  /** Before a first start, and before one after a death. Default: a second, which a short command never reaches. */
  readonly startAfterMs?: number;
}

// Of 4 KiB: 24 MB.
const LONG_LOG = 6000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./checkpoint-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Starts the thread. While it does not run, the writer copies by itself. */
export function startCheckpoints(
  writer: DatabaseSync,
  { path, logger, startAfterMs = 1000 }: CheckpointOptions,
): Checkpoints {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const frames = new Int32Array(shared);
  let worker: Worker | undefined;
  let timer = setTimeout(start, startAfterMs).unref();
  let isClosed = false;

  function start(): void {
    const started = new Worker(PROGRAM, { workerData: { path, shared } });
    worker = started;
    started.unref();
    started.once("message", () => {
      if (!isClosed) writer.exec("pragma wal_autocheckpoint = 0");
    });
    started.once("error", (error) => logger.warn(`The checkpoint thread failed: ${messageOf(error)}`));
    started.once("exit", () => {
      worker = undefined;
      if (isClosed) return;
      writer.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      frames.fill(0);
      timer = setTimeout(start, startAfterMs).unref();
    });
  }

  return {
    isLogLong() {
      const [log, checkpointed] = [Atomics.load(frames, 0), Atomics.load(frames, 1)];
      // A log that is copied whole begins anew with the next write.
      return log > LONG_LOG && checkpointed < log;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (worker === undefined) return;
      worker.ref();
      const exit = once(worker, "exit");
      worker.postMessage("close");
      await exit;
    },
  };
}

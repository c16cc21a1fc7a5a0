import { once } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { CHECKPOINT_PAGES } from "./sqlite.ts";

/** The thread that keeps the write-ahead log of an SQLite file short. */
export interface Checkpoints {
  /** Whether too much of the log is waiting to be copied; deferrable work is then postponed. */
  isLogLong(): boolean;
  close(): Promise<void>;
}

export interface CheckpointOptions {
  readonly path: string;
  readonly logger: Logger;
  /** Delay before the first start and before a restart. Default: one second, longer than a short command runs. */
  readonly startAfterMs?: number;
}

// Pages of 4 KiB: 24 MB.
const LONG_LOG = 6000;

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./checkpoint-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Starts the thread. While it isn't running, the writer copies the log itself. */
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
      // After a full checkpoint, the next write restarts the log.
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

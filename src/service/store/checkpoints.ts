import { once } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { CHECKPOINT_PAGES } from "./sqlite.ts";

/** The thread that keeps the write-ahead log of an SQLite file short. */
export interface Checkpoints {
  /**
   * Whether the log should become shorter before more is written; deferrable work is then postponed. While the log is
   * long, returns `true` until a checkpoint that began after the first question has copied all of it, because only then
   * the next write starts the log again.
   */
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

// What the thread reports: frames in the log, frames copied, and how many checkpoints it has begun and ended.
const SHARED_NUMBERS = 4;

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./checkpoint-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Starts the thread. While it isn't running, the writer copies the log itself. */
export function startCheckpoints(
  writer: DatabaseSync,
  { path, logger, startAfterMs = 1000 }: CheckpointOptions,
): Checkpoints {
  const shared = new SharedArrayBuffer(SHARED_NUMBERS * Int32Array.BYTES_PER_ELEMENT);
  const numbers = new Int32Array(shared);
  /** The checkpoints that had begun when the log was first found long. */
  let begunBefore: number | undefined;
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
      numbers.fill(0);
      timer = setTimeout(start, startAfterMs).unref();
    });
  }

  return {
    isLogLong() {
      const [log = 0, copied = 0, begun = 0, ended = 0] = Array.from(numbers, (_, index) =>
        Atomics.load(numbers, index),
      );
      begunBefore ??= begun;
      const isLong = log > LONG_LOG && (copied < log || ended <= begunBefore);
      if (!isLong) begunBefore = undefined;
      return isLong;
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

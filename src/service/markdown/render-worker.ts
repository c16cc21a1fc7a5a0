import { Worker } from "node:worker_threads";
import { messageOf } from "../../base/error.ts";
import type { MarkdownText } from "./markdown-to-html.ts";
import type { WorkerResult } from "./worker.ts";

/** A thread that renders one text at a time and is ended when a text takes too much of it. */
export interface RenderWorker {
  render(text: MarkdownText): Promise<WorkerResult>;
  close(): Promise<void>;
}

const MAX_HEAP_MIB = 512;
const IDLE_MS = 60_000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** The thread is started by the first text and ends after a minute without one. It never keeps the process alive. */
export function createRenderWorker(timeLimitMs: number): RenderWorker {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  return {
    async render(text) {
      clearTimeout(idle);
      worker ??= startWorker();
      const { result, isUsable } = await runIn(worker, text, timeLimitMs);
      if (isUsable) idle = setTimeout(stop, IDLE_MS).unref();
      else await stop();
      return result;
    },
    async close() {
      clearTimeout(idle);
      await stop();
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(PROGRAM, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  // Without a listener an error would end the process. The text that caused it listens too.
  worker.on("error", () => {});
  return worker;
}

interface Run {
  readonly result: WorkerResult;
  /** Whether the thread can take another text. */
  readonly isUsable: boolean;
}

async function runIn(worker: Worker, text: MarkdownText, timeLimitMs: number): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const onMessage = (result: WorkerResult): void => resolve({ result, isUsable: true });
  const end = (reason: string): void => resolve({ result: { kind: "failed", reason }, isUsable: false });
  const onError = (error: unknown): void => end(messageOf(error));
  const onExit = (): void => end("the service is closing");
  const timer = setTimeout(() => end(`rendering takes more than ${timeLimitMs} ms`), timeLimitMs);
  worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  worker.ref();
  worker.postMessage(text);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    worker.unref();
  }
}

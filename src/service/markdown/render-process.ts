import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../../base/error.ts";
import type { MarkdownText } from "./markdown-to-html.ts";
import type { RenderResult } from "./render-program.ts";

/** A process that renders one text at a time and is ended when a text takes too much of it. */
export interface RenderProcess {
  render(text: MarkdownText): Promise<RenderResult>;
  close(): Promise<void>;
}

export interface RenderLimits {
  /** Longest time for one text, with the start of the process. */
  readonly timeLimitMs: number;
  /** Largest heap of the process, in MiB. */
  readonly maxHeapMib: number;
}

const IDLE_MS = 60_000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./render-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** The process is started by the first text and ends after a minute without one. It never keeps the service alive. */
export function createRenderProcess({ timeLimitMs, maxHeapMib }: RenderLimits): RenderProcess {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const started = startChild(maxHeapMib);
    started.on("exit", () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function stop(): Promise<void> {
    const stopped = child;
    child = undefined;
    if (stopped !== undefined) await end(stopped);
  }

  return {
    async render(text) {
      clearTimeout(idle);
      child ??= start();
      const { result, isUsable } = await renderIn(child, text, timeLimitMs);
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

function startChild(maxHeapMib: number): ChildProcess {
  const child = fork(PROGRAM, {
    execArgv: [`--max-old-space-size=${maxHeapMib}`],
    // The program needs no setting and no secret of the service.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without a listener an error would end the service. The text that is being rendered listens too.
  child.on("error", () => {});
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.ref();
  child.kill("SIGKILL");
  await exit;
}

interface Run {
  readonly result: RenderResult;
  /** Whether the process can take another text. */
  readonly isUsable: boolean;
}

async function renderIn(child: ChildProcess, text: MarkdownText, timeLimitMs: number): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const fail = (reason: string): void => resolve({ result: { kind: "failed", reason }, isUsable: false });
  const onMessage = (result: RenderResult): void => resolve({ result, isUsable: true });
  const onError = (error: unknown): void => fail(messageOf(error));
  // V8 ends a process without memory by SIGABRT.
  const onExit = (code: number | null, signal: string | null): void =>
    fail(`rendering ended early (${signal ?? code}), as it does without enough memory`);
  const timer = setTimeout(() => fail(`rendering takes more than ${timeLimitMs} ms`), timeLimitMs);
  child.on("message", onMessage).on("error", onError).on("exit", onExit);
  child.ref();
  child.channel?.ref();
  child.send(text, (error) => error !== null && onError(error));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage).off("error", onError).off("exit", onExit);
    child.unref();
    child.channel?.unref();
  }
}

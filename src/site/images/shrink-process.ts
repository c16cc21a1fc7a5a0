import { fork, type ChildProcess } from "node:child_process";
import { messageOf } from "../../base/error.ts";
import type { ShrinkSettings, ShrunkImage } from "./shrink-image.ts";
import type { ShrinkJob, ShrinkResult } from "./shrink-program.ts";

// Encoders take and return hundreds of megabytes in several threads, of which the allocator of glibc keeps most for the
// threads that had them: after 40 photographs of 6 megapixels a process holds 580 MB that nobody uses. What it keeps is
// set by variables of the environment that it reads once, when a process starts.
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: "262144", MALLOC_TRIM_THRESHOLD_: "1048576" };

const IDLE_MS = 1000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./shrink-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

interface ShrinkProcess {
  /** As `shrinkImage`. */
  shrink(original: Uint8Array, settings: ShrinkSettings): Promise<ShrunkImage>;
  isRunning(): boolean;
}

/** A process that makes images smaller. The first image starts it, and it ends soon after the last one. */
export function createShrinkProcess({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}): ShrinkProcess {
  let running: ReturnType<typeof startChild> | undefined;
  let idle: NodeJS.Timeout | undefined;

  return {
    async shrink(original, settings) {
      clearTimeout(idle);
      running = running?.isEnded() === false ? running : startChild();
      const used = running;
      try {
        return await used.run(original, settings);
      } finally {
        // Several images may be done at once, and each would set a time of its own.
        clearTimeout(idle);
        if (used.isIdle()) idle = setTimeout(() => used.end(), idleMs).unref();
      }
    },
    isRunning: () => running?.isEnded() === false,
  };
}

function startChild() {
  const waiting = new Map<number, PromiseWithResolvers<ShrunkImage>>();
  let lastId = 0;
  let isEnded = false;
  const child: ChildProcess = fork(PROGRAM, {
    execArgv: [],
    // The program needs no secret of the run.
    env: { ...ALLOCATOR, UV_THREADPOOL_SIZE: process.env["UV_THREADPOOL_SIZE"] },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });

  function fail(reason: string): void {
    isEnded = true;
    for (const { reject } of waiting.values()) reject(new Error(reason));
  }

  child.on("error", (error) => fail(messageOf(error)));
  child.on("exit", (code, signal) =>
    fail(
      `the process for images ended (${signal ?? code})${signal === "SIGKILL" ? ", as systems end one without enough memory" : ""}`,
    ),
  );
  child.on("message", (result: ShrinkResult) => {
    const job = waiting.get(result.id);
    if (result.kind === "shrunk") job?.resolve(result.image);
    else job?.reject(new Error(result.reason));
  });

  return {
    isEnded: () => isEnded,
    isIdle: () => waiting.size === 0,
    async run(original: Uint8Array, settings: ShrinkSettings): Promise<ShrunkImage> {
      lastId += 1;
      const id = lastId;
      const job = Promise.withResolvers<ShrunkImage>();
      waiting.set(id, job);
      keepAlive(child, waiting.size > 0);
      child.send({ id, original, settings } satisfies ShrinkJob, (error) => error !== null && fail(messageOf(error)));
      try {
        return await job.promise;
      } finally {
        waiting.delete(id);
        keepAlive(child, waiting.size > 0);
      }
    },
    end(): void {
      isEnded = true;
      if (child.connected) child.disconnect();
    },
  };
}

/** The run waits for images that are worked on, and for nothing else of the process. */
function keepAlive(child: ChildProcess, isWorking: boolean): void {
  if (isWorking) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGate } from "../../base/gate.ts";
import { createProgram } from "../../disk/program.ts";
import type { ShrinkJob, ShrinkResult } from "./shrink-program.ts";

// Encoders take and return hundreds of megabytes in several threads, of which the allocator of glibc keeps most for the
// threads that had them. What it keeps is set by variables of the environment that it reads once, when a process starts.
// See docs/decisions/0021.
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "65536",
};

const IDLE_MS = 1000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./shrink-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

interface ShrinkProcess {
  /** As `shrinkImage`. Throws `ProgramEnded` for an image that ends the process even when nothing else is in work. */
  shrink(job: ShrinkJob): Promise<ShrinkResult>;
  isRunning(): boolean;
}

/** A process that makes images smaller. The first image starts it, and it ends soon after the last one. */
export function createShrinkProcess({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}): ShrinkProcess {
  const env = { ...ALLOCATOR, UV_THREADPOOL_SIZE: process.env["UV_THREADPOOL_SIZE"] };
  const options = { execArgv: ["--expose-gc"], env, idleMs };
  const program = createProgram<ShrinkJob, ShrinkResult>(PROGRAM, options);
  const single = createProgram<ShrinkJob, ShrinkResult>(PROGRAM, options);
  const repeats = createGate(1);

  return {
    async shrink(job) {
      if (!program.isRunning()) collectGarbage();
      try {
        return await program.run(job);
      } catch {
        // Alone, each of those in work shows whether it ended the process, and why it can't be decoded: libvips writes
        // the reasons of all images into one text.
        return await repeats.run(() => single.run(job));
      }
    },
    isRunning: () => program.isRunning(),
  };
}

// Rewritten pages leave text behind. This process waits for images now, and so V8 would not look for what nobody needs,
// while the other one takes as much as it may.
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGate } from "../../base/gate.ts";
import { createProgram } from "../../disk/program.ts";
import type { ShrinkJob, ShrinkResult } from "./shrink-program.ts";

// Encoders allocate and free hundreds of megabytes in several threads, and glibc's allocator keeps most of it for those
// threads. How much it keeps is set by environment variables that it reads only when a process starts. See
// docs/decisions/0021.
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "65536",
};

const IDLE_MS = 1000;

// In a template string, so that the compiler doesn't rewrite the name as an import.
const PROGRAM = new URL(`./shrink-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

interface ShrinkProcess {
  /** Like `shrinkImage`. Throws `ProgramEnded` for an image that ends the process even when processed alone. */
  shrink(job: ShrinkJob): Promise<ShrinkResult>;
  isRunning(): boolean;
}

/** A process that makes images smaller. The first image starts it, and it exits soon after the last one. */
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
        // Processed alone, each pending image shows whether it ended the process, and why it can't be decoded: libvips
        // writes the reasons of all images into one text.
        return await repeats.run(() => single.run(job));
      }
    },
    isRunning: () => program.isRunning(),
  };
}

// Rewritten pages leave garbage behind. This process is waiting for images, so V8 wouldn't collect it while the other
// process takes as much memory as it may.
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

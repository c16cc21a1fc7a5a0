import { spinner } from "@clack/prompts";
import type { CliContext } from "./context.ts";
import { isWatched } from "./terminal.ts";

interface Amount {
  readonly rows: number;
  readonly blobs: number;
}

export interface ArchiveProgress {
  readonly onProgress: (done: Amount, total: Amount) => void;
  stop(): void;
}

const SHOWN_AFTER_MS = 1000;

/** How far a backup or a restore is, on a terminal and only when it takes more than a second. */
export function createArchiveProgress(verb: string, { out, environment }: CliContext): ArchiveProgress {
  if (out !== process.stdout || !isWatched(out, environment)) return { onProgress() {}, stop() {} };
  const startedAt = performance.now();
  let shown: ReturnType<typeof spinner> | undefined;
  return {
    onProgress(done, total) {
      if (performance.now() - startedAt < SHOWN_AFTER_MS) return;
      const message = `${verb} ${done.rows}/${total.rows} rows, ${done.blobs}/${total.blobs} files`;
      if (shown !== undefined) return shown.message(message);
      shown = spinner({ withGuide: false });
      shown.start(message);
    },
    stop() {
      shown?.clear();
    },
  };
}

import { progress } from "@clack/prompts";
import type { Outcome } from "../sync/apply.ts";
import { formatBytes, formatDuration } from "../sync/report/words.ts";
import type { CliContext } from "./context.ts";

export interface Progress {
  readonly onOutcome: (outcome: Outcome, total: number) => void;
  stop(): void;
}

const SILENT: Progress = { onOutcome() {}, stop() {} };

/** A bar on a terminal; nothing elsewhere, so that a CI log holds the report only. */
export function createProgress({ out, environment }: CliContext): Progress {
  // The bar itself takes up to 44 columns; a line that wraps would be drawn anew below the old one.
  const columns = Math.max(20, (out.columns ?? 80) - 46);
  if (out !== process.stdout || out.isTTY !== true || environment["CI"]) return SILENT;
  let bar: ReturnType<typeof progress> | undefined;
  let done = 0;
  let sent = 0;
  const startedAt = performance.now();
  return {
    onOutcome({ resource, name, bytes = 0 }, total) {
      if (bar === undefined) {
        bar = progress({ max: total });
        bar.start("Publishing");
      }
      done += 1;
      sent += bytes;
      const left = ((performance.now() - startedAt) / done) * (total - done);
      const figures = `${done}/${total}, ${formatBytes(sent)}, ${formatDuration(left)} left`;
      bar.advance(1, `${figures}: ${resource} ${name}`.slice(0, columns));
    },
    stop: () => bar?.clear(),
  };
}

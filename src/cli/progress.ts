import { progress } from "@clack/prompts";
import type { Outcome } from "../sync/apply.ts";
import type { CliContext } from "./context.ts";

export interface Progress {
  readonly onOutcome: (outcome: Outcome, total: number) => void;
  stop(): void;
}

const SILENT: Progress = { onOutcome() {}, stop() {} };

/** A bar on a terminal; nothing elsewhere, so that a CI log holds the report only. */
export function createProgress({ out, environment }: CliContext): Progress {
  if (out !== process.stdout || out.isTTY !== true || environment["CI"]) return SILENT;
  let bar: ReturnType<typeof progress> | undefined;
  let done = 0;
  return {
    onOutcome({ resource, name }, total) {
      if (bar === undefined) {
        bar = progress({ max: total });
        bar.start("Publishing");
      }
      done += 1;
      bar.advance(1, `${done}/${total} ${resource} ${name}`);
    },
    stop: () => bar?.clear(),
  };
}

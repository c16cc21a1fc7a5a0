import { describeStep, type Step } from "../sync/run.ts";
import { formatBytes, formatDuration } from "../sync/report/words.ts";
import type { CliContext } from "./context.ts";
import { isWatched } from "./terminal.ts";
import type { Outcome } from "../base/outcome.ts";

export interface Progress {
  readonly onStep: (step: Step) => void;
  readonly onOutcome: (outcome: Outcome, total: number) => void;
  stop(): void;
}

const SILENT: Progress = { onStep() {}, onOutcome() {}, stop() {} };

const BAR_COLUMNS = 20;

/** Shows the current step, then a bar, on a terminal only, so that a CI log contains just the report. */
export async function createProgress({ out, environment }: CliContext): Promise<Progress> {
  // A line that wraps would be redrawn below the old one.
  const columns = Math.max(20, (out.columns ?? 80) - BAR_COLUMNS - 8);
  if (out !== process.stdout || !isWatched(out, environment)) return SILENT;
  const { progress, spinner } = await import("@clack/prompts");
  let waiting: ReturnType<typeof spinner> | undefined;
  let bar: ReturnType<typeof progress> | undefined;
  let done = 0;
  let sent = 0;
  let startedAt = performance.now();
  return {
    onStep(step) {
      if (bar !== undefined) {
        bar.clear();
        [bar, waiting] = [undefined, undefined];
      }
      if (waiting === undefined) {
        waiting = spinner({ withGuide: false });
        waiting.start(describeStep(step));
      } else {
        waiting.message(describeStep(step));
      }
    },
    onOutcome({ resource, name, bytes = 0 }, total) {
      if (bar === undefined) {
        waiting?.clear();
        startedAt = performance.now();
        bar = progress({ max: total, size: BAR_COLUMNS, withGuide: false });
        bar.start("Publishing");
      }
      done += 1;
      sent += bytes;
      const left = ((performance.now() - startedAt) / done) * (total - done);
      const figures = `${done}/${total}, ${formatBytes(sent)}, ${formatDuration(left)} left`;
      bar.advance(1, `${figures}: ${resource} ${name}`.slice(0, columns));
    },
    stop() {
      if (bar === undefined) waiting?.clear();
      bar?.clear();
    },
  };
}

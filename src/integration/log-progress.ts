import type { Logger } from "../base/log.ts";
import type { PublishRequest } from "../publish.ts";
import { describeStep } from "../sync/run.ts";

export interface LogProgressOptions {
  readonly logger: Pick<Logger, "info">;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const FIRST_AFTER_MS = 1000;
const NEXT_AFTER_MS = 5000;

/** Logs the current step of a run: nothing in the first second, then a line every few seconds. */
export function createLogProgress({ logger, now }: LogProgressOptions): Pick<PublishRequest, "onStep" | "onOutcome"> {
  let tellAt = now() + FIRST_AFTER_MS;
  let done = 0;

  function report(words: () => string): void {
    if (now() < tellAt) return;
    tellAt = now() + NEXT_AFTER_MS;
    logger.info(words());
  }

  return {
    onStep: (step) => report(() => `${describeStep(step)} …`),
    onOutcome(_, total) {
      done += 1;
      report(() => `Publishing, ${done} of ${total} …`);
    },
  };
}

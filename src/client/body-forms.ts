import type { Logger } from "../base/log.ts";
import { PROBLEMS } from "../contract/problems.ts";
import { failureOf } from "./transport/outcome.ts";

/** Two ways to say the same thing, where the specification does not show which one a service takes. */
export interface BodyForms {
  /** Sends by the first way, and by the second when the service does not take the first. */
  send<Result>(ways: {
    readonly first: () => Promise<Result>;
    readonly second: () => Promise<Result>;
  }): Promise<Result>;
}

export interface BodyFormsOptions {
  readonly logger: Logger;
  /** Said once, when the second way is taken for good. */
  readonly whenLearned: string;
}

// A 400 or 422 may also be about this one content, so that a single one proves nothing about the form.
const REFUSALS_TO_LEARN = 2;

/** Remembers which way the service takes, so that the other is not tried for every record. */
export function createBodyForms({ logger, whenLearned }: BodyFormsOptions): BodyForms {
  let isFirstTaken = false;
  let refusals = 0;

  function learn(status: number | undefined): void {
    const before = refusals;
    refusals += status === 415 ? REFUSALS_TO_LEARN : 1;
    if (before < REFUSALS_TO_LEARN && refusals >= REFUSALS_TO_LEARN && !isFirstTaken) logger.warn(whenLearned);
  }

  return {
    async send({ first, second }) {
      if (!isFirstTaken && refusals >= REFUSALS_TO_LEARN) return second();
      try {
        const result = await first();
        isFirstTaken = true;
        return result;
      } catch (error) {
        if (isFirstTaken || !isAboutForm(error)) throw error;
        const result = await second();
        learn(failureOf(error)?.status);
        return result;
      }
    },
  };
}

// A problem code of our own service says that the content is wrong; it takes both forms.
function isAboutForm(error: unknown): boolean {
  const { status, problemCode } = failureOf(error) ?? {};
  if (status === 415) return true;
  return (status === 400 || status === 422) && !(problemCode !== undefined && problemCode in PROBLEMS);
}

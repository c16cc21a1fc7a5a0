import { applyPlan, type ApplyContext, type Outcome } from "./apply.ts";
import type { Plan } from "./changes.ts";
import { describeInterruption } from "./report/interruption.ts";
import type { StateFiles } from "./state-files.ts";
import { openStateKeeper } from "./state-keeper.ts";
import type { State } from "./state.ts";

const MANY = 100;

export interface JournaledContext extends Omit<ApplyContext, "keeper"> {
  readonly files: StateFiles;
  /** What the state file holds. `state` may know more, from the lock file. */
  readonly own: State;
  /** Number of changes of the plan. */
  readonly total: number;
}

/**
 * Does what a plan says and writes down what it learns as it goes. What ends the run early is thrown with a sentence
 * about what was done until then.
 */
export async function applyWithJournal(plan: Plan, context: JournaledContext): Promise<readonly Outcome[]> {
  const { files, own, state, project, total } = context;
  const journal = await files.openJournal(own);
  const outcomes: Outcome[] = [];
  try {
    const keeper = openStateKeeper(own, journal, { state, project, dialect: context.api.dialect });
    await applyPlan(plan, {
      ...context,
      keeper,
      onOutcome(outcome) {
        outcomes.push(outcome);
        context.onOutcome?.(outcome);
      },
    });
    const learned = context.api.dialect;
    if (Object.keys(learned).length > 0) keeper.rememberIds({ dialect: { ...keeper.ids.dialect, ...learned } });
    // Few requests say little about how many at a time are too many.
    if (outcomes.filter(isSent).length > MANY) keeper.rememberIds({ concurrency: context.api.concurrency });
  } catch (error) {
    await journal.close().catch(() => {});
    throw describeInterruption(error, { outcomes, total });
  }
  try {
    await journal.close();
  } catch (error) {
    throw describeInterruption(error, { outcomes, total });
  }
  return outcomes;
}

function isSent({ kind, status }: Outcome): boolean {
  return status === "done" && kind !== "keep";
}

import { randomUUID } from "node:crypto";
import type { ProbeResult } from "../posts/apply/probe.ts";
import { applyPlan, type Outcome } from "./apply.ts";
import { acceptLimits, lockState } from "./lock.ts";
import type { PlannedRun } from "./plan-run.ts";
import { prove } from "./prove.ts";
import { describeInterruption } from "./report/interruption.ts";
import { findAcceptable } from "./report/report.ts";
import type { Run } from "./run.ts";

// The client decides how many requests are on the way; this only bounds what is held ready in memory.
const CHANGES_AT_ONCE = 128;

// Few requests say little about how many at a time are too many.
const MANY = 100;

export interface ApplyRequest {
  /** Called after every change. */
  readonly onOutcome?: ((outcome: Outcome, total: number) => void) | undefined;
  /**
   * Sends one edited post again to find out whether the service then changes it, and is called with what it showed;
   * `undefined`: there was nothing to try it with. Absent: nothing is tried.
   */
  readonly onProbed?: ((result: ProbeResult | undefined) => void) | undefined;
  /** Whether what the host can't do is recorded as accepted. */
  readonly accept?: boolean | undefined;
}

/** What a run did. */
export interface AppliedRun {
  /** As it was planned in the end: the first page of a host may have shown more of it. */
  readonly planned: PlannedRun;
  readonly outcomes: readonly Outcome[];
  /** What the lock file says is accepted after the run; `undefined`: as before. */
  readonly accepted: readonly string[] | undefined;
}

/**
 * Does what a plan says and writes down what it learns as it goes. What ends the run early is thrown with a sentence
 * about what was done until then.
 */
export async function applyRun(asked: PlannedRun, run: Run, request: ApplyRequest): Promise<AppliedRun> {
  const { files, name } = run.memory;
  const { preview } = run.request;
  const { slugs, postPages } = asked;
  if (preview === undefined) await files.writeLock({ ...(await files.readLock()), slugs, postPages });
  const { planned, outcomes } = await applyWithJournal(asked, run, request);
  const accepted = request.accept === true ? findAcceptable(outcomes) : undefined;
  if (preview === undefined) {
    const lock = lockState(await files.readLock(), name, files.readState());
    await files.writeLock(accepted === undefined ? lock : acceptLimits(lock, name, accepted));
  }
  return { planned, outcomes, accepted };
}

async function applyWithJournal(asked: PlannedRun, run: Run, { onOutcome, onProbed }: ApplyRequest) {
  const { api, memory, request, built, dialect } = run;
  const { files, state } = memory;
  const { project, known, prepare, changes } = asked;
  const total = changes.length;
  let planned = asked;
  const outcomes: Outcome[] = [];
  const isProven = dialect.html !== undefined || request.preview !== undefined || built === undefined;
  const keeper = files.openStore({ state, project, dialect: api.dialect });
  try {
    await applyPlan(asked.plan, {
      api,
      keeper,
      state,
      project,
      prepare,
      posts: { ...asked.posts, onProbed },
      seen: known.seen,
      prove: isProven ? undefined : async (first) => (planned = await prove(first, { planned, run })),
      pageUrl: (slug) => planned.addresses.shown(slug),
      concurrency: CHANGES_AT_ONCE,
      newKey: () => randomUUID(),
      onOutcome(outcome) {
        outcomes.push(outcome);
        onOutcome?.(outcome, total);
      },
    });
    const learned = api.dialect;
    if (Object.keys(learned).length > 0) keeper.rememberIds({ dialect: { ...keeper.ids.dialect, ...learned } });
    if (outcomes.filter(isSent).length > MANY) keeper.rememberIds({ concurrency: api.concurrency });
  } catch (error) {
    await keeper.close().catch(() => {});
    throw describeInterruption(error, { outcomes, total });
  }
  try {
    await keeper.close();
  } catch (error) {
    throw describeInterruption(error, { outcomes, total });
  }
  return { planned, outcomes };
}

function isSent({ kind, status }: Outcome): boolean {
  return status === "done" && kind !== "keep";
}

import { afterAll, describe, expect, it } from "vitest";
import { killAndRunAgain, killWithoutMemory, loseAnswer, runTwoAtOnce, stepsOf, type Verdict } from "./scenarios.ts";
import { createTable } from "./table.ts";
import { createWorld, type World } from "./world.ts";

const LAGS_MS = [0, 5000, 120_000] as const;
const LISTS = ["unpaged", "paged", "cut"] as const;

// The keys are ignored everywhere: a service that stores them is the easy case, which has its own test.
const worlds = (["reject", "upsert", "suffix", "duplicate"] as const).flatMap((repeatedPost) =>
  LAGS_MS.flatMap((listLagMs) =>
    LISTS.flatMap((lists) =>
      (["kept", "cleaned"] as const).map((postHtml) => ({ repeatedPost, listLagMs, lists, postHtml })),
    ),
  ),
);

const FAULTS = [
  { kind: "reset", when: "after-commit" },
  { kind: "reset", when: "before-commit" },
  { kind: "truncate" },
  { kind: "malformed-json" },
  { kind: "status", status: 503, retryAfterSeconds: 1 },
  { kind: "status", status: 429, retryAfterSeconds: 2 },
  { kind: "status", status: 408 },
  { kind: "redirect", location: "/elsewhere" },
  { kind: "refuse" },
] as const;

const LATE = "published within the lag of the list by a run that left no memory here";
const BETWEEN = "published between the other runner's list and its POST";

const table = createTable();
afterAll(() => table.print());

describe.each(worlds)("repeated POST: $repeatedPost, lag $listLagMs ms, lists $lists, HTML $postHtml", (quirks) => {
  const name = [quirks.repeatedPost, `${quirks.listLagMs / 1000} s`, quirks.lists, quirks.postHtml];
  const isCut = quirks.lists === "cut";
  let complaints: string[] = [];

  /** Returns the violated promises. */
  async function inWorld(work: (world: World) => Promise<void>): Promise<readonly string[]> {
    // A truncated list has space for one more post.
    const strangers = isCut ? 9 : 3;
    const world = await createWorld({ quirks: { ...quirks, idempotencyKeys: "ignored" }, strangers });
    complaints = [];
    try {
      await work(world);
      return complaints;
    } finally {
      await world.close();
    }
  }

  const canBeTwice = quirks.repeatedPost === "duplicate" || quirks.repeatedPost === "suffix";
  const isLate = quirks.listLagMs > 0;

  // A duplicate is allowed only if no client could have prevented it. It is then reported, and fails the run. A post that
  // could be missing only from a list isn't sent: posts stay unpublished where the list ends, with a reason.
  function check(row: { scenario: string; where: string; verdict: Verdict; excuse?: string | undefined }): void {
    const { where, verdict, excuse } = row;
    const { duplicates, missing, isReported, reasons } = verdict;
    table.add({ world: name, excuse: undefined, ...row });
    if (duplicates > 0 && (excuse === undefined || !canBeTwice)) complaints.push(`${duplicates} twice ${where}`);
    if (duplicates > 0 && !isReported) complaints.push(`twice and not reported ${where}`);
    if (missing > (isCut ? 2 : 0)) complaints.push(`${missing} missing ${where}`);
    if (missing > 0 && reasons.length === 0) complaints.push(`missing without a reason ${where}`);
  }

  it("a run that is killed at any step and restarted creates no post twice", async () => {
    const broken = await inWorld(async (world) => {
      const steps = await stepsOf(world);
      for (const [step, stepName] of steps.entries()) {
        for (const when of ["before", "after"] as const) {
          const where = `${when} ${stepName} (${step})`;
          const verdict = await killAndRunAgain(world, { step, when });
          check({ scenario: "killed", where, verdict });
        }
      }
    });
    expect(broken).toEqual([]);
  });

  it("a run that is killed and restarted without any memory creates no post twice that a list could show", async () => {
    const broken = await inWorld(async (world) => {
      const steps = await stepsOf(world);
      for (const [step, stepName] of steps.entries()) {
        const where = `after ${stepName} (${step})`;
        const verdict = await killWithoutMemory(world, { step, when: "after" });
        check({ scenario: "no memory", where, verdict, excuse: isLate ? LATE : undefined });
      }
    });
    expect(broken).toEqual([]);
  });

  it("two concurrent runners create a post twice only between reading the list and the POST", async () => {
    const broken = await inWorld(async (world) => {
      const steps = await stepsOf(world);
      for (const [step, stepName] of steps.entries()) {
        const where = `before ${stepName} (${step})`;
        const verdict = await runTwoAtOnce(world, step);
        const isBetween = stepName === "POST post" || stepName === "journal create";
        check({ scenario: "two runners", where, verdict, excuse: isBetween ? BETWEEN : isLate ? LATE : undefined });
      }
    });
    expect(broken).toEqual([]);
  });

  it("a lost or corrupted response causes no second post", async () => {
    const broken = await inWorld(async (world) => {
      for (const skip of [0, 1]) {
        for (const fault of FAULTS) {
          const where = `${JSON.stringify(fault)} at POST ${skip + 1}`;
          const rules = [{ operation: "posts.create", skip, count: 1, fault }];
          const verdict = await loseAnswer(world, { rules });
          check({ scenario: "answer lost", where, verdict });
        }
      }
    });
    expect(broken).toEqual([]);
  });
});

import { expect, it, onTestFinished } from "vitest";
import { killWithoutMemory, runTwoAtOnce, stepsOf } from "./scenarios.ts";
import { createWorld } from "./world.ts";

// The worst world of the matrix, but for a service that keeps Idempotency-Keys, as ours does.
const QUIRKS = { repeatedPost: "duplicate", listLagMs: 120_000, lists: "unpaged", idempotencyKeys: "kept" } as const;

async function openWorld() {
  const world = await createWorld({ quirks: QUIRKS, strangers: 3 });
  onTestFinished(() => world.close());
  return world;
}

it("runs without any memory create no post twice where the service keeps Idempotency-Keys", async () => {
  const world = await openWorld();
  const duplicates: string[] = [];
  for (const [step, name] of (await stepsOf(world)).entries()) {
    const verdict = await killWithoutMemory(world, { step, when: "after" });
    if (verdict.duplicates + verdict.missing > 0) duplicates.push(`${name} (${step})`);
  }
  expect(duplicates).toEqual([]);
});

it("two runners at once create no post twice where the service keeps Idempotency-Keys", async () => {
  const world = await openWorld();
  const duplicates: string[] = [];
  for (const [step, name] of (await stepsOf(world)).entries()) {
    const verdict = await runTwoAtOnce(world, step);
    if (verdict.duplicates + verdict.missing > 0) duplicates.push(`${name} (${step})`);
  }
  expect(duplicates).toEqual([]);
});

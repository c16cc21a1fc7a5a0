import { expect, it, onTestFinished } from "vitest";
import { killAndRunAgain, stepsOf } from "./scenarios.ts";
import { createWorld } from "./world.ts";

// The worst case of the matrix, but for a service that stores Idempotency-Keys, like ours.
const QUIRKS = { repeatedPost: "duplicate", listLagMs: 120_000, lists: "unpaged", idempotencyKeys: "kept" } as const;

async function openWorld() {
  const world = await createWorld({ quirks: QUIRKS, strangers: 3 });
  onTestFinished(() => world.close());
  return world;
}

// Without memory, or with two concurrent runners, attempts are indistinguishable: docs/posts.md says so.
it("a resumed run creates no post twice if the service stores Idempotency-Keys", async () => {
  const world = await openWorld();
  const duplicates: string[] = [];
  for (const [step, name] of (await stepsOf(world)).entries()) {
    const verdict = await killAndRunAgain(world, { step, when: "after" });
    if (verdict.duplicates + verdict.missing > 0) duplicates.push(`${name} (${step})`);
  }
  expect(duplicates).toEqual([]);
});

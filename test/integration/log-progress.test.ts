import { expect, it } from "vitest";
import { createLogProgress } from "../../src/integration/log-progress.ts";
import type { Outcome } from "../../src/base/outcome.ts";

const outcome: Outcome = { resource: "page", kind: "create", name: "about", reason: "new", status: "done" };

function open() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const progress = createLogProgress({ logger: { info: (line) => void lines.push(line) }, now: () => clock.ms });
  return { lines, clock, progress };
}

it("prints nothing in a run of less than a second", () => {
  const { lines, clock, progress } = open();
  progress.onStep?.({ kind: "read" });
  clock.ms = 900;
  progress.onOutcome?.(outcome, 2);
  expect(lines).toEqual([]);
});

it("prints the progress of a long run every few seconds", () => {
  const { lines, clock, progress } = open();
  for (clock.ms = 0; clock.ms <= 6000; clock.ms += 250) {
    progress.onStep?.({ kind: "images", count: { done: clock.ms / 250, total: 40 } });
  }
  for (clock.ms = 11_000; clock.ms <= 13_000; clock.ms += 500) progress.onOutcome?.(outcome, 40);
  expect(lines).toEqual(["Optimizing images, 4 of 40 …", "Optimizing images, 24 of 40 …", "Publishing, 1 of 40 …"]);
});

import { expect, it } from "vitest";
import { createGate } from "../../src/base/gate.ts";

async function startAll(room: number, weights: readonly number[]) {
  const gate = createGate(room);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  weights.forEach((weight, index) => {
    void gate.run(async () => {
      started.push(index);
      await new Promise<void>((end) => (ends[index] = end));
    }, weight);
  });
  await settle();
  return { started, end: async (index: number) => (ends[index]?.(), await settle()) };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

it("starts as many as fit, in order, so that heavy tasks aren't starved", async () => {
  const { started, end } = await startAll(10, [4, 4, 6, 1]);
  expect(started).toEqual([0, 1]);
  await end(0);
  expect(started).toEqual([0, 1, 2]);
  await end(1);
  expect(started).toEqual([0, 1, 2, 3]);
});

it("runs a task alone if it exceeds the capacity", async () => {
  const { started, end } = await startAll(10, [1, 50, 1]);
  expect(started).toEqual([0]);
  await end(0);
  expect(started).toEqual([0, 1]);
  await end(1);
  expect(started).toEqual([0, 1, 2]);
});

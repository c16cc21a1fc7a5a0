import { describe, expect, it } from "vitest";
import { mapPool } from "../../src/base/pool.ts";

describe("mapPool", () => {
  it("returns the results in the order of the items", async () => {
    const results = await mapPool([3, 1, 2], 2, async (item) => {
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20]);
  });

  it("never exceeds its concurrency limit", async () => {
    let running = 0;
    let most = 0;
    await mapPool(Array.from({ length: 20 }), 3, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    expect(most).toBe(3);
  });

  it("starts nothing more after an error, waits for running tasks, and throws the first error", async () => {
    const started: number[] = [];
    const run = mapPool([1, 2, 3, 4, 5, 6], 2, async (item) => {
      started.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("first");
    });
    await expect(run).rejects.toThrow("first");
    expect(started.length).toBeLessThan(6);
  });
});

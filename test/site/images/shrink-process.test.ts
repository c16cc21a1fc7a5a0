import { expect, it } from "vitest";
import { createShrinkProcess } from "../../../src/site/images/shrink-process.ts";
import { photo } from "./pictures.ts";

const settings = { mode: "same-type", formats: [] } as const;

it("starts again for an image that comes after the process was idle and ended", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const original = await (await photo(64, 48)).jpeg({ quality: 95 }).toBuffer();
  const first = await shrinkProcess.shrink(original, settings);
  await expect.poll(() => shrinkProcess.isRunning()).toBe(false);
  expect(await shrinkProcess.shrink(original, settings)).toEqual(first);
});

it("says why an image can't be decoded, and goes on with the others", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const original = await (await photo(64, 48)).jpeg({ quality: 95 }).toBuffer();
  const [broken, whole] = await Promise.allSettled([
    shrinkProcess.shrink(original.subarray(0, 300), settings),
    shrinkProcess.shrink(original, settings),
  ]);
  expect(broken).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/jpeg/i) } });
  expect(whole.status).toBe("fulfilled");
});

it("isn't ended at work when images before were done at the same time", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 20 });
  const original = await (await photo(1200, 800)).jpeg({ quality: 95 }).toBuffer();
  const broken = original.subarray(0, 300);
  for (let round = 0; round < 5; round += 1) {
    await Promise.allSettled(Array.from({ length: 20 }, () => shrinkProcess.shrink(broken, settings)));
    expect(await shrinkProcess.shrink(original, settings)).toMatchObject({ width: 1200, height: 800 });
  }
});

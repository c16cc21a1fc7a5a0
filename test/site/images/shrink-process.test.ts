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

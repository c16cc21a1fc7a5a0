import fc from "fast-check";
import { expect, it } from "vitest";
import { formatTime } from "../../../src/service/resources/fields.ts";

it("formats times like `toISOString`", () => {
  const far = [0, -1, -62_198_755_200_000, 253_402_300_800_000, 8.64e15, -8.64e15].map((ms) => new Date(ms));
  for (const time of far) expect(formatTime(time)).toBe(time.toISOString());
  fc.assert(fc.property(fc.date({ noInvalidDate: true }), (time) => formatTime(time) === time.toISOString()));
  expect(() => formatTime(new Date(Number.NaN))).toThrow(RangeError);
});

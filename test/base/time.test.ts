import { expect, it } from "vitest";
import { formatMinute } from "../../src/base/time.ts";

it("formats a time to the minute, with its time zone", () => {
  expect(formatMinute(new Date("2090-01-01T00:59:59.999+01:00"))).toBe("2089-12-31 23:59 UTC");
});

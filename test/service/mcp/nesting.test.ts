import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedTooDeeply } from "../../../src/service/mcp/parse-message.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of a JSON text", () => {
  it("equals the depth of the parsed value", () => {
    const wrap = (value: unknown, times: number): unknown => (times === 0 ? value : [wrap(value, times - 1)]);
    const property = fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat({ max: 70 }), (value, times) => {
      const wrapped = wrap(value, times);
      expect(isNestedTooDeeply(JSON.stringify(wrapped))).toBe(depthOf(wrapped) > 64);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each(['"[[[[\\"[[["', '{"a":"\\\\\\"[[[["}', "", "[", "]]]]", '"'])(
    "can be determined without errors for %j",
    (text) => {
      expect(isNestedTooDeeply(text)).toBe(false);
    },
  );
});

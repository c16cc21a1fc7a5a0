import fc from "fast-check";
import { expect, it } from "vitest";
import { parseExactJson } from "../../src/base/json.ts";

it("keeps every digit of integers beyond 2^53 as text, and leaves everything else as it is", () => {
  const plain = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ max: 1, min: -1 }),
    fc.array(fc.string()),
  );
  const value = fc.oneof(fc.bigInt(), plain, fc.constant(2n ** 53n), fc.constant(-(2n ** 53n)));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (record) => {
      const text = Object.entries(record).map(
        ([name, each]) => `${JSON.stringify(name)}: ${typeof each === "bigint" ? each : JSON.stringify(each)}`,
      );
      const parsed = parseExactJson(`{${text.join(", ")}}`);
      for (const [name, each] of Object.entries(record)) {
        const read: unknown = Object.getOwnPropertyDescriptor(parsed, name)?.value;
        if (typeof each !== "bigint") expect(JSON.stringify(read)).toBe(JSON.stringify(each));
        else expect(read).toBe(Number.isSafeInteger(Number(each)) ? Number(each) : String(each));
      }
    }),
  );
});

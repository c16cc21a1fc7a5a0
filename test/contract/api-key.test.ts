import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base62, formatApiKey, hasValidChecksum, parseApiKey } from "../../src/contract/api-key.ts";

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe("API keys", () => {
  it("have a fixed format", () => {
    expect(formatApiKey("dev", new Uint8Array(16))).toMatch(/^imp_dev_0{22}_[0-9A-Za-z]{6}$/);
  });

  it("are recognized whatever bytes they contain", () => {
    fc.assert(
      fc.property(sixteenBytes, (random) => {
        const key = formatApiKey("live", random);
        expect(parseApiKey(key)).toEqual({ environment: "live", lastFour: key.slice(-4) });
      }),
    );
  });

  it("are rejected if one character was mistyped", () => {
    fc.assert(
      fc.property(sixteenBytes, fc.nat({ max: 36 }), fc.constantFrom(..."aZ0_-"), (random, at, typed) => {
        const key = formatApiKey("dev", random);
        const mistyped = key.slice(0, at) + typed + key.slice(at + 1);
        expect(hasValidChecksum(mistyped)).toBe(mistyped === key);
      }),
    );
  });

  it("are rejected if two adjacent characters were swapped", () => {
    fc.assert(
      fc.property(sixteenBytes, fc.integer({ min: 8, max: 28 }), (random, at) => {
        const key = formatApiKey("dev", random);
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
        expect(hasValidChecksum(swapped)).toBe(swapped === key);
      }),
    );
  });

  it.each(["", "imp_", "sk_live_abc", "imp_dev_short_123456"])("are not %j", (text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });
});

describe("base62", () => {
  it("encodes the whole number, with leading zeros", () => {
    expect(base62(new Uint8Array(16))).toBe("0".repeat(22));
    expect(base62(new Uint8Array(16).fill(255))).toBe("7n42DGM5Tflk9n8mt7Fhc7");
    expect(base62(Buffer.from("000000000000000000000000000000ff", "hex"))).toBe("0000000000000000000047");
  });

  it("returns different texts of 22 characters for different bytes", () => {
    fc.assert(
      fc.property(sixteenBytes, sixteenBytes, (left, right) => {
        expect(base62(left)).toHaveLength(22);
        expect(base62(left) === base62(right)).toBe(Buffer.from(left).equals(right));
      }),
    );
  });
});

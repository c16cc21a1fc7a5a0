import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetHashPrefix, assetName } from "../../src/sync/asset-name.ts";

const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

describe("assetName", () => {
  it.each([
    ["hero.png", "hero.9f86d081884c7d65.png"],
    ["hero.B3x9.WEBP", "hero-B3x9.9f86d081884c7d65.webp"],
    ["タグ.jpg", "file.9f86d081884c7d65.jpg"],
    ["LICENSE", "LICENSE.9f86d081884c7d65"],
    [".hidden", "hidden.9f86d081884c7d65"],
  ])("names %s %s", (name, expected) => {
    expect(assetName(name, hash)).toBe(expected);
  });

  it("is always recognised again by its hash", () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/), (name, anyHash) => {
        expect(assetHashPrefix(assetName(name, anyHash))).toBe(anyHash.slice(0, 16));
      }),
    );
  });

  it("does not recognise the names of others", () => {
    expect(assetHashPrefix("photo.png")).toBeUndefined();
    expect(assetHashPrefix("photo.9F86D081884C7D65.png")).toBeUndefined();
  });
});

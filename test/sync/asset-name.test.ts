import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetHashPrefix, assetName, parseAssetName } from "../../src/sync/asset-name.ts";

const project = "k3v9x2ab";
const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

describe("assetName", () => {
  it.each([
    ["hero.png", "hero.k3v9x2ab.9f86d081884c7d65.png"],
    ["hero.B3x9.WEBP", "hero-B3x9.k3v9x2ab.9f86d081884c7d65.webp"],
    ["タグ.jpg", "file.k3v9x2ab.9f86d081884c7d65.jpg"],
    ["LICENSE", "LICENSE.k3v9x2ab.9f86d081884c7d65"],
    [".hidden", "hidden.k3v9x2ab.9f86d081884c7d65"],
  ])("names %s %s", (name, expected) => {
    expect(assetName(name, { hash, project })).toBe(expected);
  });

  it("is always recognized by its project and its hash", () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/), (name, anyHash) => {
        expect(parseAssetName(assetName(name, { hash: anyHash, project }))).toEqual({
          prefix: anyHash.slice(0, 16),
          project,
        });
      }),
    );
  });

  it("recognizes names from version 0.1, which contain no project", () => {
    expect(parseAssetName("hero.9f86d081884c7d65.png")).toEqual({ prefix: "9f86d081884c7d65", project: undefined });
  });

  it("doesn't recognize other projects' names", () => {
    expect(assetHashPrefix("photo.png")).toBeUndefined();
    expect(assetHashPrefix("photo.9F86D081884C7D65.png")).toBeUndefined();
  });
});

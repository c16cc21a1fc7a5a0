import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, gradeContrast, deriveColors, readableFrom, readableOn } from "../../src/brand/color/contrast.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

describe("derived colors", () => {
  it("always have a readable contrast: at least 4.5:1", () => {
    fc.assert(
      fc.property(hex, hex, (primary, background) => {
        const derived = new Map(
          deriveColors(
            new Map([
              ["primary", primary],
              ["background", background],
            ]),
          ).map((color) => [color.role, color.hex]),
        );
        const on = derived.get("on-primary") ?? "";
        expect(contrastOf(on, primary)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(on, derived.get("primary-hover") ?? "")).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(derived.get("primary-text") ?? "", background)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 1000 },
    );
  });

  it("name the color that they are derived from", () => {
    expect(deriveColors(new Map([["primary", "#25c2a0"]]))).toEqual([
      { role: "on-primary", hex: "#000000", from: "primary" },
      { role: "primary-hover", hex: expect.stringMatching(/^#[\da-f]{6}$/), from: "primary" },
    ]);
    expect(deriveColors(new Map())).toEqual([]);
  });

  it("keep a readable color unchanged", () => {
    expect(readableFrom("#0d4658", "#ffffff")).toBe("#0d4658");
    expect(readableOn("#ffffff")).toBe("#000000");
  });

  it.each([
    [21, "AAA"],
    [7, "AAA"],
    [4.5, "AA"],
    [4.49, "AA large"],
    [2.99, "fails"],
  ])("rate %s:1 as %s", (contrast, grade) => {
    expect(gradeContrast(contrast)).toBe(grade);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hexOf } from "../../../src/brand/color/contrast.ts";
import { parseColor, parseCustomColor, type ColorContext } from "../../../src/brand/color/css-color.ts";

const LIGHT: ColorContext = { scheme: "light", currentColor: { mode: "rgb", r: 0, g: 0.5, b: 0 } };

function read(text: string, context = LIGHT): string | undefined {
  const color = parseColor(text, context);
  return color === undefined ? undefined : hexOf(color);
}

describe("parseColor", () => {
  it.each([
    ["#25C2A0", "#25c2a0"],
    ["#f0a", "#ff00aa"],
    ["RebeccaPurple", "#663399"],
    ["rgb(37 194 160 / 50%)", "#25c2a0"],
    ["rgba(37, 194, 160, 0.5)", "#25c2a0"],
    ["hsl(171, 100%, 41%)", "#00d1b2"],
    ["hsl(222 47 11)", "#0f1729"],
    ["hsl(0.5turn 100% 25%)", "#008080"],
    ["hwb(120deg 0% 50%)", "#008000"],
    ["lab(50% 0 0)", "#777777"],
    ["lch(50% 0 none)", "#777777"],
    ["oklab(100% 0 0)", "#ffffff"],
    ["oklch(45% .24 277.023)", "#4226d5"],
    ["oklch(from #ff0000 l 0 h)", "#888888"],
    ["rgb(from #204060 calc(r * 2) g b)", "#404060"],
    ["hsl(calc(100 + 71), 100%, calc(40% + 1%))", "#00d1b2"],
    ["color(display-p3 1 1 1)", "#ffffff"],
    ["color(srgb 1 0 0)", "#ff0000"],
    ["color-mix(in srgb, red, blue)", "#800080"],
    ["color-mix(in srgb, red 25%, blue)", "#4000bf"],
    ["color-mix(in oklab, white, black calc(1 * 5%))", "#ededed"],
    ["color-mix(in srgb, color-mix(in srgb, red, blue), #fff)", "#c080c0"],
    ["color-mix(red, blue)", "#8c53a2"],
    ["color-mix(in srgb, currentColor, Canvas)", "#80c080"],
    ["light-dark(#111, #eee)", "#111111"],
    ["rgb(from light-dark(#123456, red) r g b)", "#123456"],
    ["light-dark(light-dark(#111, #222), #eee)", "#111111"],
    ["currentColor", "#008000"],
    ["Canvas", "#ffffff"],
    ["LinkText", "#0000ee"],
  ])("parses %s like a browser", (text, hex) => {
    const found = read(text);
    expect(found).toBeDefined();
    expect(distance(found ?? "", hex)).toBeLessThanOrEqual(6);
  });

  it.each([
    "",
    "none",
    "bold",
    "var(--x)",
    "url(#a)",
    "rgb()",
    "rgb(1 2)",
    "#12",
    "color-mix(in nowhere, red, blue)",
    "rgb(50%, calc(-1e9) 1)",
    "light-dark(red, green, blue)",
    "light-dark(red)",
    "12px",
  ])("doesn't parse %j as a color", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("resolves system colors and light-dark() in the dark scheme", () => {
    expect(read("light-dark(#111, #eee)", { scheme: "dark" })).toBe("#eeeeee");
    expect(read("CanvasText", { scheme: "dark" })).toBe("#ffffff");
  });

  it("keeps an alpha that color-mix() doesn't set", () => {
    expect(parseColor("color-mix(in srgb, red 30%, transparent)", LIGHT)?.alpha).toBeCloseTo(0.3);
    expect(parseColor("color-mix(in srgb, red 20%, blue 20%)", LIGHT)?.alpha).toBeCloseTo(0.4);
  });

  it("never throws, and never leaves sRGB, whatever the input", () => {
    const words = fc.constantFrom(
      "rgb(",
      "oklch(",
      "color-mix(in oklch,",
      "from ",
      "calc(",
      ")",
      "50%",
      "-1e9",
      "/",
      ",",
      " ",
      "red",
      "none",
      "NaN",
      "*",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const color = parseColor(parts.join(""), LIGHT);
        if (color !== undefined) expect(hexOf(color)).toMatch(/^#[\da-f]{6}$/);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseColor(text, LIGHT)).not.toThrow();
      }),
    );
  });
});

describe("parseCustomColor", () => {
  it.each([
    ["222 47% 11%", "#0f1729"],
    ["222, 47%, 11%", "#0f1729"],
    ["13,110,253", "#0d6efd"],
    ["49.12% 0.3096 275.75", "#4a00ff"],
    ["#fff", "#ffffff"],
  ])("parses the bare numbers %s", (text, hex) => {
    const color = parseCustomColor(text, LIGHT);
    expect(distance(color === undefined ? "" : hexOf(color), hex)).toBeLessThanOrEqual(6);
  });

  it.each(["1 2", "1rem 2rem 3rem", "0 0 10px"])("doesn't parse %j as a color", (text) => {
    expect(parseCustomColor(text, LIGHT)).toBeUndefined();
  });
});

/** Maximum difference of a channel, 0 to 255. */
function distance(first: string, second: string): number {
  const channels = (hex: string): readonly number[] =>
    [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  const [a, b] = [channels(first), channels(second)];
  return Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? Infinity))));
}

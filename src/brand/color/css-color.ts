import { clampRgb, converter, parse, type Color, type Rgb } from "culori";
import type { SchemeName } from "../findings.ts";
import { evaluateChannel } from "./channel-value.ts";
import { evaluateColorFunction, parseChannels } from "./color-function.ts";
import { mixColors, parseMixSpace } from "./color-mix.ts";
import { findClosing } from "../css/variables.ts";

/** What a color can depend on at the place where it stands. */
export interface ColorContext {
  /** The scheme in which `light-dark()` and system colors are read. */
  readonly scheme: SchemeName;
  /** What `currentColor` means. */
  readonly currentColor?: Rgb;
}

const toRgb = converter("rgb");

const DEEPEST_FUNCTION = 20;

/** As Chromium paints them: light, dark. */
const SYSTEM_COLORS: ReadonlyMap<string, readonly [light: string, dark: string]> = new Map([
  ["canvas", ["#ffffff", "#121212"]],
  ["canvastext", ["#000000", "#ffffff"]],
  ["linktext", ["#0000ee", "#9e9eff"]],
  ["visitedtext", ["#551a8b", "#d0adf0"]],
  ["activetext", ["#ff0000", "#ff9e9e"]],
  ["buttonface", ["#efefef", "#6b6b6b"]],
  ["buttontext", ["#000000", "#ffffff"]],
  ["buttonborder", ["#767676", "#858585"]],
  ["field", ["#ffffff", "#3b3b3b"]],
  ["fieldtext", ["#000000", "#ffffff"]],
  ["graytext", ["#808080", "#808080"]],
  ["mark", ["#ffff00", "#ffff00"]],
  ["marktext", ["#000000", "#000000"]],
  ["highlight", ["#b5d5ff", "#b5d5ff"]],
  ["highlighttext", ["#000000", "#000000"]],
]);

/**
 * Reads a color as CSS writes it, variables already replaced: every notation, relative colors, `calc()`, `color-mix()`,
 * `light-dark()`, system colors. `undefined` when the text is no color. The result is within sRGB.
 */
export function parseColor(text: string, context: ColorContext): Rgb | undefined {
  const color = parseAnyColor(text.trim(), context, 0);
  return color === undefined ? undefined : normalize(color);
}

/** Same as `parseColor`, in the color space in which the text is written. */
function parseAnyColor(text: string, context: ColorContext, depth: number): Color | undefined {
  if (text === "" || text.length > 2000 || depth > DEEPEST_FUNCTION) return undefined;
  const word = text.toLowerCase();
  if (word === "currentcolor") return context.currentColor;
  if (word === "transparent") return { mode: "rgb", r: 0, g: 0, b: 0, alpha: 0 };
  const system = SYSTEM_COLORS.get(word);
  if (system !== undefined) return parseWithCulori(system[context.scheme === "light" ? 0 : 1]);
  const call = /^([a-z-]+)\(/.exec(word);
  if (call === null) return /^[a-z#]/.test(word) ? parseWithCulori(word) : undefined;
  if (findClosing(text, call[0].length) !== text.length - 1) return undefined;
  const inner = text.slice(call[0].length, -1);
  const parseInner = (part: string): Color | undefined => parseAnyColor(part.trim(), context, depth + 1);
  switch (call[1]) {
    case "light-dark": {
      const parts = splitList(inner);
      return parts.length === 2 ? parseInner(parts[context.scheme === "light" ? 0 : 1] ?? "") : undefined;
    }
    case "color-mix":
      return parseMix(splitList(inner), parseInner);
    default:
      return parseWithCulori(word) ?? evaluateColorFunction(call[1] ?? "", inner, parseInner);
  }
}

function parseWithCulori(text: string): Color | undefined {
  try {
    return parse(text);
  } catch {
    // culori throws on some texts that end in the middle of a number; no color is one of them.
    return undefined;
  }
}

function parseMix(parts: readonly string[], parseInner: (part: string) => Color | undefined): Color | undefined {
  const [method = "", ...mixed] = parts;
  const space = parseMixSpace(method);
  if (space === undefined || mixed.length !== 2) return undefined;
  const inputs = mixed.map((part) => {
    const words = splitWords(part);
    const percent = words.map(percentOf).find((share) => share !== undefined);
    return { color: words.map(parseInner).find((color) => color !== undefined), percent };
  });
  return mixColors(inputs, space);
}

function percentOf(word: string): number | undefined {
  if (!/^-?[\d.]+%$|^calc\(/.test(word)) return undefined;
  const [node] = parseChannels(word);
  const share = node === undefined ? undefined : evaluateChannel(node, new Map());
  return share?.unit === "percent" ? share.value : undefined;
}

/** Splits at the spaces and slashes that stand outside of brackets. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth <= 0 && /[\s/]/.test(character)) {
      if (word !== "") words.push(word);
      word = "";
    } else word += character;
  }
  return word === "" ? words : [...words, word];
}

/** Splits at the commas that stand outside of brackets. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    else if (text[index] === ")") depth -= 1;
    else if (text[index] === "," && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

/**
 * Reads a color that stands in a custom property: also bare numbers that are meant for a color function
 * (`222 47% 11%`, `13, 110, 253`).
 */
export function parseCustomColor(text: string, context: ColorContext): Rgb | undefined {
  return parseColor(text, context) ?? parseBareColor(text.trim(), context);
}

function parseBareColor(text: string, context: ColorContext): Rgb | undefined {
  const number = String.raw`-?\d*\.?\d+`;
  const gap = String.raw`(?:\s*,\s*|\s+)`;
  const matches = (pattern: string): boolean => new RegExp(`^${pattern}$`).test(text);
  const spaced = text.replaceAll(",", " ");
  if (matches(`${number}(?:deg)?${gap}${number}%${gap}${number}%`)) return parseColor(`hsl(${spaced})`, context);
  if (matches(`${number}%${gap}0?\\.\\d+${gap}${number}(?:deg)?`)) return parseColor(`oklch(${spaced})`, context);
  return matches(`\\d{1,3}${gap}\\d{1,3}${gap}\\d{1,3}`) ? parseColor(`rgb(${spaced})`, context) : undefined;
}

function normalize(color: Color): Rgb | undefined {
  const rgb = toRgb(color);
  if (![rgb.r, rgb.g, rgb.b].every(Number.isFinite)) return undefined;
  return clampRgb(rgb);
}

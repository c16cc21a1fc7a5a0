import { color, computedValue } from "@csstools/css-color-parser";
import {
  isFunctionNode,
  isTokenNode,
  isWhiteSpaceOrCommentNode,
  parseCommaSeparatedListOfComponentValues,
  parseComponentValue,
  replaceComponentValues,
  type ComponentValue,
} from "@csstools/css-parser-algorithms";
import { isTokenIdent, tokenize } from "@csstools/css-tokenizer";
import { clampRgb, converter, formatRgb, parse, type Color, type Rgb } from "culori";
import type { SchemeName } from "../findings.ts";

/** Context that a color may depend on. */
export interface ColorContext {
  /** The scheme for `light-dark()` and system colors. */
  readonly scheme: SchemeName;
  /** The value of `currentColor`. */
  readonly currentColor?: Rgb;
}

const toRgb = converter("rgb");

const LONGEST_COLOR = 2000;
const DEEPEST_FUNCTION = 20;

/** As painted by Chromium: light, dark. */
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
 * Parses a CSS color with variables already replaced: every notation, relative colors, `calc()`, `color-mix()`,
 * `light-dark()`, and system colors. Returns `undefined` if the text isn't a color. The result is within sRGB.
 */
export function parseColor(text: string, context: ColorContext): Rgb | undefined {
  const word = text.trim().toLowerCase();
  if (!/^[a-z#]/.test(word) || word.length > LONGEST_COLOR) return undefined;
  if (word === "currentcolor") return context.currentColor && clampRgb(context.currentColor);
  const found =
    parseWithCulori(wordIn(word, context) ?? word) ?? (word.includes("(") ? computeColor(word, context) : undefined);
  if (found === undefined) return undefined;
  const rgb = toRgb(found);
  return [rgb.r, rgb.g, rgb.b].every(Number.isFinite) ? clampRgb(rgb) : undefined;
}

function parseWithCulori(text: string): Color | undefined {
  try {
    return parse(text);
  } catch {
    // culori throws on some texts that end in the middle of a number; none of these are colors.
    return undefined;
  }
}

/** Parses a color that must be computed, such as `oklch(from red calc(l * 0.9) c h)`. */
function computeColor(text: string, context: ColorContext): Color | undefined {
  if (/[;{}!\\"'@]/.test(text) || depthOf(text) > DEEPEST_FUNCTION) return undefined;
  const value = parseComponentValue(tokenize({ css: text }));
  const computed = value === undefined ? false : color(inContext(value, context));
  return computed === false ? undefined : parseWithCulori(computedValue(computed));
}

/** Replaces `light-dark()`, system colors, and `currentcolor` with their values in the context. */
function inContext(value: ComponentValue, context: ColorContext): ComponentValue {
  const replaced = replaceComponentValues([[value]], (part) => {
    if (isFunctionNode(part) && part.getName() === "light-dark") {
      const choices = parseCommaSeparatedListOfComponentValues(part.value.flatMap((inner) => inner.tokens()));
      const chosen = choices[context.scheme === "light" ? 0 : 1] ?? [];
      const [only, ...rest] = chosen.filter((inner) => !isWhiteSpaceOrCommentNode(inner));
      return choices.length === 2 && only !== undefined && rest.length === 0 ? inContext(only, context) : undefined;
    }
    if (!isTokenNode(part) || !isTokenIdent(part.value)) return undefined;
    const meant = wordIn(part.value[4].value, context);
    return meant === undefined ? undefined : parseComponentValue(tokenize({ css: meant }));
  });
  return replaced[0]?.[0] ?? value;
}

/** Returns the CSS value of a system color or `currentcolor` in the context. */
function wordIn(word: string, { scheme, currentColor }: ColorContext): string | undefined {
  if (word === "currentcolor") return currentColor && formatRgb(currentColor);
  return SYSTEM_COLORS.get(word)?.[scheme === "light" ? 0 : 1];
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * Parses a color in a custom property, including bare numbers intended for a color function (`222 47% 11%`, `13, 110,
 * 253`).
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

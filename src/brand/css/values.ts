import type { Rgb } from "culori";
import { BudgetSpent, type Budget } from "../budget.ts";
import { parseColor, type ColorContext } from "../color/css-color.ts";

/** Maximum length of a computed value, in characters: nested `var()` can grow a text without limit. */
const LONGEST_VALUE = 20_000;
const DEEPEST_REFERENCE = 50;

/** Custom properties of an element, its own and inherited ones, as written (`var()` not replaced). */
export interface CustomProperties {
  find(name: string): string | undefined;
}

/**
 * Replaces every `var()` in a value. Returns `undefined` if a variable is missing without a fallback or refers to
 * itself, the value grows too large, or the budget is spent: a browser then treats the value as unset.
 */
export function substituteVariables(value: string, custom: CustomProperties, budget: Budget): string | undefined {
  try {
    return substitute(value, custom, { budget, open: [], cyclic: new Set() });
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

interface Substitution {
  readonly budget: Budget;
  /** Names whose values are being computed. */
  readonly open: readonly string[];
  /** Names whose values refer to themselves, also through others: all of these are unset. */
  readonly cyclic: Set<string>;
}

function substitute(value: string, custom: CustomProperties, state: Substitution): string | undefined {
  if (!/var\(/i.test(value)) return value;
  state.budget.spend(1 + value.length / 100);
  let result = "";
  let position = 0;
  for (const start of value.matchAll(/(?<![\w-])var\(/gi)) {
    if (start.index < position) continue;
    const end = findClosing(value, start.index + start[0].length);
    const replacement = resolveReference(value.slice(start.index + start[0].length, end), custom, state);
    if (replacement === undefined) return undefined;
    result = joinTokens(joinTokens(result, value.slice(position, start.index)), replacement);
    position = end + 1;
    if (result.length > LONGEST_VALUE) return undefined;
  }
  return joinTokens(result, value.slice(position));
}

// Tokens that meet at the end of a `var()` stay two: `var(--white)80%` is a color and a percentage.
function joinTokens(before: string, after: string): string {
  return /[\w%#-]$/.test(before) && /^[\w%#.-]/.test(after) ? `${before} ${after}` : before + after;
}

function resolveReference(inner: string, custom: CustomProperties, state: Substitution): string | undefined {
  const comma = inner.indexOf(",");
  const name = (comma === -1 ? inner : inner.slice(0, comma)).trim();
  const fallback = comma === -1 ? undefined : inner.slice(comma + 1).trim();
  if (state.open.length > DEEPEST_REFERENCE) return undefined;
  const own = custom.find(name);
  const isOpen = state.open.includes(name);
  if (isOpen) for (const each of state.open.slice(state.open.indexOf(name))) state.cyclic.add(each);
  const isUsable = own !== undefined && own !== "initial" && !isOpen;
  const value = isUsable ? substitute(own, custom, { ...state, open: [...state.open, name] }) : undefined;
  if (value !== undefined && !state.cyclic.has(name)) return value;
  return fallback === undefined ? undefined : substitute(fallback, custom, state);
}

/** Position of the matching closing bracket, or the end of the text if there is none. */
function findClosing(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    else if (text[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}

/** Returns the color in a `background` or `background-color` value. A `background` without one paints nothing. */
export function parseBackgroundColor(text: string, context: ColorContext): Rgb | undefined {
  // Only the last layer may have a color.
  return findColor(splitList(text).at(-1) ?? "", context);
}

/** Returns the color in a `border` or `border-color` value; the first if sides differ. */
export function parseBorderColor(text: string, context: ColorContext): Rgb | undefined {
  return /(?:^|\s)(?:none|hidden|0|0px)(?:\s|$)/i.test(text) ? undefined : findColor(text, context);
}

/** The colors of a gradient, each with its position in CSS pixels or as a share of the gradient line. */
export interface Gradient {
  /** As written, with variables replaced. */
  readonly text: string;
  readonly stops: readonly GradientStop[];
}

interface GradientStop {
  readonly color: Rgb;
  readonly px: number | undefined;
  readonly share: number | undefined;
}

/**
 * Parses the first gradient in a `background` or `background-image` value. Also returns `undefined` for a translucent
 * one, which is a pattern or a shade over another color.
 */
export function parseGradient(text: string, context: ColorContext): Gradient | undefined {
  const start = /(?:repeating-)?(?:linear|radial|conic)-gradient\(/i.exec(text);
  if (start === null) return undefined;
  const open = start.index + start[0].length;
  const close = findClosing(text, open);
  const parts = splitList(text.slice(open, close)).slice(0, MOST_STOPS);
  const stops = parts.flatMap((stop): readonly GradientStop[] => {
    const color = findColor(stop, context);
    if (color === undefined) return [];
    const places = splitWords(stop).slice(1);
    const numberBefore = (unit: string) => {
      const place = places.find((part) => part.endsWith(unit) && Number.isFinite(Number.parseFloat(part)));
      return place === undefined ? undefined : Number.parseFloat(place);
    };
    const percent = numberBefore("%");
    const isZero = places[0] === "0";
    return [{ color, px: numberBefore("px"), share: isZero ? 0 : percent === undefined ? undefined : percent / 100 }];
  });
  return stops.length < 2 || stops.some(({ color }) => (color.alpha ?? 1) < 0.5)
    ? undefined
    : { text: text.slice(start.index, close + 1), stops };
}

/** Of a gradient with more stops than anyone writes, only the first are read. */
const MOST_STOPS = 200;

/** Length of a gradient behind a whole page, in CSS pixels: about three viewports. */
const PAGE_LENGTH = 2400;
const SAMPLES = 21;

/** Samples colors along a gradient, evenly spaced over an element as long as a page. */
export function sampleGradient({ stops }: Gradient): readonly Rgb[] {
  const places = placesOf(stops);
  return Array.from({ length: SAMPLES }, (_, index) => {
    const at = index / (SAMPLES - 1);
    const next = places.findIndex((place) => place > at);
    const [after, before] = [stops[next], stops[next - 1]];
    if (after === undefined) return (stops.at(-1) ?? stops[0])?.color ?? WHITE;
    if (before === undefined) return after.color;
    const [from = 0, to = 1] = [places[next - 1], places[next]];
    return mix(before.color, after.color, to === from ? 1 : (at - from) / (to - from));
  });
}

const WHITE: Rgb = { mode: "rgb", r: 1, g: 1, b: 1 };

/** Positions from 0 to 1; unspecified ones are evenly spaced between their neighbors. */
function placesOf(stops: readonly GradientStop[]): readonly number[] {
  const said = stops.map(({ px, share }) => (px === undefined ? share : px / PAGE_LENGTH));
  const last = said.length - 1;
  const ends = said.map((place, index) => place ?? (index === 0 ? 0 : index === last ? 1 : undefined));
  return ends.map((place, index) => {
    if (place !== undefined) return place;
    const before = ends.findLastIndex((other, at) => at < index && other !== undefined);
    const after = ends.findIndex((other, at) => at > index && other !== undefined);
    const [from, to] = [ends[before] ?? 0, ends[after] ?? 1];
    return from + ((to - from) * (index - before)) / (after - before);
  });
}

function mix(first: Rgb, second: Rgb, share: number): Rgb {
  const channel = (from: number, to: number) => from + (to - from) * share;
  return {
    mode: "rgb",
    r: channel(first.r, second.r),
    g: channel(first.g, second.g),
    b: channel(first.b, second.b),
  };
}

function findColor(text: string, context: ColorContext): Rgb | undefined {
  for (const part of splitWords(text)) {
    const color = parseColor(part, context);
    if (color !== undefined) return color;
  }
  return undefined;
}

/** Parses weight, size, and families of a `font` value: `italic 700 1rem/1.5 "Open Sans", sans-serif`. */
export function parseFontShorthand(text: string) {
  const match =
    /^(.*?)(?:^|\s)([\d.]+(?:[a-z]+|%)|calc\(.*?\)|clamp\(.*\)|xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger)(?:\s*\/\s*\S+)?\s+(\S.*)$/is.exec(
      text,
    );
  const family = match?.[3]?.trim();
  if (match === null || family === undefined) return undefined;
  const weight = /(?:^|\s)(bold|bolder|lighter|[1-9]\d{0,2}|1000)(?:\s|$)/i.exec(match[1] ?? "");
  return { family, weight: weight?.[1]?.toLowerCase() ?? "normal", size: match[2] ?? "" };
}

/** Splits at spaces and slashes outside brackets. */
function splitWords(text: string): readonly string[] {
  return splitOutside(text, /[\s/]/).filter((word) => word !== "");
}

/** Splits at commas outside brackets. */
function splitList(text: string): readonly string[] {
  return splitOutside(text, /,/).map((part) => part.trim());
}

/** Splits at separators outside brackets. */
export function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (depth <= 0 && separator.test(character)) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

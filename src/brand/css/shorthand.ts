import type { Rgb } from "culori";
import { parseColor, splitList, splitWords, type ColorContext } from "../color/css-color.ts";
import { findClosing } from "./variables.ts";

/** The color in a `background` or `background-color` value. A `background` without one paints nothing. */
export function parseBackgroundColor(text: string, context: ColorContext): Rgb | undefined {
  // Only the last layer can have a color.
  return findColor(splitList(text).at(-1) ?? "", context);
}

/** The color in a `border` or `border-color` value; of several sides the first. */
export function parseBorderColor(text: string, context: ColorContext): Rgb | undefined {
  return /(?:^|\s)(?:none|hidden|0|0px)(?:\s|$)/i.test(text) ? undefined : findColor(text, context);
}

/** The first color of the first gradient in a `background` or `background-image` value. */
export function parseGradientColor(text: string, context: ColorContext): Rgb | undefined {
  const start = /(?:linear|radial|conic)-gradient\(/i.exec(text);
  if (start === null) return undefined;
  const open = start.index + start[0].length;
  for (const stop of splitList(text.slice(open, findClosing(text, open)))) {
    const color = findColor(stop, context);
    if (color !== undefined && (color.alpha ?? 1) > 0.5) return color;
  }
  return undefined;
}

function findColor(text: string, context: ColorContext): Rgb | undefined {
  for (const part of splitWords(text)) {
    const color = parseColor(part, context);
    if (color !== undefined) return color;
  }
  return undefined;
}

/** Weight and families of a `font` value: `italic 700 1rem/1.5 "Open Sans", sans-serif`. */
export function parseFontShorthand(text: string): { readonly family: string; readonly weight: string } | undefined {
  const match =
    /^(.*?)(?:^|\s)(?:[\d.]+(?:[a-z]+|%)|calc\(.*?\)|clamp\(.*\)|xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger)(?:\s*\/\s*\S+)?\s+(\S.*)$/is.exec(
      text,
    );
  const family = match?.[2]?.trim();
  if (match === null || family === undefined) return undefined;
  const weight = /(?:^|\s)(bold|bolder|lighter|[1-9]\d{0,2}|1000)(?:\s|$)/i.exec(match[1] ?? "");
  return { family, weight: weight?.[1]?.toLowerCase() ?? "normal" };
}

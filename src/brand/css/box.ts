import type { SlotValue } from "./cascade.ts";
import type { SlotName } from "./slots.ts";
import { parseLength, type LengthContext } from "./lengths.ts";
import { splitOutside } from "./values.ts";

/** The box drawn by an element's own styles, in CSS pixels, excluding the elements around it. */
export interface Box {
  /** Padding above and below the content; the smaller of the two. */
  readonly paddingBlock: number;
  /** Padding to the left and right of the content; the smaller of the two. */
  readonly paddingInline: number;
  /** Corner radius; `Infinity` for a pill. */
  readonly radius: number;
  readonly borderWidth: number;
  /** As written, with variables replaced; `undefined` if there is none. */
  readonly shadow: string | undefined;
  readonly maxWidth: number | undefined;
  /** If it is specified as a length. */
  readonly width: number | undefined;
  /** The size that it has along a flexible container, if it is specified as a length. */
  readonly basis: number | undefined;
  /** The width of the first column of its grid, if it is specified as a length. */
  readonly firstTrack: number | undefined;
  /** If it, or its minimum, is specified as a length. */
  readonly height: number | undefined;
  /** Whether both widths include the padding. */
  readonly includesPadding: boolean;
}

export const EMPTY_BOX: Box = {
  paddingBlock: 0,
  paddingInline: 0,
  radius: 0,
  borderWidth: 0,
  shadow: undefined,
  maxWidth: undefined,
  width: undefined,
  basis: undefined,
  firstTrack: undefined,
  height: undefined,
  includesPadding: false,
};

interface BoxContext extends LengthContext {
  valuesOf(slot: SlotName): readonly SlotValue[];
  resolve(value: string): string | undefined;
}

export function computeBox(context: BoxContext): Box {
  const { resolve } = context;
  const first = (slot: SlotName) => {
    const [value] = context.valuesOf(slot);
    const text = value && resolve(value.value)?.trim();
    return value === undefined || text === undefined || text === "" ? undefined : { property: value.property, text };
  };
  const length = (slot: SlotName, side: number): number => {
    const value = first(slot);
    if (value === undefined) return 0;
    const isShorthand = value.property === "padding";
    const parts = splitOutside(value.text, /\s/).filter((part) => part !== "");
    return parseLength((isShorthand ? parts[Math.min(side, parts.length - 1)] : parts[0]) ?? "", context) ?? 0;
  };
  const shadow = first("box-shadow")?.text;
  const sizeOf = (slot: "max-width" | "width" | "height" | "min-height") =>
    parseLength(first(slot)?.text ?? "", context);
  return {
    paddingBlock: length("padding-block", 0),
    paddingInline: length("padding-inline", 1),
    radius: usualRadius(context),
    borderWidth: borderOf(first("border-width"), context),
    shadow: shadow === undefined || /^(?:none|initial|inherit|unset)$/i.test(shadow) ? undefined : shadow,
    maxWidth: sizeOf("max-width"),
    width: sizeOf("width"),
    basis: lastLength(first("flex-basis")?.text ?? "", context),
    firstTrack: firstTrackOf(first("tracks"), context),
    height: sizeOf("height") ?? sizeOf("min-height"),
    includesPadding: /^border-box$/i.test(first("box-sizing")?.text ?? ""),
  };
}

/** Of `0 0 260px`: numbers without units aren't sizes. */
function lastLength(text: string, context: LengthContext): number | undefined {
  const last = splitOutside(text, /\s/).findLast((part) => part !== "") ?? "";
  return /^[\d.]+$/.test(last) ? undefined : parseLength(last, context);
}

/** Of `[side] 16rem minmax(0, 1fr)`, also after the rows of a shorthand: `auto 1fr / 16rem 1fr`. */
function firstTrackOf(
  value: { readonly property: string; readonly text: string } | undefined,
  context: LengthContext,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.property === "grid-template-columns" ? value.text : (splitOutside(value.text, /\//)[1] ?? "");
  const [track = ""] = splitOutside(text.replaceAll(/\[[^\]]*\]/g, " "), /\s/).filter((part) => part !== "");
  const [, least = "", most = ""] = /^minmax\(([^,]*),([^,]*)\)$/i.exec(track) ?? [];
  return parseLength(track, context) ?? parseLength(most, context) ?? parseLength(least, context);
}

const CORNERS = ["border-radius", "radius-top-right", "radius-bottom-right", "radius-bottom-left"] as const;

/** The radius that most corners have; of several, the smallest. */
function usualRadius(context: BoxContext): number {
  const radii = CORNERS.map((corner, place) => {
    const [value] = context.valuesOf(corner);
    return radiusOf(value && cornerOf(value, place, context), context);
  });
  const counts = Map.groupBy(radii, (radius) => radius);
  const [usual = 0] = [...counts.keys()].toSorted(
    (a, b) => (counts.get(b)?.length ?? 0) - (counts.get(a)?.length ?? 0) || a - b,
  );
  return usual;
}

/** The corners of a shorthand that names fewer than four. */
const REPEATED = [0, 1, 0, 1] as const;

function cornerOf({ property, value }: SlotValue, place: number, { resolve }: BoxContext): string | undefined {
  const [horizontal = ""] = resolve(value)?.trim().split("/") ?? [];
  const parts = splitOutside(horizontal, /\s/).filter((part) => part !== "");
  return property === "border-radius" ? (parts[place] ?? parts[REPEATED[place] ?? 0] ?? parts[0]) : parts[0];
}

/** Fully rounded, in any notation: `50%`, `999px`, `calc(infinity * 1px)`. */
const PILL_PX = 100;

function radiusOf(text: string | undefined, context: LengthContext): number {
  if (text === undefined) return 0;
  if (/infinity/i.test(text)) return Infinity;
  const radius = parseLength(text, { ...context, whole: 200 }) ?? 0;
  return radius >= PILL_PX ? Infinity : radius;
}

const BORDER_WORDS: ReadonlyMap<string, number> = new Map([
  ["thin", 1],
  ["medium", 3],
  ["thick", 5],
]);

function borderOf(
  value: { readonly property: string; readonly text: string } | undefined,
  context: LengthContext,
): number {
  if (value === undefined || /(?:^|\s)(?:none|hidden)(?:\s|$)/i.test(value.text)) return 0;
  for (const part of splitOutside(value.text, /\s/)) {
    const width = BORDER_WORDS.get(part.toLowerCase()) ?? parseLength(part, context);
    if (width !== undefined) return width;
  }
  return value.property === "border" ? 3 : 0;
}

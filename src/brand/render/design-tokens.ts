import { formatHex8, parse } from "culori";
import type { BrandDesign } from "../../contract/brand-design.ts";

/** A length in a kit's design. */
export interface MeasureToken {
  readonly group: "radius" | "spacing" | "size" | "border";
  /** Within its group: `button`. */
  readonly name: string;
  readonly pixels: number;
}

export interface ShadowToken {
  readonly name: string;
  /** With alpha if it isn't opaque: `#0000000f`. */
  readonly hex: string;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly blur: number;
  readonly spread: number;
  /** As a `box-shadow` value. */
  readonly css: string;
}

/** Radii, spacing, sizes, and shadows of a design, with the names used by every export. */
export function designTokens(design: BrandDesign | null | undefined): {
  readonly measures: readonly MeasureToken[];
  readonly shadows: readonly ShadowToken[];
} {
  if (design === null || design === undefined) return { measures: [], shadows: [] };
  const { textWidth, textSize, headingSizes, wrapper } = design;
  const parts = (["button", "card"] as const).flatMap((name) => {
    const shape = design[name];
    return shape === null || shape === undefined ? [] : [{ name, shape }];
  });
  const sizes = [
    ["text", textSize],
    ["text-width", textWidth],
    ["page-width", wrapper?.width],
    ...headingSizes.map((size, index) => [`h${index + 1}`, size]),
  ] as const;
  const measures = [
    ...parts.flatMap(({ name, shape }): MeasureToken[] => [
      { group: "radius", name, pixels: shape.radius },
      { group: "spacing", name: `${name}-block`, pixels: shape.paddingBlock },
      { group: "spacing", name: `${name}-inline`, pixels: shape.paddingInline },
      { group: "border", name, pixels: shape.borderWidth },
    ]),
    ...sizes.flatMap(([name, pixels]): MeasureToken[] =>
      typeof pixels === "number" && typeof name === "string" ? [{ group: "size", name, pixels }] : [],
    ),
  ];
  return { measures, shadows: parts.flatMap(({ name, shape }) => readShadow(name, shape.shadow) ?? []) };
}

/** Parses the first outer shadow of a `box-shadow` value; `undefined` if there is none. */
function readShadow(name: string, text: string | null | undefined): ShadowToken | undefined {
  const layers = (text ?? "").split(/,(?![^(]*\))/).map((layer) => layer.trim());
  for (const layer of layers) {
    const match =
      /^(-?[\d.]+)(?:px)?\s+(-?[\d.]+)(?:px)?(?:\s+([\d.]+)(?:px)?)?(?:\s+(-?[\d.]+)(?:px)?)?\s+(\S.*)$/i.exec(layer);
    const color = match === null ? undefined : parse(match[5] ?? "");
    if (match === null || color === undefined) continue;
    const number = (at: number) => Number(match[at] ?? 0);
    const hex = formatHex8(color);
    const lengths = { offsetX: number(1), offsetY: number(2), blur: number(3), spread: number(4) };
    const isSeen = Object.values(lengths).some((length) => length !== 0) && (color.alpha ?? 1) > 0;
    const { offsetX, offsetY, blur, spread } = lengths;
    if (isSeen) return { name, hex, ...lengths, css: `${offsetX}px ${offsetY}px ${blur}px ${spread}px ${hex}` };
  }
  return undefined;
}

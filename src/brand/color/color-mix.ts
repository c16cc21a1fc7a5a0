import { interpolate, type Color } from "culori";

export type MixSpace = "rgb" | "lrgb" | "hsl" | "hwb" | "lab" | "lch" | "oklab" | "oklch" | "p3" | "xyz65";

const SPACES: ReadonlyMap<string, MixSpace> = new Map([
  ["srgb", "rgb"],
  ["srgb-linear", "lrgb"],
  ["display-p3", "p3"],
  ["hsl", "hsl"],
  ["hwb", "hwb"],
  ["lab", "lab"],
  ["lch", "lch"],
  ["oklab", "oklab"],
  ["oklch", "oklch"],
  ["xyz", "xyz65"],
  ["xyz-d65", "xyz65"],
]);

/** Reads the first part of `color-mix()`: `in oklch`. The longer ways around the hue circle are not supported. */
export function parseMixSpace(method: string): MixSpace | undefined {
  const match = /^in\s+([a-z\d-]+)(?:\s+shorter\s+hue)?$/i.exec(method.trim());
  return SPACES.get(match?.[1]?.toLowerCase() ?? "");
}

export interface MixInput {
  readonly color: Color | undefined;
  readonly percent: number | undefined;
}

/** Mixes two colors as CSS Color 5 says: premultiplied, and translucent when the shares do not add up to 100 %. */
export function mixColors([first, second]: readonly MixInput[], space: MixSpace): Color | undefined {
  if (first?.color === undefined || second?.color === undefined) return undefined;
  const a = first.percent ?? 100 - (second.percent ?? 50);
  const b = second.percent ?? 100 - a;
  const sum = a + b;
  if (sum <= 0) return undefined;
  const position = b / sum;
  const alphaA = first.color.alpha ?? 1;
  const alphaB = second.color.alpha ?? 1;
  const alpha = alphaA + (alphaB - alphaA) * position;
  // Mixing premultiplied colors is mixing the plain ones with shares weighted by alpha.
  const weighted = alpha === 0 ? position : (alphaB * position) / alpha;
  const mixed = interpolate([opaque(first.color), opaque(second.color)], space)(weighted);
  return { ...mixed, alpha: alpha * Math.min(1, sum / 100) };
}

function opaque(color: Color): Color {
  return { ...color, alpha: 1 };
}

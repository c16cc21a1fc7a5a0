import { converter, differenceCiede2000, formatHex, wcagContrast, type Oklch, type Rgb } from "culori";

const toOklch = converter("oklch");
const toRgb = converter("rgb");
const difference = differenceCiede2000();

/** Minimum contrast of text for WCAG 2 AA. */
export const READABLE_CONTRAST = 4.5;

type ContrastGrade = "AAA" | "AA" | "AA large" | "fails";

/** Contrast of two opaque colors according to WCAG 2: 1 to 21. */
export function contrastOf(first: string | Rgb, second: string | Rgb): number {
  return wcagContrast(first, second);
}

/** The WCAG 2 grade of a contrast. `AA large`: only for text of at least 24 px, or bold text of at least 19 px. */
export function gradeContrast(contrast: number): ContrastGrade {
  if (contrast >= 7) return "AAA";
  if (contrast >= READABLE_CONTRAST) return "AA";
  return contrast >= 3 ? "AA large" : "fails";
}

/** Perceived difference of two colors (CIEDE2000): below 1 is invisible, below 5 is the same color to most people. */
export function differenceOf(first: string | Rgb, second: string | Rgb): number {
  return difference(first, second);
}

/** The color as `#rrggbb`; its alpha is dropped. */
export function hexOf(color: Rgb): string {
  return formatHex(color);
}

/** The visible color of `top` over an opaque color. */
export function composite(top: Rgb, below: Rgb): Rgb {
  const alpha = top.alpha ?? 1;
  const channel = (a: number, b: number): number => a * alpha + b * (1 - alpha);
  return { mode: "rgb", r: channel(top.r, below.r), g: channel(top.g, below.g), b: channel(top.b, below.b) };
}

/** From 0 for grays to about 0.37 for the most saturated colors of sRGB (OKLCH chroma). */
function chromaOf(color: string | Rgb): number {
  return oklchOf(color)?.c ?? 0;
}

/** Perceived lightness from 0 (black) to 1 (white) (OKLCH). */
export function lightnessOf(color: string | Rgb): number {
  return oklchOf(color)?.l ?? 0;
}

function oklchOf(color: string | Rgb): Oklch | undefined {
  return typeof color === "string" ? toOklch(color) : toOklch(color);
}

/** True for black, white, and grays, including tinted ones. */
export function isNeutral(color: string | Rgb): boolean {
  const lightness = lightnessOf(color);
  // Very dark and very light colors look gray at a chroma that is colorful at medium lightness.
  return chromaOf(color) < (lightness < 0.25 || lightness > 0.93 ? 0.055 : 0.04);
}

/** The same color with the lightness changed by `amount` (-1 to 1), within sRGB. */
export function shiftLightness(hex: string, amount: number): string {
  const oklch = toOklch(hex);
  if (oklch === undefined) return hex;
  return formatHex(toRgb({ ...oklch, l: Math.min(1, Math.max(0, oklch.l + amount)) }));
}

/** The visible color of a share (0 to 1) of `top` over `below`. */
export function mixColors(top: string, below: string, share: number): string {
  const [over, under] = [toRgb(top), toRgb(below)];
  return over === undefined || under === undefined ? below : hexOf(composite({ ...over, alpha: share }, under));
}

/** The same hue at another lightness, with at most `maxChroma` (both OKLCH). */
export function tintOf(
  hex: string,
  { lightness, maxChroma }: { readonly lightness: number; readonly maxChroma: number },
): string {
  const oklch = toOklch(hex);
  if (oklch === undefined) return hex;
  return formatHex(toRgb({ ...oklch, l: lightness, c: Math.min(oklch.c, maxChroma) }));
}

/** The opaque color that a color shows on an opaque background. */
export function solidOn(hex: string, ground: string): string {
  const color = toRgb(hex);
  const below = toRgb(ground);
  return color === undefined || below === undefined ? ground : hexOf(composite(color, below));
}

/** A color that the site doesn't have, derived from one that it has so that text is readable. */
interface DerivedColor {
  readonly role: string;
  readonly hex: string;
  /** The role that it is derived from. */
  readonly from: string;
}

const STEP = 0.01;
/** How much lighter or darker a control becomes on hover (OKLCH lightness). */
const HOVER_SHIFT = 0.06;

/**
 * Derives colors from those of one scheme, if present: `on-primary` for text on the primary color, `primary-hover`, and
 * `primary-text`, the primary color adjusted for text on the background. All text has a contrast of at least 4.5:1.
 */
export function deriveColors(colors: ReadonlyMap<string, string>): readonly DerivedColor[] {
  const background = colors.get("background");
  return ["primary", "accent"].flatMap((role): DerivedColor[] => {
    const hex = colors.get(role);
    if (hex === undefined) return [];
    const on = readableOn(hex);
    return [
      { role: `on-${role}`, hex: on, from: role },
      { role: `${role}-hover`, hex: hoverOf(hex, on), from: role },
      ...(background === undefined ? [] : [{ role: `${role}-text`, hex: readableFrom(hex, background), from: role }]),
    ];
  });
}

/** White or black, whichever is readable on the color; white if both are. */
export function readableOn(hex: string): string {
  return contrastOf("#ffffff", hex) >= READABLE_CONTRAST ? "#ffffff" : "#000000";
}

/**
 * Returns the color itself if it is readable on the background, or else the nearest lighter or darker one that is. Use
 * a smaller `least` for graphics.
 */
export function readableFrom(
  hex: string,
  background: string,
  { least = READABLE_CONTRAST }: { readonly least?: number } = {},
): string {
  const direction = readableOn(background) === "#ffffff" ? STEP : -STEP;
  let current = hex;
  for (let shift = direction; contrastOf(current, background) < least && Math.abs(shift) <= 1; shift += direction) {
    current = shiftLightness(hex, shift);
  }
  return contrastOf(current, background) < least ? readableOn(background) : current;
}

/** Away from the text color, so that the text stays as readable. */
function hoverOf(hex: string, on: string): string {
  return shiftLightness(hex, on === "#ffffff" ? -HOVER_SHIFT : HOVER_SHIFT);
}

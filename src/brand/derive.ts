import { contrastOf, READABLE_CONTRAST, shiftLightness } from "./color/contrast.ts";

/** A color that the site does not have: made from one that it has, so that text stays readable. */
export interface DerivedColor {
  readonly role: string;
  readonly hex: string;
  /** The role that it is made from. */
  readonly from: string;
}

const STEP = 0.01;
/** How much lighter or darker a control becomes under the pointer (lightness of OKLCH). */
const HOVER_SHIFT = 0.06;

/**
 * Colors that go with those of one scheme, as far as these are there: `on-primary` for text on the primary color,
 * `primary-hover`, and `primary-text`, the primary color as it can be used for text on the background. All text reaches
 * a contrast of 4.5:1.
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

/** White or black, whichever can be read on the color; white when both can. */
export function readableOn(hex: string): string {
  return contrastOf("#ffffff", hex) >= READABLE_CONTRAST ? "#ffffff" : "#000000";
}

/**
 * The color itself when it can be read on the background, else the nearest lighter or darker one that can. A smaller
 * `least` is for what is seen and not read.
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

/** Away from the text on it, so that the text is read no worse. */
function hoverOf(hex: string, on: string): string {
  return shiftLightness(hex, on === "#ffffff" ? -HOVER_SHIFT : HOVER_SHIFT);
}

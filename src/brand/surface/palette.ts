import { contrastOf, mixColors, READABLE_CONTRAST, shiftLightness, solidOn, tintOf } from "../color/contrast.ts";
import { readableFrom, readableOn } from "../derive.ts";
import type { SchemeName } from "../findings.ts";

/** The colors of a page that is made in the look of a brand. All are opaque, and all text on its ground is readable. */
export interface SurfacePalette {
  readonly paper: string;
  readonly ink: string;
  /** Text that matters less: dates, captions. */
  readonly soft: string;
  /** Hairlines between things. */
  readonly line: string;
  /** Ground of code and small boxes. */
  readonly surface: string;
  readonly link: string;
  /** The brand's own color, for buttons and marks. */
  readonly fill: string;
  readonly onFill: string;
  readonly fillHover: string;
  /** Outline that keeps the fill apart from the paper: the fill itself where it is seen. */
  readonly edge: string;
}

/** Colors by role: `background`, `text`, `link`, `primary`, `accent`, `surface`, `border`. */
export type RoleColors = ReadonlyMap<string, string>;

const GROUNDS: Readonly<Record<SchemeName, { readonly paper: number; readonly ink: number }>> = {
  light: { paper: 0.985, ink: 0.22 },
  dark: { paper: 0.19, ink: 0.94 },
};
/** Least contrast of what is seen and not read (WCAG 2, 1.4.11). */
const VISIBLE_CONTRAST = 3;
const NEUTRAL = "#6b655e";

/** A palette from the colors that a brand has in a scheme. What is missing or can't be read is made from the rest. */
export function createPalette(colors: RoleColors, scheme: SchemeName): SurfacePalette {
  const white = scheme === "light" ? "#ffffff" : "#000000";
  const seed = solidOn(colors.get("primary") ?? colors.get("accent") ?? colors.get("link") ?? NEUTRAL, white);
  const own = colors.get("background");
  const paper =
    own === undefined ? tintOf(seed, { lightness: GROUNDS[scheme].paper, maxChroma: 0.012 }) : solidOn(own, white);
  const ink = chooseInk(colors.get("text"), {
    paper,
    usual: tintOf(seed, { lightness: GROUNDS[scheme].ink, maxChroma: 0.02 }),
  });
  const surface = chooseSurface(colors.get("surface"), { paper, ink });
  const grounds = { paper, ink, surface };
  const fill = solidOn(colors.get("primary") ?? colors.get("accent") ?? colors.get("link") ?? ink, paper);
  const onFill = readableOn(fill);
  const link = solidOn(colors.get("link") ?? fill, paper);
  return {
    ...grounds,
    soft: readable(mixColors(ink, paper, 0.68), grounds),
    line: chooseLine(colors.get("border"), grounds),
    link: readable(link, grounds),
    fill,
    onFill,
    fillHover: shiftLightness(fill, onFill === "#ffffff" ? -0.06 : 0.06),
    edge: readableFrom(fill, paper, { least: VISIBLE_CONTRAST }),
  };
}

/** The colors of a brand for the scheme that it does not have: its ground and its text change places. */
export function invertColors(colors: RoleColors, scheme: SchemeName): RoleColors {
  const { paper, ink } = GROUNDS[scheme];
  const seed = colors.get("primary") ?? colors.get("accent") ?? colors.get("link") ?? NEUTRAL;
  const inverted = new Map([
    ["background", tintOf(colors.get("text") ?? seed, { lightness: paper, maxChroma: 0.022 })],
    ["text", tintOf(colors.get("background") ?? seed, { lightness: ink, maxChroma: 0.015 })],
  ]);
  for (const role of ["primary", "accent", "link"]) {
    const color = colors.get(role);
    if (color !== undefined) inverted.set(role, color);
  }
  return inverted;
}

interface Grounds {
  readonly paper: string;
  readonly ink: string;
  readonly surface: string;
}

// A color that is hardly seen on the paper was never the color of its text: made darker, it would be a muddy one.
function chooseInk(
  own: string | undefined,
  { paper, usual }: { readonly paper: string; readonly usual: string },
): string {
  const ink = own === undefined ? undefined : solidOn(own, paper);
  const isSeen = ink !== undefined && contrastOf(ink, paper) >= VISIBLE_CONTRAST;
  return readableFrom(isSeen ? ink : usual, paper);
}

function chooseSurface(own: string | undefined, { paper, ink }: Pick<Grounds, "paper" | "ink">): string {
  const candidates = [...(own === undefined ? [] : [solidOn(own, paper)]), mixColors(ink, paper, 0.05)];
  const isReadable = (surface: string) => contrastOf(ink, surface) >= READABLE_CONTRAST;
  return candidates.find((surface) => surface !== paper && isReadable(surface)) ?? paper;
}

function chooseLine(own: string | undefined, { paper, ink }: Grounds): string {
  const line = own === undefined ? paper : solidOn(own, paper);
  const contrast = contrastOf(line, paper);
  return contrast >= 1.08 && contrast <= 3 ? line : mixColors(ink, paper, 0.16);
}

/** The color, or one near it, that can be read on the paper and on boxes; where there is none, the color of text. */
function readable(hex: string, { paper, ink, surface }: Grounds): string {
  const candidates = [readableFrom(hex, paper), readableFrom(readableFrom(hex, paper), surface)];
  const isReadable = (color: string) =>
    [paper, surface].every((ground) => contrastOf(color, ground) >= READABLE_CONTRAST);
  return candidates.find(isReadable) ?? ink;
}

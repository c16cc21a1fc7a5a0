import type { BrandDesign } from "../contract/brand-design.ts";
import type { InMemory } from "../contract/fields.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import {
  contrastOf,
  differenceOf,
  lightnessOf,
  mixColors,
  READABLE_CONTRAST,
  readableFrom,
  readableOn,
  shiftLightness,
  solidOn,
  tintOf,
} from "./color/contrast.ts";
import type { SchemeName } from "./findings.ts";
import { surfaceFonts, type SurfaceFont } from "./surface-fonts.ts";
import { createBands, type Bands } from "./surface-bands.ts";
import { headingWeight, readTokens } from "./tokens.ts";

/** The look of pages for a brand: the service's own pages, and previews of them. */
export interface SurfaceTheme {
  /** The palette for visitors who prefer a scheme. */
  readonly palettes: Readonly<Record<SchemeName, SurfacePalette>>;
  /** The scheme shown to visitors who prefer one: a brand with a background has only its own schemes. */
  readonly shown: Readonly<Record<SchemeName, SchemeName>>;
  /** The scheme for which the brand's logo is drawn. */
  readonly defaultScheme: SchemeName;
  readonly fonts: Readonly<Record<"heading" | "body" | "mono", SurfaceFont>>;
  readonly headingWeight: number;
  /** Header and footer if the site's own aren't used. */
  readonly bands: Readonly<Record<SchemeName, Bands>>;
  /** What is visible around the box that contains pages; `undefined` if pages fill the window. */
  readonly grounds: Readonly<Record<SchemeName, WrapperGround | undefined>>;
}

export interface WrapperGround {
  readonly background: string;
  readonly border: string | undefined;
}

/**
 * Creates the look of pages from a brand kit, light and dark. For any kit, text has a contrast of at least 4.5:1 and
 * all values are safe in a style sheet.
 */
export function createSurfaceTheme({
  design,
  ...kit
}: Pick<BrandKitBody, "colors" | "fonts"> & { readonly design?: InMemory<BrandDesign> | null }): SurfaceTheme {
  const { schemes, defaultScheme } = readTokens({ ...kit, name: "" });
  const colorsOf = (scheme: SchemeName) => {
    const { colors = [] } = schemes.find((own) => own.scheme === scheme) ?? {};
    const own = colors.filter(({ derivedFrom }) => derivedFrom === undefined);
    return own.length === 0 ? undefined : new Map(own.map(({ role, hex }) => [role, hex.toLowerCase()]));
  };
  const usual = colorsOf(defaultScheme) ?? new Map<string, string>();
  const paletteOf = (scheme: SchemeName) => {
    const colors = colorsOf(scheme) ?? (scheme === defaultScheme ? usual : invertColors(usual, scheme));
    const button = design?.surfaces.find((own) => own.part === "button" && own.scheme === scheme);
    return createPalette(colors, scheme, button);
  };
  const fonts = kit.fonts ?? [];
  const heading = fonts.find(({ role }) => role === "heading") ?? fonts.find(({ role }) => role === "body");
  // People recognize a site by its background: with one derived from the text color, it would look like another site.
  const fixed = design?.scheme ?? undefined;
  const shownFor = (scheme: SchemeName) => {
    if (fixed !== undefined && colorsOf(fixed) !== undefined) return fixed;
    return colorsOf(scheme) !== undefined || !usual.has("background") ? scheme : defaultScheme;
  };
  const shown = forSchemes(shownFor);
  const palettes = forSchemes((scheme) => paletteOf(shown[scheme]));
  const papers = forSchemes((scheme) => palettes[scheme].paper);
  const groundIn = (scheme: SchemeName): WrapperGround | undefined => {
    const ground = design?.wrapper?.grounds.find((own) => own.scheme === scheme);
    return ground && { background: ground.background, border: ground.border ?? undefined };
  };
  return {
    palettes,
    shown,
    bands: forSchemes((scheme) => createBands(design, { scheme: shown[scheme], papers, defaultScheme })),
    grounds: forSchemes((scheme) => groundIn(shown[scheme])),
    defaultScheme,
    fonts: surfaceFonts(fonts),
    headingWeight: design?.headingWeight ?? headingWeight(heading?.weights?.toSorted((a, b) => a - b) ?? []),
  };
}

/** Maximum difference (CIEDE2000) between a background and the one that a logo was drawn for. */
const SAME_GROUND = 15;

/**
 * The background of a logo in each scheme: the color on which its site shows it, if the page's own color differs;
 * `transparent` otherwise.
 */
export function plateColors(
  { palettes, bands, shown, defaultScheme }: Pick<SurfaceTheme, "palettes" | "bands" | "shown" | "defaultScheme">,
  logos: ReadonlyMap<string, { readonly background?: string | null | undefined }>,
): Readonly<Record<SchemeName, string>> {
  return forSchemes((scheme) => {
    const logo = logoIn(shown[scheme], logos);
    if (logo === undefined) return "transparent";
    // If only a logo's file is known, assume that it appears on the page of its own scheme.
    const ground = logo.background ?? palettes[logos.has("logo-dark") ? scheme : defaultScheme].paper;
    const around = bands[scheme].header?.background ?? palettes[scheme].paper;
    return differenceOf(ground, around) > SAME_GROUND ? ground : "transparent";
  });
}

function forSchemes<Value>(make: (scheme: SchemeName) => Value): Readonly<Record<SchemeName, Value>> {
  return { light: make("light"), dark: make("dark") };
}

/** Returns the logo for a scheme, or else the default one. */
export function logoIn<Logo>(scheme: SchemeName, logos: ReadonlyMap<string, Logo>): Logo | undefined {
  return (scheme === "dark" ? logos.get("logo-dark") : undefined) ?? logos.get("logo");
}

/** The colors of a page in the look of a brand. All are opaque, and all text is readable on its background. */
export interface SurfacePalette {
  readonly paper: string;
  readonly ink: string;
  /** Text of headings. */
  readonly headingInk: string;
  /** Secondary text: dates, captions. */
  readonly soft: string;
  /** Hairlines. */
  readonly line: string;
  /** Background of code and small boxes. */
  readonly surface: string;
  readonly link: string;
  /** The brand's own color, for buttons and marks. */
  readonly fill: string;
  readonly onFill: string;
  readonly fillHover: string;
  /** Outline that separates the fill from the paper; same as the fill if that is visible. */
  readonly edge: string;
  /** The same for buttons, which may have another color than marks. */
  readonly button: string;
  readonly onButton: string;
  readonly buttonHover: string;
  readonly buttonEdge: string;
}

type Surface = InMemory<BrandDesign>["surfaces"][number];

/** Colors by role: `background`, `text`, `heading`, `link`, `primary`, `accent`, `surface`, `border`. */
export type RoleColors = ReadonlyMap<string, string>;

const GROUNDS: Readonly<Record<SchemeName, { readonly paper: number; readonly ink: number }>> = {
  light: { paper: 0.985, ink: 0.22 },
  dark: { paper: 0.19, ink: 0.94 },
};
/** Minimum contrast of non-text elements (WCAG 2, 1.4.11). */
const VISIBLE_CONTRAST = 3;
const NEUTRAL = "#6b655e";

/** Creates a palette from a brand's colors and its own button in a scheme. Missing or unreadable colors are derived from the others. */
export function createPalette(colors: RoleColors, scheme: SchemeName, button?: Surface): SurfacePalette {
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
    headingInk: chooseInk(colors.get("heading"), { paper, usual: ink }),
    soft: readable(mixColors(ink, paper, 0.68), grounds),
    line: chooseLine(colors.get("border"), grounds),
    link: readable(link, grounds),
    fill,
    onFill,
    fillHover: shiftLightness(fill, onFill === "#ffffff" ? -0.06 : 0.06),
    edge: readableFrom(fill, paper, { least: VISIBLE_CONTRAST }),
    ...buttonColors(button ?? { background: fill, text: onFill }, paper),
  };
}

function buttonColors(
  { background, text, border }: Pick<Surface, "background" | "text" | "border">,
  paper: string,
): Pick<SurfacePalette, "button" | "onButton" | "buttonHover" | "buttonEdge"> {
  const button = background.toLowerCase();
  const own = text.toLowerCase();
  const onButton = contrastOf(own, button) >= READABLE_CONTRAST ? own : readableOn(button);
  const hover = shiftLightness(button, lightnessOf(onButton) > lightnessOf(button) ? -0.06 : 0.06);
  const edge = border?.toLowerCase() ?? button;
  const isSeen = [button, edge].some((color) => contrastOf(color, paper) >= VISIBLE_CONTRAST);
  return {
    button,
    onButton,
    buttonHover: contrastOf(onButton, hover) >= READABLE_CONTRAST ? hover : button,
    buttonEdge: isSeen ? edge : readableFrom(button, paper, { least: VISIBLE_CONTRAST }),
  };
}

/** Derives colors for the scheme that a brand doesn't have by swapping background and text. */
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

// A color barely visible on the paper was never the text color; darkened, it would look muddy.
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

/** Returns the color, or a similar one that is readable on the paper and on boxes, or else the text color. */
function readable(hex: string, { paper, ink, surface }: Grounds): string {
  const candidates = [readableFrom(hex, paper), readableFrom(readableFrom(hex, paper), surface)];
  const isReadable = (color: string) =>
    [paper, surface].every((ground) => contrastOf(color, ground) >= READABLE_CONTRAST);
  return candidates.find(isReadable) ?? ink;
}

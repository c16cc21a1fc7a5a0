import type { BrandKitBody } from "../../contract/requests.ts";
import type { SchemeName } from "../findings.ts";
import { headingWeight, readTokens } from "../tokens.ts";
import { createPalette, invertColors, type SurfacePalette } from "./palette.ts";
import { surfaceFonts, type SurfaceFont } from "./surface-fonts.ts";

/** How pages look that are made for a brand: the surfaces of the service, and previews of them. */
export interface SurfaceTheme {
  readonly palettes: Readonly<Record<SchemeName, SurfacePalette>>;
  /** Which palettes are the brand's own; the others are made from them. */
  readonly ownSchemes: readonly SchemeName[];
  /** The scheme that the brand's logo is drawn for. */
  readonly defaultScheme: SchemeName;
  readonly fonts: Readonly<Record<"heading" | "body" | "mono", SurfaceFont>>;
  readonly headingWeight: number;
}

/**
 * Makes the look of pages from a brand kit, light and dark. Whatever the kit holds, text reaches a contrast of 4.5:1 and
 * all values are safe to stand in a style sheet.
 */
export function createSurfaceTheme(kit: Pick<BrandKitBody, "colors" | "fonts">): SurfaceTheme {
  const { schemes, defaultScheme } = readTokens({ ...kit, name: "" });
  const colorsOf = (scheme: SchemeName) => {
    const colors = schemes
      .find((own) => own.scheme === scheme)
      ?.colors.filter((color) => color.derivedFrom === undefined);
    return colors === undefined || colors.length === 0
      ? undefined
      : new Map(colors.map(({ role, hex }) => [role, hex.toLowerCase()]));
  };
  const usual = colorsOf(defaultScheme) ?? new Map<string, string>();
  const paletteOf = (scheme: SchemeName) =>
    createPalette(colorsOf(scheme) ?? (scheme === defaultScheme ? usual : invertColors(usual, scheme)), scheme);
  const fonts = kit.fonts ?? [];
  const heading = fonts.find(({ role }) => role === "heading") ?? fonts.find(({ role }) => role === "body");
  return {
    palettes: { light: paletteOf("light"), dark: paletteOf("dark") },
    ownSchemes: (["light", "dark"] as const).filter((scheme) => colorsOf(scheme) !== undefined),
    defaultScheme,
    fonts: surfaceFonts(fonts),
    headingWeight: headingWeight(heading?.weights?.toSorted((a, b) => a - b) ?? []),
  };
}

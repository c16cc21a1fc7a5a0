import type { BrandDesign } from "../contract/brand-design.ts";
import type { Frame } from "./frame/frame.ts";

export type SchemeName = "light" | "dark";

export const COLOR_ROLES = ["background", "text", "heading", "link", "primary", "accent", "surface", "border"] as const;
export type ColorRole = (typeof COLOR_ROLES)[number];

export const FONT_ROLES = ["heading", "body", "mono"] as const;
export type FontRole = (typeof FONT_ROLES)[number];

/** Origin of a font's files. `remote`: an `@font-face` on a host that is neither the site's nor Google's. */
export type FontSource = "self-hosted" | "google" | "remote" | "system";

/**
 * Kind of an image. `logo`: shown by the pages as the site's logo; `logo-dark`: the same for dark backgrounds;
 * `organization`: from the site's structured data; `icon`, `touch-icon`: for tabs and home screens.
 */
export type LogoKind = "logo" | "logo-dark" | "organization" | "icon" | "touch-icon";

interface Finding {
  /** 0 to 1: how likely the site's designer would agree. */
  readonly confidence: number;
  /** Evidence for the value, strongest first: `3 buttons`, `--accent`, `theme-color`. */
  readonly evidence: readonly string[];
}

export interface ColorFinding extends Finding {
  /** Opaque, in lowercase: `#25c2a0`. */
  readonly hex: string;
}

export interface FontFinding extends Finding {
  /** The first family as people would name it, without hashes added by bundlers. */
  readonly family: string;
  /** The complete `font-family` list in the styles. */
  readonly stack: string;
  /** 1 to 1000, ascending. Those of the font's files, or else those that the pages use. */
  readonly weights: readonly number[];
  readonly source: FontSource;
  /** Absolute address of the font file, or of the style sheet at Google Fonts. */
  readonly address: string | null;
}

export interface LogoFinding extends Finding {
  readonly kind: LogoKind;
  /** A file, or the text of an SVG in the page itself (without scripts, complete as a standalone file). */
  readonly source:
    | { readonly kind: "address"; readonly address: string }
    | { readonly kind: "svg"; readonly text: string };
  readonly contentType: string | null;
  /** In CSS pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  /** Hex color of its background where the site shows it; `null` if no page shows it. */
  readonly background: string | null;
}

/** Something that couldn't be read, and why. */
export interface BrandProblem {
  /** The address, selector, or custom property concerned. */
  readonly subject: string;
  readonly message: string;
}

export type SchemeColors = { readonly [Role in ColorRole]: ColorFinding | null };

/** What the pages reveal about the brand. `null` if no value is defensible. */
export interface BrandFindings {
  /** The site's name in its metadata or home link. */
  readonly name: string | null;
  readonly home: string;
  /** Addresses of the pages that were read, the home page first. */
  readonly pages: readonly string[];
  /** The scheme that a visitor without a preference sees. */
  readonly defaultScheme: SchemeName;
  /** `null` for a scheme that the site doesn't have. */
  readonly colors: { readonly [Scheme in SchemeName]: SchemeColors | null };
  readonly fonts: { readonly [Role in FontRole]: FontFinding | null };
  /** Colors and measurements of the parts of the home page; `null` if there are no styles to read. */
  readonly design: BrandDesign | null;
  /** Header and footer of the home page; `null` if it has none for other pages, or they weren't requested. */
  readonly frame: Frame | null;
  /** Best first. */
  readonly logos: readonly LogoFinding[];
  readonly problems: readonly BrandProblem[];
}

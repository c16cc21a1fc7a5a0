import type { BrandDesign } from "../contract/brand-design.ts";
import type { Frame } from "./frame/frame.ts";

export type SchemeName = "light" | "dark";

export const COLOR_ROLES = ["background", "text", "link", "primary", "accent", "surface", "border"] as const;
export type ColorRole = (typeof COLOR_ROLES)[number];

export const FONT_ROLES = ["heading", "body", "mono"] as const;
export type FontRole = (typeof FONT_ROLES)[number];

/** Where the files of a font come from. `remote`: an `@font-face` on a host that is neither the site's nor Google's. */
export type FontSource = "self-hosted" | "google" | "remote" | "system";

/**
 * What a picture is. `logo`: shown by the pages as the site's sign; `logo-dark`: the same for dark backgrounds;
 * `organization`: named by the site's structured data; `icon`, `touch-icon`: for tabs and home screens.
 */
export type LogoKind = "logo" | "logo-dark" | "organization" | "icon" | "touch-icon";

interface Finding {
  /** 0 to 1: how likely a designer of the site would agree. */
  readonly confidence: number;
  /** What speaks for the value, the strongest first, in words: `3 buttons`, `--accent`, `theme-color`. */
  readonly evidence: readonly string[];
}

export interface ColorFinding extends Finding {
  /** Opaque, in lower-case letters: `#25c2a0`. */
  readonly hex: string;
}

export interface FontFinding extends Finding {
  /** The first family as a person would name it: without hashes that bundlers add. */
  readonly family: string;
  /** The whole `font-family` list as the styles have it. */
  readonly stack: string;
  /** 1 to 1000, ascending. Those that the font's files have, else those that the pages use. */
  readonly weights: readonly number[];
  readonly source: FontSource;
  /** Absolute address of the font's file, or of the style sheet at Google Fonts. */
  readonly address: string | null;
}

export interface LogoFinding extends Finding {
  readonly kind: LogoKind;
  /** A file, or the text of an SVG that stands in the page itself (without scripts, complete as a file of its own). */
  readonly source:
    | { readonly kind: "address"; readonly address: string }
    | { readonly kind: "svg"; readonly text: string };
  readonly contentType: string | null;
  /** In CSS pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  /** Hex of what it stands on where the site shows it; `null` for what no page shows. */
  readonly background: string | null;
}

/** Something that could not be read, and why. */
export interface BrandProblem {
  /** The address, selector or custom property that it is about. */
  readonly subject: string;
  readonly message: string;
}

export type SchemeColors = { readonly [Role in ColorRole]: ColorFinding | null };

/** What the pages say about the brand. `null` stands where nothing is defensible. */
export interface BrandFindings {
  /** The site's name as its own metadata or home link says it. */
  readonly name: string | null;
  /** Address of the home page. */
  readonly home: string;
  /** Addresses of the pages that were read, the home page first. */
  readonly pages: readonly string[];
  /** The scheme that a visitor without a preference sees. */
  readonly defaultScheme: SchemeName;
  /** `null` for a scheme that the site does not have. */
  readonly colors: { readonly [Scheme in SchemeName]: SchemeColors | null };
  readonly fonts: { readonly [Role in FontRole]: FontFinding | null };
  /** Colors and measures of the parts of the home page; `null` where there are no styles to read. */
  readonly design: BrandDesign | null;
  /** Header and footer of the home page; `null` where it has none for other pages, or nobody asked. */
  readonly frame: Frame | null;
  /** The best one first. */
  readonly logos: readonly LogoFinding[];
  readonly problems: readonly BrandProblem[];
}

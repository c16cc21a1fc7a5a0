import type { BrandDesign } from "../contract/brand-design.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import {
  COLOR_ROLES,
  FONT_ROLES,
  type BrandFindings,
  type ColorRole,
  type FontFinding,
  type FontRole,
  type LogoFinding,
  type SchemeName,
} from "./findings.ts";
import { fallbackFamilies } from "./font/family-name.ts";

type KitColor = NonNullable<BrandKitBody["colors"]>[number];
type KitFont = NonNullable<BrandKitBody["fonts"]>[number];
type KitLogo = NonNullable<BrandKitBody["logos"]>[number];

/** Values set by the user. They override what was found on the site. */
export interface PinnedBrand {
  /** Hex by role; prefix a role of the other scheme: `dark-primary`. Custom roles are allowed. */
  readonly colors?: Readonly<Record<string, string>>;
  /** Family by role: `heading`, `body`, `mono`, or a custom one. */
  readonly fonts?: Readonly<Record<string, string>>;
  /** File by kind: `logo`, `logo-dark`, `icon`, … */
  readonly logos?: Readonly<Record<string, PinnedLogo>>;
}

export interface PinnedLogo {
  readonly url: string;
  readonly contentType?: string;
  /** In CSS pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface KitOptions {
  readonly pinned?: PinnedBrand;
  /** Name of the kit. Default: the site's name, or else `Brand`. */
  readonly name?: string;
  /** Returns the address of a logo on the service, or `undefined` to omit it. Default: its address on the site. */
  readonly logoUrl?: (logo: LogoFinding) => string | undefined;
  /** Returns the address of a font file, or `undefined` to omit it. Default: its address on the site. */
  readonly fontUrl?: (font: FontFinding) => string | undefined;
  /** Colors with a lower confidence are omitted. @default 0.3 */
  readonly minConfidence?: number;
  readonly sourceUrl?: string;
}

/** Confidence of the least certain colors of a kit. */
export const LEAST_CONFIDENCE = 0.3;

/**
 * Converts the findings to a brand kit. Roles of the default scheme have plain names (`primary`); those of the other
 * scheme are prefixed (`dark-primary`). The same findings always produce the same kit, in the same order.
 */
export function toBrandKit(findings: BrandFindings, options: KitOptions = {}): BrandKitBody {
  const {
    pinned = {},
    sourceUrl,
    logoUrl = ({ source }) => (source.kind === "address" ? placeOf(source.address) : undefined),
    fontUrl = ({ address }) => (address !== null && address.length <= 2048 ? placeOf(address) : undefined),
  } = options;
  const colors = Object.entries(pinnedColors(findings, pinned)).map(([role, hex]) => ({ role, hex }));
  const fonts = Object.entries(pinned.fonts ?? {}).map(([role, family]) => ({ role, family }));
  const logos = Object.entries(pinned.logos ?? {}).map(([kind, logo]) => ({ kind, ...logo }));
  return {
    name: options.name ?? findings.name ?? "Brand",
    colors: pin<KitColor>(colorsOf(findings, options.minConfidence ?? LEAST_CONFIDENCE), colors, (own, value) => {
      return { name: titleOf(value.role), ...own, ...value };
    }),
    // Weights, files, and fallbacks belong to the family that was found.
    fonts: pin<KitFont>(fontsOf(findings, fontUrl), fonts, (own, value) => {
      return own?.family === value.family ? own : value;
    }),
    logos: pin<KitLogo>(logosOf(findings, logoUrl), logos, (own, value) => {
      return own?.url === value.url ? own : value;
    }),
    ...(sourceUrl === undefined ? {} : { sourceUrl }),
    ...(findings.design === null ? {} : { design: designWith(findings.design, colors, findings) }),
    ...(findings.frame === null ? {} : { frame: findings.frame }),
  };
}

/** A pinned primary color is also that of buttons, whatever the site's own are. */
function designWith(
  { surfaces, ...design }: BrandDesign,
  pinned: readonly Pick<KitColor, "role" | "hex">[],
  findings: Pick<BrandFindings, "defaultScheme">,
): BrandDesign {
  const isOverruled = ({ part, scheme, background }: BrandDesign["surfaces"][number]) => {
    const primary = pinned.find(({ role }) => role === kitRole("primary", scheme, findings));
    return part === "button" && primary !== undefined && primary.hex !== background;
  };
  return { ...design, surfaces: surfaces.filter((surface) => !isOverruled(surface)) };
}

/** The default scheme first. */
export function schemesOf({ defaultScheme }: Pick<BrandFindings, "defaultScheme">): readonly SchemeName[] {
  return defaultScheme === "light" ? ["light", "dark"] : ["dark", "light"];
}

export function kitRole(role: ColorRole, scheme: SchemeName, findings: Pick<BrandFindings, "defaultScheme">): string {
  return scheme === findings.defaultScheme ? role : `${scheme}-${role}`;
}

/**
 * Returns the pinned colors by the roles of the kit. The prefix of the default scheme is optional in pins and removed
 * here.
 */
export function pinnedColors(
  { defaultScheme }: Pick<BrandFindings, "defaultScheme">,
  { colors = {} }: PinnedBrand,
): Readonly<Record<string, string>> {
  const prefix = `${defaultScheme}-`;
  const plain = (role: string) => (role.startsWith(prefix) ? role.slice(prefix.length) : role);
  return Object.fromEntries(Object.entries(colors).map(([role, hex]) => [plain(role), longHex(hex)]));
}

function longHex(hex: string): string {
  const lower = hex.toLowerCase();
  return lower.length === 4 ? `#${[...lower.slice(1)].map((digit) => digit + digit).join("")}` : lower;
}

function colorsOf(findings: BrandFindings, minConfidence: number): readonly KitColor[] {
  return schemesOf(findings).flatMap((scheme) =>
    COLOR_ROLES.flatMap((role): KitColor[] => {
      const color = findings.colors[scheme]?.[role] ?? null;
      if (color === null || color.confidence < minConfidence) return [];
      return [{ role: kitRole(role, scheme, findings), hex: color.hex, name: nameOf(role, scheme, findings) }];
    }),
  );
}

function nameOf(role: string, scheme: SchemeName, { defaultScheme }: BrandFindings): string {
  const word = titleOf(role);
  return scheme === defaultScheme ? word : `${word} (${scheme})`;
}

function titleOf(role: string): string {
  const words = role.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fontsOf({ fonts }: BrandFindings, fontUrl: (font: FontFinding) => string | undefined): readonly KitFont[] {
  return FONT_ROLES.flatMap((role: FontRole): KitFont[] => {
    const font = fonts[role];
    if (font === null) return [];
    const { family, stack, weights, source } = font;
    const fallback = fallbackFamilies(stack).filter(({ length }) => length <= LONGEST_FAMILY);
    return [
      {
        family: family.slice(0, LONGEST_FAMILY),
        role,
        weights: weights.slice(0, 20),
        source,
        url: fontUrl(font) ?? null,
        ...(fallback.length === 0 ? {} : { fallback: fallback.slice(0, 20) }),
      },
    ];
  });
}

const LONGEST_FAMILY = 120;

function logosOf({ logos }: BrandFindings, logoUrl: (logo: LogoFinding) => string | undefined): readonly KitLogo[] {
  return logos.flatMap((logo): KitLogo[] => {
    const url = logoUrl(logo);
    if (url === undefined || url.length > 2048) return [];
    const { kind, contentType, width, height, background } = logo;
    return [{ kind, url, contentType, width, height, ...(background === null ? {} : { background }) }];
  });
}

/** Returns the address, or only its path for a built folder whose host is unknown. */
function placeOf(address: string): string {
  const url = URL.parse(address);
  return url?.hostname === "site.invalid" ? url.pathname : address;
}

/** Replaces found values with the pinned ones of the same key and appends the others. */
function pin<Value extends Keyed>(
  found: readonly Value[],
  pins: readonly Value[],
  merge: (own: Value | undefined, pin: Value) => Value,
): Value[] {
  const byKey = new Map(pins.map((value) => [keyOf(value), value]));
  const replaced = found.map((own) => {
    const value = byKey.get(keyOf(own));
    return value === undefined ? own : merge(own, value);
  });
  const known = new Set(found.map(keyOf));
  return [...replaced, ...pins.filter((value) => !known.has(keyOf(value))).map((value) => merge(undefined, value))];
}

type Keyed = { readonly role: string } | { readonly kind: string };

function keyOf(value: Keyed): string {
  return "kind" in value ? value.kind : value.role;
}

import type { BrandKitBody } from "../contract/operations/content.ts";
import { lightnessOf, deriveColors } from "./color/contrast.ts";
import type { SchemeName } from "./findings.ts";
import { isSystemFamily, looksSerif } from "./font/family-name.ts";

export interface ColorToken {
  readonly role: string;
  readonly hex: string;
  /** The role from which it is derived; `undefined` for a color of the site itself. */
  readonly derivedFrom: string | undefined;
}

export interface FontToken {
  readonly role: string;
  readonly family: string;
  /** Used until the font is loaded, or if it is missing. */
  readonly fallback: string;
  readonly weights: readonly number[];
}

/** A brand kit prepared for rendering. */
export interface BrandTokens {
  readonly name: string;
  readonly defaultScheme: SchemeName;
  /** The default scheme first; the other one only if the kit has colors for it. */
  readonly schemes: readonly { readonly scheme: SchemeName; readonly colors: readonly ColorToken[] }[];
  readonly fonts: readonly FontToken[];
}

/** Sorts a kit's colors into schemes by the prefix of their roles, and adds derived colors. */
export function readTokens(kit: BrandKitBody): BrandTokens {
  const colors = kit.colors ?? [];
  const defaultScheme = findDefaultScheme(colors);
  const other: SchemeName = defaultScheme === "light" ? "dark" : "light";
  const prefix = `${other}-`;
  const plain = colors.filter(({ role }) => !role.startsWith(prefix));
  const prefixed = colors
    .filter(({ role }) => role.startsWith(prefix))
    .map(({ role, hex }) => ({ role: role.slice(prefix.length), hex }));
  return {
    name: kit.name,
    defaultScheme,
    schemes: [
      { scheme: defaultScheme, colors: [...withDerived(plain), ...partsOf(kit, defaultScheme, plain)] },
      ...(prefixed.length === 0
        ? []
        : [{ scheme: other, colors: [...withDerived(prefixed), ...partsOf(kit, other, prefixed)] }]),
    ],
    fonts: (kit.fonts ?? []).map(({ role, family, weights, fallback }) => ({
      role,
      family,
      fallback: fallbackOf(role, fallback ?? []),
      weights: weights ?? [],
    })),
  };
}

type RoleColor = Pick<ColorToken, "role" | "hex">;

/** Colors of the parts of a page and of its surroundings, with their own names: `header`, `header-text`, `around`. */
function partsOf({ design }: BrandKitBody, scheme: SchemeName, own: readonly RoleColor[]): readonly ColorToken[] {
  const taken = new Set(own.map(({ role }) => role));
  const surfaces = design?.surfaces.filter((surface) => surface.scheme === scheme) ?? [];
  const grounds = design?.wrapper?.grounds.filter((ground) => ground.scheme === scheme) ?? [];
  const colors = [
    ...surfaces.flatMap(({ part, background, text, border }) => [
      { role: `${part}`, hex: background },
      { role: `${part}-text`, hex: text },
      ...(typeof border === "string" ? [{ role: `${part}-border`, hex: border }] : []),
    ]),
    ...grounds.map(({ background }) => ({ role: "around", hex: background })),
  ];
  return colors.flatMap(({ role, hex }) => (taken.has(role) ? [] : [{ role, hex, derivedFrom: undefined }]));
}

function findDefaultScheme(colors: readonly { readonly role: string; readonly hex: string }[]): SchemeName {
  if (colors.some(({ role }) => role.startsWith("light-"))) return "dark";
  if (colors.some(({ role }) => role.startsWith("dark-"))) return "light";
  const background = colors.find(({ role }) => role === "background");
  return background !== undefined && lightnessOf(background.hex) < 0.5 ? "dark" : "light";
}

function withDerived(colors: readonly { readonly role: string; readonly hex: string }[]): readonly ColorToken[] {
  const own = new Map(colors.map(({ role, hex }) => [role, hex]));
  const derived = deriveColors(own).filter(({ role }) => !own.has(role));
  return [
    ...colors.map(({ role, hex }) => ({ role, hex, derivedFrom: undefined })),
    ...derived.map(({ role, hex, from }) => ({ role, hex, derivedFrom: from })),
  ];
}

function fallbackOf(role: string, own: readonly string[]): string {
  const usual = role === "mono" ? ["ui-monospace", "monospace"] : ["system-ui", "sans-serif"];
  if (own.length === 0) return usual.join(", ");
  const generic = own.some(isSystemFamily) ? [] : [looksSerif(own.join(" ")) ? "serif" : (usual.at(-1) ?? "")];
  return [...own.map(quoteFamily), ...generic].join(", ");
}

function quoteFamily(family: string): string {
  return isSystemFamily(family) ? family : `"${family.replaceAll(/["\\<>\n]/g, "")}"`;
}

/** Returns the family followed by its fallbacks, as a `font-family` value. */
export function fontStack({ family, fallback }: Pick<FontToken, "family" | "fallback">): string {
  const first = quoteFamily(family);
  return fallback.split(", ").includes(first) ? fallback : `${first}, ${fallback}`;
}

/** Returns the weight of headings: the font's heaviest up to bold. */
export function headingWeight(weights: readonly number[]): number {
  return weights.findLast((weight) => weight <= 700) ?? weights[0] ?? 700;
}

/** Converts a role to a name for CSS or JSON: letters, digits, and hyphens. */
export function tokenName(role: string): string {
  return (
    role
      .toLowerCase()
      .replace(/[^a-z\d]+/g, "-")
      .replace(/^-|-$/g, "") || "unnamed"
  );
}

import type { BrandFont } from "../contract/brand-parts.ts";
import { isSystemFamily, looksMono, looksSerif } from "./font/family-name.ts";
import { headingWeight } from "./tokens.ts";

export interface SurfaceFont {
  /** Value for `font-family`; contains nothing that could end a declaration. */
  readonly stack: string;
  /** Address of the font file, from the kit. */
  readonly url: string | undefined;
  /** Value for `font-weight` in `@font-face`: `400`, or `100 900` for a variable font. */
  readonly weights: string;
}

const SANS = "ui-sans-serif, system-ui, sans-serif";
const SERIF = 'ui-serif, Georgia, Cambria, "Times New Roman", serif';
const MONO = 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace';

/** The fonts of a kit for headings, text, and code. Missing ones are replaced with the reader's system fonts. */
export function surfaceFonts(fonts: readonly BrandFont[]): Readonly<Record<"heading" | "body" | "mono", SurfaceFont>> {
  const find = (role: string) => fonts.find((font) => font.role === role);
  const body = find("body") ?? find("heading");
  const fallback = fonts.length === 0 ? SERIF : SANS;
  return {
    heading: surfaceFont(find("heading") ?? body, { fallback, weightOf: headingWeight }),
    body: surfaceFont(body, { fallback, weightOf: textWeight }),
    mono: surfaceFont(find("mono"), { fallback: MONO, weightOf: textWeight }),
  };
}

interface FontUse {
  readonly fallback: string;
  /** Picks the weight of the kit's single font file among those of the family. */
  readonly weightOf: (weights: readonly number[]) => number;
}

function textWeight(weights: readonly number[]): number {
  return weights.includes(400) ? 400 : (weights[0] ?? 400);
}

function surfaceFont(font: BrandFont | undefined, { fallback, weightOf }: FontUse): SurfaceFont {
  if (font === undefined) return { stack: fallback, url: undefined, weights: "400" };
  const family = cleanName(font.family);
  const usual = looksMono(family) ? MONO : fallback !== MONO && looksSerif(family) ? SERIF : fallback;
  const rest = fallbackStack(font.fallback ?? [], usual);
  const isSystem = family === "" || isSystemFamily(family);
  return {
    stack: isSystem ? (family === "" ? rest : systemStack(family, rest)) : `"${family}", ${rest}`,
    url: isSystem ? undefined : (font.url ?? undefined),
    weights: weightRange(font.weights ?? [], weightOf),
  };
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ["serif", SERIF],
  ["sans-serif", SANS],
  ["monospace", MONO],
]);

/** The site's own fallbacks, then the reader's system fonts of the same kind. */
function fallbackStack(own: readonly string[], usual: string): string {
  const names = own.map(cleanName).filter((name) => name !== "");
  const last = names.at(-1)?.toLowerCase() ?? "";
  const kind = KINDS.get(last) ?? (isSystemFamily(last) ? last : looksSerif(names.join(" ")) ? SERIF : usual);
  const named = (isSystemFamily(last) ? names.slice(0, -1) : names).map((name) =>
    isSystemFamily(name) ? name.toLowerCase() : `"${name}"`,
  );
  return [...new Set([...named, ...kind.split(", ")])].join(", ");
}

function systemStack(family: string, rest: string): string {
  const own = family.toLowerCase();
  return [SANS, SERIF, MONO].includes(rest) && rest.split(", ").includes(own)
    ? rest
    : [...new Set([own, ...rest.split(", ")])].join(", ");
}

// Removes everything that could end a string, a declaration, or the style element.
function cleanName(family: string): string {
  return family.replaceAll(/[^\p{L}\p{M}\p{N} ._+&-]/gu, "").trim();
}

// Variable fonts list their weights in hundreds; a family of single files never loads that many.
const LEAST_OF_RANGE = 5;

function weightRange(weights: readonly number[], weightOf: FontUse["weightOf"]): string {
  const sorted = weights.filter(Number.isInteger).toSorted((a, b) => a - b);
  if (sorted.length >= LEAST_OF_RANGE) return `${sorted[0]} ${sorted.at(-1)}`;
  return String(sorted.length === 0 ? 400 : weightOf(sorted));
}

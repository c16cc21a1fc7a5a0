import type { BrandFont } from "../../contract/records.ts";
import { isSystemFamily } from "../font/family-name.ts";
import { headingWeight } from "../tokens.ts";
import { looksSerif } from "../font/serif-family.ts";

export interface SurfaceFont {
  /** Families as `font-family` takes them; holds nothing that could end a declaration. */
  readonly stack: string;
  /** Address of the font's file as the kit has it. */
  readonly url: string | undefined;
  /** What `font-weight` of `@font-face` takes: `400`, or `100 900` for a variable font. */
  readonly weights: string;
}

const SANS = "ui-sans-serif, system-ui, sans-serif";
const SERIF = 'ui-serif, Georgia, Cambria, "Times New Roman", serif';
const MONO = 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace';

/** The fonts of a kit for headings, text and code. A kit without one of them gets a font of the reader's system. */
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
  /** The weight of the one file that a kit names, among those of the family. */
  readonly weightOf: (weights: readonly number[]) => number;
}

function textWeight(weights: readonly number[]): number {
  return weights.includes(400) ? 400 : (weights[0] ?? 400);
}

function surfaceFont(font: BrandFont | undefined, { fallback, weightOf }: FontUse): SurfaceFont {
  if (font === undefined) return { stack: fallback, url: undefined, weights: "400" };
  const family = cleanName(font.family);
  const rest = fallback !== MONO && looksSerif(family) ? SERIF : fallback;
  const isSystem = family === "" || isSystemFamily(family);
  return {
    stack: isSystem ? (family === "" ? rest : systemStack(family, rest)) : `"${family}", ${rest}`,
    url: isSystem ? undefined : (font.url ?? undefined),
    weights: weightRange(font.weights ?? [], weightOf),
  };
}

function systemStack(family: string, rest: string): string {
  const own = family.toLowerCase();
  return rest.split(", ").includes(own) ? rest : `${own}, ${rest}`;
}

// Whatever could end a string, a declaration or the style element is no part of a family's name.
function cleanName(family: string): string {
  return family.replaceAll(/[^\p{L}\p{M}\p{N} ._+&-]/gu, "").trim();
}

// The range of a variable font is told in hundreds; no family of single files is loaded in that many weights.
const LEAST_OF_RANGE = 5;

function weightRange(weights: readonly number[], weightOf: FontUse["weightOf"]): string {
  const sorted = weights.filter(Number.isInteger).toSorted((a, b) => a - b);
  if (sorted.length >= LEAST_OF_RANGE) return `${sorted[0]} ${sorted.at(-1)}`;
  return String(sorted.length === 0 ? 400 : weightOf(sorted));
}

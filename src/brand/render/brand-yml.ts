import type { BrandKitBody } from "../../contract/operations/content.ts";
import { isSystemFamily } from "../font/family-name.ts";
import { readTokens, tokenName } from "../tokens.ts";

/** A tree of strings, numbers, and lists, for YAML. */
type Value = string | number | readonly Value[] | { readonly [name: string]: Value | undefined };

/** Renders the kit as `_brand.yml`, which Quarto, Shiny, and others read: https://posit-dev.github.io/brand-yml/ */
export function renderBrandYml(kit: BrandKitBody): string {
  const { name, schemes, fonts, defaultScheme } = readTokens(kit);
  const own = schemes[0]?.colors.filter(({ derivedFrom }) => derivedFrom === undefined) ?? [];
  const palette = Object.fromEntries(own.map(({ role, hex }) => [tokenName(role), hex]));
  const reference = (role: string) => palette[role];
  const files = (kit.logos ?? []).map(({ kind, url }) => [tokenName(kind), url] as const);
  const logo = files.find(([kind]) => kind === "logo")?.[0];
  const dark = files.find(([kind]) => kind === "logo-dark")?.[0];
  const familyOf = (role: string) => fonts.find((font) => font.role === role);
  const typeOf = (role: string) => {
    const font = familyOf(role);
    return font === undefined ? undefined : { family: font.family };
  };
  const size = kit.design?.textSize;
  const base = typeOf("body");
  return `${lines({
    meta: { name },
    logo:
      files.length === 0
        ? undefined
        : {
            images: Object.fromEntries(files),
            small: files.find(([kind]) => kind === "icon")?.[0],
            medium: logo !== undefined && dark !== undefined ? { light: logo, dark } : logo,
          },
    color:
      own.length === 0
        ? undefined
        : {
            palette,
            foreground: reference("text"),
            background: reference("background"),
            primary: reference("primary") ?? reference("link"),
            secondary: reference("accent"),
            [defaultScheme]: reference("background"),
          },
    typography: {
      fonts: [...new Set(fonts.map(({ family }) => family))].filter(isNamed).map((family) => ({
        family,
        source: kit.fonts?.find((font) => font.family === family)?.source === "google" ? "google" : "system",
      })),
      base: base && { ...base, ...(typeof size === "number" ? { size: `${size}px` } : {}) },
      headings: typeOf("heading"),
      monospace: typeOf("mono"),
      link: palette["link"] === undefined ? undefined : { color: palette["link"] },
    },
  }).join("\n")}\n`;
}

function isNamed(family: string): boolean {
  return !isSystemFamily(family);
}

function lines(value: { readonly [name: string]: Value | undefined }): readonly string[] {
  return Object.entries(value).flatMap(([key, own]) => (own === undefined ? [] : entry(key, own)));
}

function entry(key: string, value: Value): readonly string[] {
  if (typeof value === "number") return [`${key}: ${value}`];
  if (typeof value === "string") return [`${key}: ${JSON.stringify(value)}`];
  const inner = isList(value) ? value.flatMap(item) : lines(value);
  return inner.length === 0 ? [] : [`${key}:`, ...inner.map((line) => `  ${line}`)];
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function item(value: Value): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [`- ${JSON.stringify(value)}`];
  const [first = "", ...rest] = isList(value) ? value.flatMap(item) : lines(value);
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
}

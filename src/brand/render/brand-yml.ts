import { stringify } from "yaml";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { isSystemFamily } from "../font/family-name.ts";
import { readTokens, tokenName } from "../tokens.ts";

/** Renders the kit as `_brand.yml`, which Quarto, Shiny, and others read: https://posit-dev.github.io/brand-yml/ */
export function renderBrandYml(kit: BrandKitBody): string {
  const { name, schemes, fonts, defaultScheme } = readTokens(kit);
  const own = schemes[0]?.colors.filter(({ derivedFrom }) => derivedFrom === undefined) ?? [];
  const palette = Object.fromEntries(own.map(({ role, hex }) => [tokenName(role), hex]));
  const files = (kit.logos ?? []).map(({ kind, url }) => [tokenName(kind), url] as const);
  const logo = files.find(([kind]) => kind === "logo")?.[0];
  const dark = files.find(([kind]) => kind === "logo-dark")?.[0];
  const typeOf = (role: string) => ({ family: fonts.find((font) => font.role === role)?.family });
  const size = kit.design?.textSize;
  const base = typeOf("body");
  const tree = {
    meta: { name },
    logo: {
      images: Object.fromEntries(files),
      small: files.find(([kind]) => kind === "icon")?.[0],
      medium: logo !== undefined && dark !== undefined ? { light: logo, dark } : logo,
    },
    color: {
      palette,
      foreground: palette["text"],
      background: palette["background"],
      primary: palette["primary"] ?? palette["link"],
      secondary: palette["accent"],
      [defaultScheme]: palette["background"],
    },
    typography: {
      fonts: [...new Set(fonts.map(({ family }) => family))]
        .filter((family) => !isSystemFamily(family))
        .map((family) => ({
          family,
          source: kit.fonts?.find((font) => font.family === family)?.source === "google" ? "google" : "system",
        })),
      base:
        base.family === undefined ? undefined : { ...base, size: typeof size === "number" ? `${size}px` : undefined },
      headings: { ...typeOf("heading"), color: palette["heading"] },
      monospace: typeOf("mono"),
      link: { color: palette["link"] },
    },
  };
  return stringify(pruned(tree), { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}

/** Leaves out what is missing, and maps and lists without content. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(pruned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, own]) => [key, pruned(own)]);
  const kept = entries.filter(([, own]) => own !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

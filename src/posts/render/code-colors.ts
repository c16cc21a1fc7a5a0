import { CODE_PALETTE, SHIKI_PROPERTIES } from "../../html/post-body-style.ts";

/**
 * Adds code colors that otherwise come from a style sheet of the author's site, derived from the markup. Returns
 * `undefined` if the style already has its colors.
 *
 * Shiki omits them with several themes and `defaultColor: false` (only `--shiki-light`, `--shiki-dark`, …), and with
 * the theme `css-variables`. With a light and a dark theme, and with `css-variables`, the colors follow the page's
 * color scheme through `light-dark()`; browsers without it show the light theme or the text color. A single theme is
 * left unchanged, because it sets its own background.
 */
export function inlineCodeStyle(style: string): string | undefined {
  const filled = style.replaceAll(UNSET_VARIABLE, (whole: string, name: string) => {
    const colors = CODE_PALETTE.get(name);
    return colors === undefined ? whole : `var(--astro-code-${name},light-dark(${colors.light},${colors.dark}))`;
  });
  const declared = [...themeDeclarations(filled), filled, ...schemeDeclarations(filled)];
  const text = declared.map((part) => part.replace(/;\s*$/, "")).join(";");
  return declared.length === 1 && filled === style ? undefined : text;
}

const UNSET_VARIABLE = /var\(\s*--(?:astro-code|shiki)-([a-z-]+)\s*\)/g;

/** Returns the colors of one theme for a style without any: the light one, or else the first. */
function themeDeclarations(style: string): readonly string[] {
  if (/(?:^|[;\s])color:/.test(style)) return [];
  const variables = variablesOf(style);
  const names = [...variables.keys()];
  const theme = variables.has("light") ? "light" : names.find((name) => !/-(?:bg|font-|text-)/.test(name));
  if (theme === undefined) return [];
  return SHIKI_PROPERTIES.flatMap(([end, property]) => {
    const value = variables.get(`${theme}${end}`);
    return value === undefined ? [] : [`${property}:${value}`];
  });
}

/** Returns the colors of two themes for a style that has both: the default one as a color, or both as variables. */
function schemeDeclarations(style: string): readonly string[] {
  if (style.includes("light-dark(")) return [];
  const variables = variablesOf(style);
  return COLORS.flatMap(([end, property]) => {
    const own = new RegExp(`(?:^|[;\\s])${property}:\\s*([^;]+)`).exec(style)?.[1]?.trim();
    const light = variables.get(`light${end}`) ?? own;
    const dark = variables.get(`dark${end}`) ?? own;
    return light === undefined || dark === undefined || light === dark
      ? []
      : [`${property}:light-dark(${light},${dark})`];
  });
}

const COLORS = SHIKI_PROPERTIES.slice(0, 2);

function variablesOf(style: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(style.matchAll(/--shiki-([\w-]+)\s*:\s*([^;]+)/g), ([, name = "", value = ""]) => [name, value.trim()]),
  );
}

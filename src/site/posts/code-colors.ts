/**
 * Colors of code that a style sheet of the author's site would give, from what stands in the markup. `undefined` where
 * the style has its colors already.
 *
 * Shiki leaves them out with several themes and `defaultColor: false` (only `--shiki-light`, `--shiki-dark`, …), and
 * with the theme `css-variables`.
 */
export function inlineCodeStyle(style: string): string | undefined {
  const filled = style.replaceAll(UNSET_VARIABLE, (whole: string, name: string) => {
    const color = TOKEN_COLORS.get(name);
    return color === undefined ? whole : `var(--astro-code-${name},${color})`;
  });
  const own = /(?:^|[;\s])color:/.test(filled) ? [] : themeDeclarations(filled);
  const text = [...own, filled].join(";");
  return text === style ? undefined : text;
}

const UNSET_VARIABLE = /var\(\s*--(?:astro-code|shiki)-([a-z-]+)\s*\)/g;

/** For the theme `css-variables`: as GitHub's light theme. */
const TOKEN_COLORS: ReadonlyMap<string, string> = new Map([
  ["foreground", "#24292e"],
  ["background", "#f6f8fa"],
  ["color-text", "#24292e"],
  ["color-background", "#f6f8fa"],
  ["token-constant", "#005cc5"],
  ["token-string", "#032f62"],
  ["token-comment", "#6a737d"],
  ["token-keyword", "#d73a49"],
  ["token-parameter", "#24292e"],
  ["token-function", "#6f42c1"],
  ["token-string-expression", "#22863a"],
  ["token-punctuation", "#24292e"],
  ["token-link", "#032f62"],
]);

/** Properties by the end of the variable that holds them for a theme. */
const PROPERTIES = [
  ["", "color"],
  ["-bg", "background-color"],
  ["-font-style", "font-style"],
  ["-font-weight", "font-weight"],
  ["-text-decoration", "text-decoration"],
] as const;

function themeDeclarations(style: string): readonly string[] {
  const variables = new Map(
    Array.from(style.matchAll(/--shiki-([\w-]+)\s*:\s*([^;]+)/g), ([, name = "", value = ""]) => [name, value.trim()]),
  );
  const names = [...variables.keys()];
  const theme = variables.has("light") ? "light" : names.find((name) => !/-(?:bg|font-|text-)/.test(name));
  if (theme === undefined) return [];
  return PROPERTIES.flatMap(([end, property]) => {
    const value = variables.get(`${theme}${end}`);
    return value === undefined ? [] : [`${property}:${value}`];
  });
}

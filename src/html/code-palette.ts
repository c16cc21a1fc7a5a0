/** A color in a light and in a dark scheme. */
export interface SchemeColors {
  readonly light: string;
  readonly dark: string;
}

/**
 * Colors for Shiki's theme `css-variables`, by the ends of its variables: GitHub's, each with a contrast of at least 4.5
 * to the background of its scheme.
 */
export const CODE_PALETTE: ReadonlyMap<string, SchemeColors> = new Map([
  ["foreground", { light: "#24292e", dark: "#e6edf3" }],
  ["background", { light: "#f6f8fa", dark: "#161b22" }],
  ["color-text", { light: "#24292e", dark: "#e6edf3" }],
  ["color-background", { light: "#f6f8fa", dark: "#161b22" }],
  ["token-constant", { light: "#005cc5", dark: "#79c0ff" }],
  ["token-string", { light: "#032f62", dark: "#a5d6ff" }],
  ["token-comment", { light: "#59636e", dark: "#8b949e" }],
  ["token-keyword", { light: "#cf222e", dark: "#ff7b72" }],
  ["token-parameter", { light: "#24292e", dark: "#e6edf3" }],
  ["token-function", { light: "#6f42c1", dark: "#d2a8ff" }],
  ["token-string-expression", { light: "#116329", dark: "#7ee787" }],
  ["token-punctuation", { light: "#24292e", dark: "#e6edf3" }],
  ["token-link", { light: "#032f62", dark: "#a5d6ff" }],
]);

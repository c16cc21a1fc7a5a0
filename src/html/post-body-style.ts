// The HTML of a post comes unchanged from its author. This style sheet keeps all of it within the window, and supports
// code with colors for two schemes. It requires these custom properties of the page around it: `--gutter` (the space
// beside the text), `--line`, `--soft`, `--surface` (colors), and `--mono` (a font).
//
// Footnotes have the same ids in every Markdown text, and a heading hidden by a style sheet. A post is shown on a page
// with other ids and without that style sheet. The publisher and the service share this module, so that a post has the
// same HTML regardless of which of them renders it.

const FOOTNOTE_ID = /^(?:user-content-fn|footnote-label$)/;

/** Whether Markdown assigns this id to footnotes, their references, or their heading. */
export function isFootnoteId(id: string): boolean {
  return FOOTNOTE_ID.test(id);
}

/** Inline style for content that is visible only to screen readers. */
export const VISUALLY_HIDDEN =
  "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";

const BOXES = "img, picture, svg, video, audio, canvas, iframe, embed, object, input, select, textarea, button";

// The body itself scrolls as a last resort, such as for `white-space: nowrap`. It extends to the edges of the window,
// so it doesn't clip outlines.
const WIDTHS = `
.post-body { position: relative; margin: -4px calc(-1 * var(--gutter)); padding: 4px var(--gutter); overflow: auto hidden; overflow-wrap: anywhere }
.post-body > :first-child { margin-block-start: 0 } .post-body > :last-child { margin-block-end: 0 }
.post-body :is(${BOXES}, figure, fieldset, pre, div, section, p) { max-width: 100% }
.post-body :is([style*="width"], [width]):not(td, th, col, svg *) { min-width: 0 !important; max-width: 100% !important }
.post-body :is(img, video) { height: auto }
.post-body img[style*="height"] { object-fit: contain }
.post-body iframe { border: 0 }
.post-body iframe:is([src*="youtube"], [src*="vimeo"]) { width: 100%; height: auto; aspect-ratio: 16 / 9 }
.post-body figure { margin-inline: 0 }
.post-body fieldset { min-width: 0 }
.post-body pre { overflow-x: auto; tab-size: 2 }
.post-body table { display: block; max-width: 100%; overflow-x: auto; overflow-wrap: break-word; border-collapse: collapse; font-size: .9375rem; line-height: 1.5 }
.post-body :is(th, td) { min-width: 4.5rem; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
.post-body :is(th, td)[align="right"] { text-align: right } .post-body td[align="right"] { white-space: nowrap } .post-body :is(th, td)[align="center"] { text-align: center }
.post-body :is(th, td) :is(${BOXES}) { max-width: 16rem !important }
.post-body :is(ul, ol) { padding-inline-start: 1.5em } .post-body :is(ul, ol) ul { padding-inline-start: 1.15em }
.post-body li:has(> input[type="checkbox"]) { list-style: none; margin-inline-start: -1.4em }
.post-body dl { display: block } .post-body dt { font-weight: 600 } .post-body dd { margin: 0 0 .75em; padding-inline-start: 1.25rem }
`;

// KaTeX outputs each formula twice, and the second version needs its style sheet. Browsers show the first, MathML.
const MATH = `
.post-body .katex-mathml ~ .katex-html { display: none }
.post-body :is(.katex-display, mjx-container[display="true"]), .post-body :has(> math[display="block"]) { display: block; max-width: 100%; padding-block: .25em; overflow: auto hidden }
.post-body :not(.katex-display) > .katex { display: inline-block; max-width: 100%; overflow: auto hidden; vertical-align: bottom }
`;

const FOOTNOTES = `
.post-body :is(sup, sub) { font-size: .75em; line-height: 0 }
.post-body :is([data-footnotes], .footnotes) { margin-block-start: 3em; padding-block-start: 1.5em; border-top: 1px solid var(--line); color: var(--soft); font-size: .9375rem }
.post-body .sr-only { ${VISUALLY_HIDDEN} }
`;

/** A color for a light and a dark scheme. */
interface SchemeColors {
  readonly light: string;
  readonly dark: string;
}

/**
 * GitHub's colors for Shiki's `css-variables` theme, by variable suffix, each with a contrast of at least 4.5 on the
 * background of its scheme.
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

/** Properties written by Shiki, by the suffix of the theme variable that contains them. */
// Shiki keeps the colors of its other themes in custom properties beside the default colors. A block with a single
// theme has its own background and stays unchanged.
export const SHIKI_PROPERTIES = [
  ["", "color"],
  ["-bg", "background-color"],
  ["-font-style", "font-style"],
  ["-font-weight", "font-weight"],
  ["-text-decoration", "text-decoration"],
] as const;

function renderScheme(scheme: "light" | "dark"): string {
  const shiki = SHIKI_PROPERTIES.map(
    ([end, property]) =>
      `.post-body [style*="--shiki-${scheme}${end}:"] { ${property}: var(--shiki-${scheme}${end}) !important }`,
  );
  const variables = Array.from(CODE_PALETTE, ([name, colors]) =>
    ["astro-code", "shiki"].map((prefix) => `--${prefix}-${name}: ${colors[scheme]}`),
  ).flat();
  return `@media (prefers-color-scheme: ${scheme}) {
.post-body { ${variables.join("; ")} }
${shiki.join("\n")}
}
`;
}

/** Style sheet for an element with the class `post-body` that contains the HTML of a post. */
export const POST_BODY_STYLE = `${WIDTHS}${MATH}${FOOTNOTES}${renderScheme("light")}${renderScheme("dark")}`;

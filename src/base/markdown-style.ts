/** How Markdown is written that is made of HTML, as options of Turndown. */
export const MARKDOWN_STYLE = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "---",
} as const;

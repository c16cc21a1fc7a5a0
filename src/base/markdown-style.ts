/** Style of Markdown that is converted from HTML, as options of Turndown. */
export const MARKDOWN_STYLE = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "---",
} as const;

/** Style of Markdown that is converted from HTML, as options of Turndown. */
export const MARKDOWN_STYLE = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "---",
} as const;

/**
 * Escapes a text of a document, so that readers see it as it is: punctuation that has a meaning anywhere, then what has
 * one at the beginning of a line. HTML isn't escaped by a backslash, because not every host's Markdown knows that.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\*_`[\]~]/g, String.raw`\$&`)
    .replace(/^(?:[->=|]|:-|(?:\+|#{1,6})(?=\s|$))/, String.raw`\$&`)
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`)
    .replaceAll(/&(?=#?\w*(?:;|$))/g, "&amp;")
    .replaceAll(/<(?![\s\d=])/g, "&lt;");
}

import { parseByStandard } from "./parse5-tree.ts";
import { parseQuickly } from "./quick/quick-parse.ts";
import type { HtmlDocument } from "./tree.ts";

/**
 * Parses any text as an HTML document in which every element knows its place in the source. Never throws.
 *
 * Scripting is off, so that the content of `<noscript>` is elements and not text.
 */
export function parseHtml(text: string): HtmlDocument {
  const result = parseQuickly(text);
  return result.kind === "parsed" ? result.document : parseByStandard(text);
}

import type { Edit } from "../../html/edits.ts";
import { skipValue } from "./joined-strings.ts";

const ORIGIN = String.raw`(?<![\w$.]|\.test\(a\)\?a:)(?:(?:window|self|globalThis|document)\.)?location\.origin`;
/** Not in front of a string, which is found with it, or of the page's own path. */
const JOINED = new RegExp(
  String.raw`${ORIGIN}(?:\s*\+\s*|(?<=\$\{\s*${ORIGIN})\s*\}\$\{\s*)(?=[\w$(])(?!(?:(?:window|self|globalThis|document)\.)?location\b)`,
  "g",
);
// Without quotes, since the script may be inside a string.
const OPENING = "(a=>/^[a-z]+:/i.test(a)?a:location.origin+a)(";

/**
 * Lets a script put the site's origin before an address in data, which is a whole one where the page is published: some
 * libraries demand whole addresses.
 */
export function rewriteJoinedOrigins(text: string): readonly Edit[] {
  if (!text.includes("location.origin")) return [];
  return Array.from(text.matchAll(JOINED)).flatMap(({ index: start, 0: found }) => {
    const valueStart = start + found.length;
    const end = skipValue(text, valueStart);
    const isWhole = found.includes("}") ? /^\s*\}/ : /^(?!\s*(?:[*/%]|\+\+|--)|[ \t]+[\w$])/;
    if (end === undefined || !isWhole.test(text.slice(end, end + 20))) return [];
    return [
      { start, end: valueStart, text: OPENING },
      { start: end, end, text: ")" },
    ];
  });
}

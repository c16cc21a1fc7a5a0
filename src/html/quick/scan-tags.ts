import {
  endOfComment,
  endOfTagName,
  findMarkup,
  findRawEnd,
  isLetter,
  lowerCase,
  scanStartTag,
  type StartTag,
} from "./scan.ts";

/** A tag of a page, in source order. */
export type ScannedTag =
  | { readonly kind: "start"; readonly tag: StartTag }
  /** The name is lowercase. */
  | { readonly kind: "end"; readonly name: string };

// Elements whose content is text.
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);

// Inside these, a self-closing tag has no content.
const DRAWINGS = new Set(["svg", "math"]);

// Number of unterminated tags, or tags with more attributes than anyone writes. Searching for the end of one may read
// the rest of the page.
const MAX_BROKEN_TAGS = 3;

const SLASH = 0x2f;

/**
 * Yields the tags of a page without building its tree, in one pass and in linear time for any input. Tags in comments
 * and scripts are skipped.
 */
export function* scanTags(html: string): Generator<ScannedTag, void> {
  let [broken, drawings] = [0, 0];
  for (let place = findMarkup(html, 0); place < html.length; place = findMarkup(html, place)) {
    const code = html.charCodeAt(place + 1);
    if (isLetter(code)) {
      const tag = scanStartTag(html, place);
      if (tag === undefined && ++broken > MAX_BROKEN_TAGS) return;
      place = tag?.end ?? place + 1;
      if (tag === undefined) continue;
      yield { kind: "start", tag };
      if (tag.name === "plaintext") return;
      if (DRAWINGS.has(tag.name) && !tag.isSelfClosing) drawings++;
      if (RAW.has(tag.name) && !(tag.isSelfClosing && drawings > 0)) place = endOfRaw(html, place, tag.name);
    } else if (code === SLASH && isLetter(html.charCodeAt(place + 2))) {
      const nameEnd = endOfTagName(html, place + 2);
      const name = lowerCase(html.slice(place + 2, nameEnd));
      if (DRAWINGS.has(name) && drawings > 0) drawings--;
      yield { kind: "end", name };
      place = behind(html, nameEnd);
    } else {
      place = html.startsWith("<!--", place) ? (endOfComment(html, place) ?? html.length) : behind(html, place + 1);
    }
  }
}

function endOfRaw(html: string, start: number, name: string): number {
  const end = findRawEnd(html, start, name);
  if (end !== undefined || name !== "script") return end ?? html.length;
  // A script that contains another script between comment marks: the inner one ends first.
  const tag = /<\/script[\s/>]/gi;
  tag.lastIndex = start;
  tag.exec(html);
  return tag.lastIndex === 0 ? html.length : (tag.exec(html)?.index ?? html.length);
}

/** The position after the next `>`. */
function behind(html: string, start: number): number {
  const end = html.indexOf(">", start);
  return end === -1 ? html.length : end + 1;
}

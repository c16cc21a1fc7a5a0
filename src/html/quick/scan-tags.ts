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

/** A tag of a page, in the order of the source. */
export type ScannedTag =
  | { readonly kind: "start"; readonly tag: StartTag }
  /** The name is in lower case. */
  | { readonly kind: "end"; readonly name: string };

// What they hold is text.
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);

// In them a tag with a slash has no content.
const DRAWINGS = new Set(["svg", "math"]);

// Such a tag does not end, or has more attributes than a person writes. Looking for its end may read all that is left.
const MAX_BROKEN_TAGS = 3;

const SLASH = 0x2f;

/**
 * The tags of a page without its tree: in one pass, and in a time that grows with the length of the page whatever it
 * holds. Tags in comments and in scripts are none.
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
  // A script that writes another one, between the marks of a comment: that one ends first.
  const tag = /<\/script[\s/>]/gi;
  tag.lastIndex = start;
  tag.exec(html);
  return tag.lastIndex === 0 ? html.length : (tag.exec(html)?.index ?? html.length);
}

/** The place behind the next `>`. */
function behind(html: string, start: number): number {
  const end = html.indexOf(">", start);
  return end === -1 ? html.length : end + 1;
}

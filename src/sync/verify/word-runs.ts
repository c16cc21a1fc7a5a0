import { findAttribute } from "../../html/attributes.ts";
import type { HtmlDocument, HtmlElement, HtmlNode } from "../../html/tree.ts";

// Hosts make addresses in a text clickable, and mark words, which divides words but changes no letter.

/** Divides the pieces of a run, which are in different elements. */
export const BORDER = "\u0000";

/** Elements that contain no visible text. */
export const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "title", "template", "noscript"]);

/** Elements within a line of text, at whose edges a word doesn't end. */
const INLINE: ReadonlySet<string> = new Set([
  ...["a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "mark"],
  ...["q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"],
]);

/** A picture that stands for a character. */
const EMOJI = /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F)*$/u;

/** Returns the visible words of a page in their order, also those that elements divide. */
export function readRuns({ root }: HtmlDocument): readonly string[] {
  const texts: string[] = [];
  // A hostile page may be nested deeper than the call stack allows.
  const open: (HtmlNode | string)[] = [root];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === "string") {
      texts.push(item);
      continue;
    }
    if (item.next !== undefined) open.push(item.next);
    if (item.kind === "text") texts.push(BORDER, item.value);
    else if (!UNSEEN.has(item.tagName)) {
      const edge = INLINE.has(item.tagName) ? BORDER : " ";
      texts.push(edge, emojiOf(item));
      open.push(edge);
      if (item.firstChild !== undefined) open.push(item.firstChild);
    }
  }
  const runs = texts.join("").split(/\s+/);
  return runs.map((run) => run.split(BORDER).filter(Boolean).join(BORDER)).filter((run) => run !== "");
}

export function emojiOf(element: HtmlElement): string {
  const alt = element.tagName === "img" ? findAttribute(element, "alt") : undefined;
  return alt !== undefined && EMOJI.test(alt) ? alt : "";
}

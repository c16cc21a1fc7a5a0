import { canonicalLanguage } from "../base/language.ts";
import { findAttribute, hasWord } from "./attributes.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { parseHtml } from "./parse.ts";
import { findChild, visitElements, type HtmlDocument, type HtmlElement } from "./tree.ts";

/**
 * HTML of a post in which every box that scrolls by itself can be reached with the keyboard: code, tables and formulas
 * get a `tabindex`, unless they have one. Safari makes no such box reachable by itself.
 */
export function makeBoxesFocusable(html: string): string {
  if (!/<(?:pre|table|math|mjx-container)/i.test(html)) return html;
  // By place, since two formulas may scroll in one box.
  const edits = new Map<number, Edit>();
  visitElements(parseHtml(html), (element) => {
    const box = findBox(element);
    if (box?.source === undefined || findAttribute(box, "tabindex") !== undefined) return;
    const place = box.source.start + 1 + box.tagName.length;
    edits.set(place, { start: place, end: place, text: ' tabindex="0"' });
  });
  return applyEdits(html, [...edits.values()]);
}

/** The box in which an element scrolls, by the rules of `post-body-style.ts`. */
function findBox(element: HtmlElement): HtmlElement | undefined {
  const { tagName, parent } = element;
  if (tagName === "math") return findAttribute(element, "display") === "block" ? parent : undefined;
  // The service's plain text is broken at the edge.
  return BOXES.has(tagName) && !hasWord(element, "class", "text") ? element : undefined;
}

const BOXES: ReadonlySet<string> = new Set(["pre", "table", "mjx-container"]);

/**
 * The language of the element that stands first in a post's body, as the publisher puts one around a post whose front
 * matter names a language; `undefined` where it has none.
 */
export function findBodyLanguage({ root }: HtmlDocument): string | undefined {
  const body = findChild(root, ({ tagName }) => tagName === "body");
  const first = body && findChild(body, () => true);
  return canonicalLanguage(first && findAttribute(first, "lang"));
}

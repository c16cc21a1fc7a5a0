import { canonicalLanguage } from "../base/language.ts";
import { findAttribute, hasWord } from "./attributes.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { parseHtml } from "./parse.ts";
import { findChild, visitElements, type HtmlDocument, type HtmlElement } from "./tree.ts";

/**
 * Makes every independently scrolling box in a post's HTML keyboard-focusable: code, tables, and formulas get a
 * `tabindex` unless they have one. Safari doesn't make such boxes focusable.
 */
export function makeBoxesFocusable(html: string): string {
  if (!/<(?:pre|table|math|mjx-container)/i.test(html)) return html;
  // By position, since two formulas may scroll in one box.
  const edits = new Map<number, Edit>();
  visitElements(parseHtml(html), (element) => {
    const box = findBox(element);
    if (box?.source === undefined || findAttribute(box, "tabindex") !== undefined) return;
    const place = box.source.start + 1 + box.tagName.length;
    edits.set(place, { start: place, end: place, text: ' tabindex="0"' });
  });
  return applyEdits(html, [...edits.values()]);
}

/** Returns the box in which an element scrolls, as defined in `post-body-style.ts`. */
function findBox(element: HtmlElement): HtmlElement | undefined {
  const { tagName, parent } = element;
  if (tagName === "math") return findAttribute(element, "display") === "block" ? parent : undefined;
  // The service's plain text is wrapped.
  return BOXES.has(tagName) && !hasWord(element, "class", "text") ? element : undefined;
}

const BOXES: ReadonlySet<string> = new Set(["pre", "table", "mjx-container"]);

/**
 * Returns the language of the first element in a post's body, which the publisher wraps around a post whose front
 * matter sets a language; `undefined` if it has none.
 */
export function findBodyLanguage({ root }: HtmlDocument): string | undefined {
  const body = findChild(root, ({ tagName }) => tagName === "body");
  const first = body && findChild(body, () => true);
  return canonicalLanguage(first && findAttribute(first, "lang"));
}

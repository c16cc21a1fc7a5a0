import { canonicalLanguage } from "../base/language.ts";
import { findAttribute } from "./attributes.ts";
import { findChild, type HtmlDocument } from "./tree.ts";

/**
 * The language of the element that stands first in a post's body, as the publisher puts one around a post whose front
 * matter names a language; `undefined` where it has none.
 */
export function findBodyLanguage({ root }: HtmlDocument): string | undefined {
  const body = findChild(root, ({ tagName }) => tagName === "body");
  const first = body && findChild(body, () => true);
  return canonicalLanguage(first && findAttribute(first, "lang"));
}

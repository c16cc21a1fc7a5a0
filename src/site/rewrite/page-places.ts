import { findAttribute } from "../../html/attributes.ts";
import { findChild, type HtmlDocument } from "../../html/tree.ts";

/**
 * Where the marker is put: right behind the declaration of the character set, which has to stay near the start, or
 * else where the head begins. There it changes nothing else in how the page is read.
 */
export function findMarkerPlace({ root, doctypeEnd }: HtmlDocument): number {
  const head = findChild(root, () => true);
  const charset =
    head && findChild(head, (element) => element.tagName === "meta" && findAttribute(element, "charset") !== undefined);
  return charset?.source?.end ?? head?.source?.contentStart ?? root.source?.contentStart ?? doctypeEnd ?? 0;
}

/** Where something can be added at the end of what a page shows. */
export function findBodyEnd({ root }: HtmlDocument, html: string): number {
  const body = findChild(root, ({ tagName }) => tagName === "body");
  return body?.source?.endTagStart ?? root.source?.endTagStart ?? html.length;
}

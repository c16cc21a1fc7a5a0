import { findAttribute } from "../../html/attributes.ts";
import type { HtmlDocument, HtmlElement } from "../../html/parse.ts";

/**
 * Where the marker is put: right behind the declaration of the character set, which has to stay near the start, or
 * else where the head begins. There it changes nothing else in how the page is read.
 */
export function findMarkerPlace(document: HtmlDocument): number {
  const root = document.childNodes.find(isElement);
  const head = root?.childNodes.find(isElement);
  const charset = head?.childNodes
    .filter(isElement)
    .find((element) => element.tagName === "meta" && findAttribute(element, "charset") !== undefined);
  const doctype = document.childNodes.find((node) => node.nodeName === "#documentType");
  return (
    charset?.sourceCodeLocation?.endOffset ??
    head?.sourceCodeLocation?.startTag?.endOffset ??
    root?.sourceCodeLocation?.startTag?.endOffset ??
    doctype?.sourceCodeLocation?.endOffset ??
    0
  );
}

/** Where something can be added at the end of what a page shows. */
export function findBodyEnd(document: HtmlDocument, html: string): number {
  const root = document.childNodes.find(isElement);
  const body = root?.childNodes.filter(isElement).find((element) => element.tagName === "body");
  return body?.sourceCodeLocation?.endTag?.startOffset ?? root?.sourceCodeLocation?.endTag?.startOffset ?? html.length;
}

function isElement(node: object): node is HtmlElement {
  return "tagName" in node;
}

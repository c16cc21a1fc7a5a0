import { parse } from "parse5";
import type { DefaultTreeAdapterTypes as Tree } from "parse5";

export type HtmlDocument = Tree.Document;
export type HtmlElement = Tree.Element;
type ChildNode = Tree.ChildNode;
type ParentNode = Tree.ParentNode;

export const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** Where an element stands: `inert` is true inside `<template>` and `<noscript>`, whose scripts do not run. */
export interface ElementPlace {
  readonly inert: boolean;
}

/**
 * Parses any text as an HTML document in which every node knows its place in the source. Never throws.
 *
 * Scripting is off, so that the content of `<noscript>` is elements and not text.
 */
export function parseHtml(text: string): HtmlDocument {
  return parse(text, { sourceCodeLocationInfo: true, scriptingEnabled: false });
}

/** Calls `visit` for every element in document order, also for the content of `<template>`. */
export function visitElements(root: ParentNode, visit: (element: HtmlElement, place: ElementPlace) => void): void {
  // A hostile page nests deeper than the call stack is high.
  const levels = [{ nodes: root.childNodes, next: 0, place: LIVE }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.nodes[level.next++];
    if (node === undefined) {
      levels.pop();
    } else if (isElement(node)) {
      visit(node, level.place);
      const place = INERT_TAGS.has(node.tagName) ? INERT : level.place;
      const nodes = "content" in node ? node.content.childNodes : node.childNodes;
      if (nodes.length > 0) levels.push({ nodes, next: 0, place });
    }
  }
}

const LIVE: ElementPlace = { inert: false };
const INERT: ElementPlace = { inert: true };
const INERT_TAGS = new Set(["template", "noscript"]);

function isElement(node: ChildNode): node is HtmlElement {
  return "tagName" in node;
}

/** The text inside an element with white space collapsed, as a reader sees it. */
export function textOf(element: ParentNode): string {
  const pieces: string[] = [];
  const pending: ChildNode[] = element.childNodes.toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ("value" in node) pieces.push(node.value);
    else if (isElement(node)) pending.push(...node.childNodes.toReversed());
  }
  return pieces.join("").replace(/\s+/g, " ").trim();
}

/** Where the text of a `<script>` or `<style>` stands in the source; `undefined` when the element is not in it. */
export function innerRange(element: HtmlElement): { readonly start: number; readonly end: number } | undefined {
  const location = element.sourceCodeLocation;
  if (!location?.startTag) return undefined;
  return { start: location.startTag.endOffset, end: location.endTag?.startOffset ?? location.endOffset };
}

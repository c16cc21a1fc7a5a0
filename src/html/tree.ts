// The tree of an HTML page with only what rewriting needs: no comments, and lowercase names also in SVG. Nodes are
// linked by `next` rather than listed, which takes less than half the memory.

/** A range of the source, from `start` to `end` (exclusive), in UTF-16 code units. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

export interface ElementSource extends SourceRange {
  /** End of the start tag. */
  readonly contentStart: number;
  /** Start of the end tag; `undefined` if there is none. */
  readonly endTagStart: number | undefined;
}

/** An attribute with its decoded value and its source range. Names include their prefix: `xlink:href`. */
export interface HtmlAttribute extends SourceRange {
  readonly name: string;
  readonly value: string;
}

export interface HtmlText {
  readonly kind: "text";
  readonly value: string;
  readonly next: HtmlNode | undefined;
}

export interface HtmlElement {
  readonly kind: "element";
  readonly tagName: string;
  readonly namespaceURI: string;
  /** Those in the element's own tag; of two with the same name, only the first. */
  readonly attrs: readonly HtmlAttribute[];
  /** `undefined` for the root and for direct children of a `<template>`. */
  readonly parent: HtmlElement | undefined;
  /** For a `<template>`: the first node of its content. */
  readonly firstChild: HtmlNode | undefined;
  readonly next: HtmlNode | undefined;
  /** `undefined` if the element has no tag in the source. */
  readonly source: ElementSource | undefined;
}

export type HtmlNode = HtmlElement | HtmlText;

/** A part of the tree while it is being built. */
export type Growing<Part> = { -readonly [Key in keyof Part]: Part[Key] };

export interface HtmlDocument {
  readonly root: HtmlElement;
  /** End of the document type declaration; `undefined` if there is none. */
  readonly doctypeEnd: number | undefined;
}

export const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const MATH_NAMESPACE = "http://www.w3.org/1998/Math/MathML";

/** Context of an element: `inert` is true inside `<template>` and `<noscript>`, whose scripts don't run. */
export interface ElementPlace {
  readonly inert: boolean;
}

/** Calls `visit` for every element in document order, including the content of `<template>`. */
export function visitElements(
  document: HtmlDocument,
  visit: (element: HtmlElement, place: ElementPlace) => void,
): void {
  // A hostile page may be nested deeper than the call stack allows.
  const following: (HtmlNode | undefined)[] = [];
  let inertDepth = Number.POSITIVE_INFINITY;
  for (let node: HtmlNode | undefined = document.root; node !== undefined || following.length > 0;) {
    if (node === undefined) {
      node = following.pop();
      if (following.length < inertDepth) inertDepth = Number.POSITIVE_INFINITY;
      continue;
    }
    if (node.kind === "element") visit(node, inertDepth === Number.POSITIVE_INFINITY ? LIVE : INERT);
    const child: HtmlNode | undefined = node.kind === "element" ? node.firstChild : undefined;
    if (child === undefined) {
      node = node.next;
    } else {
      following.push(node.next);
      if (node.kind === "element" && INERT_TAGS.has(node.tagName)) inertDepth = Math.min(inertDepth, following.length);
      node = child;
    }
  }
}

const LIVE: ElementPlace = { inert: false };
const INERT: ElementPlace = { inert: true };
const INERT_TAGS = new Set(["template", "noscript"]);

/** The text inside an element as a reader sees it, with collapsed whitespace and without templates. */
export function textOf(element: HtmlElement): string {
  return textsOf(element, isTemplate).join("").replace(/\s+/g, " ").trim();
}

/** The individual texts inside an element, without those inside elements that are left out. */
export function textsOf(element: HtmlElement, isLeftOut: (element: HtmlElement) => boolean): readonly string[] {
  const pieces: string[] = [];
  const following: (HtmlNode | undefined)[] = [];
  for (let node = element.firstChild; node !== undefined || following.length > 0;) {
    if (node === undefined) {
      node = following.pop();
    } else if (node.kind === "text") {
      pieces.push(node.value);
      node = node.next;
    } else {
      following.push(node.next);
      node = isLeftOut(node) ? undefined : node.firstChild;
    }
  }
  return pieces;
}

function isTemplate({ tagName, namespaceURI }: HtmlElement): boolean {
  return tagName === "template" && namespaceURI === HTML_NAMESPACE;
}

export function findChild(parent: HtmlElement, fits: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (let node = parent.firstChild; node !== undefined; node = node.next) {
    if (node.kind === "element" && fits(node)) return node;
  }
  return undefined;
}

/** Source range of the text of a `<script>` or `<style>`; `undefined` if the element isn't in the source. */
export function innerRange({ source }: HtmlElement): SourceRange | undefined {
  if (source === undefined) return undefined;
  return { start: source.contentStart, end: source.endTagStart ?? source.end };
}

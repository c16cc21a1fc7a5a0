// The tree of an HTML page, with what rewriting a page needs to know and no more: comments are left out, and names
// are in lower case in SVG too. Nodes are linked by `next` rather than listed, which costs less than half the memory.

/** A piece of the source, from `start` up to `end`, in UTF-16 code units. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Where an element stands in the source. */
export interface ElementSource extends SourceRange {
  /** Where the start tag ends. */
  readonly contentStart: number;
  /** Where the end tag begins; `undefined` when there is none. */
  readonly endTagStart: number | undefined;
}

/** An attribute with its decoded value, and the place of both in the source. Names have their prefix: `xlink:href`. */
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
  /** Those that stand in the element's own tag; of two with one name only the first. */
  readonly attrs: readonly HtmlAttribute[];
  /** `undefined` for the root, and for what stands directly in a `<template>`. */
  readonly parent: HtmlElement | undefined;
  /** Of a `<template>`: the first node of its content. */
  readonly firstChild: HtmlNode | undefined;
  readonly next: HtmlNode | undefined;
  /** `undefined` when no tag of the source stands for the element. */
  readonly source: ElementSource | undefined;
}

export type HtmlNode = HtmlElement | HtmlText;

/** A part of the tree while it is built. */
export type Growing<Part> = { -readonly [Key in keyof Part]: Part[Key] };

export interface HtmlDocument {
  /** The `<html>` element, which every document has. */
  readonly root: HtmlElement;
  /** Where the document type declaration ends; `undefined` when there is none. */
  readonly doctypeEnd: number | undefined;
}

export const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const MATH_NAMESPACE = "http://www.w3.org/1998/Math/MathML";

/** Where an element stands: `inert` is true inside `<template>` and `<noscript>`, whose scripts do not run. */
export interface ElementPlace {
  readonly inert: boolean;
}

/** Calls `visit` for every element in document order, also for the content of `<template>`. */
export function visitElements(
  document: HtmlDocument,
  visit: (element: HtmlElement, place: ElementPlace) => void,
): void {
  // A hostile page nests deeper than the call stack is high.
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

/** The text inside an element with white space collapsed, as a reader sees it; without that of templates. */
export function textOf(element: HtmlElement): string {
  return textsOf(element, isTemplate).join("").replace(/\s+/g, " ").trim();
}

/** The texts inside an element one by one, without those inside elements that are left out. */
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

/** The first child that is an element and fits. */
export function findChild(parent: HtmlElement, fits: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (let node = parent.firstChild; node !== undefined; node = node.next) {
    if (node.kind === "element" && fits(node)) return node;
  }
  return undefined;
}

/** Where the text of a `<script>` or `<style>` stands in the source; `undefined` when the element is not in it. */
export function innerRange({ source }: HtmlElement): SourceRange | undefined {
  if (source === undefined) return undefined;
  return { start: source.contentStart, end: source.endTagStart ?? source.end };
}

import { isTag, type ChildNode, type Document, type Element, type ParentNode } from "domhandler";
import { getOuterHTML } from "domutils";
import { parse } from "parse5";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { findSrcsetAddresses } from "../html/address-texts.ts";

/** Maximum length of a page, in characters. Only the beginning of a longer one is read. */
export const MAX_PAGE_LENGTH = 2 * 1024 * 1024;

/** Elements deeper than this are ignored; no hand-written page comes close. */
const MAX_DEPTH = 200;

/** Class names that themes use for article text. */
export const PROSE_CLASSES = [
  "prose",
  "content",
  "markdown",
  "markdown-body",
  "entry-content",
  "post-content",
  "rich-text",
] as const;

export interface PageDocument {
  readonly document: Document;
  /** Every element that can be shown, in document order, without templates and `noscript`. */
  readonly elements: readonly Element[];
  readonly html: Element | undefined;
  readonly head: Element | undefined;
  readonly body: Element | undefined;
}

export function parseDocument(html: string): PageDocument {
  const document = parse(html.slice(0, MAX_PAGE_LENGTH), { treeAdapter: adapter, scriptingEnabled: true });
  const elements = collectElements(document);
  const byName = (name: string): Element | undefined => elements.find((element) => element.name === name);
  return { document, elements, html: byName("html"), head: byName("head"), body: byName("body") };
}

function collectElements(document: Document): readonly Element[] {
  const elements: Element[] = [];
  const open: { readonly children: ParentNode["children"]; next: number }[] = [
    { children: document.children, next: 0 },
  ];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const child = level.children[level.next];
    level.next += 1;
    if (child === undefined) open.pop();
    else if (isTag(child)) {
      elements.push(child);
      const isOpen = open.length < MAX_DEPTH && child.name !== "template" && child.name !== "noscript";
      if (isOpen) open.push({ children: child.children, next: 0 });
    }
  }
  return elements;
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attribs[name];
}

export function parentOf(element: Element): Element | undefined {
  const parent = element.parent;
  return parent !== null && isTag(parent) ? parent : undefined;
}

export function bodyOf(element: Element): Element | undefined {
  return closest(element, ({ name }) => name === "body");
}

/** Returns the nearest match among the element and its ancestors. */
export function closest(element: Element, test: (element: Element) => boolean): Element | undefined {
  for (let current: Element | undefined = element; current !== undefined; current = parentOf(current)) {
    if (test(current)) return current;
  }
  return undefined;
}

export function isInside(element: Element, names: readonly string[]): boolean {
  return closest(element, (ancestor) => names.includes(ancestor.name)) !== undefined;
}

/** Maximum length of text and words read from an element, in characters: enough to identify it. */
const LONGEST_TEXT = 500;

const NOT_TEXT = new Set(["script", "style", "template", "noscript"]);

/** Returns the visible text of an element with single spaces, truncated if it is long. */
export function textOf(element: Element): string {
  let text = "";
  const open: ChildNode[] = [...element.children].reverse();
  for (let node = open.pop(); node !== undefined && text.length < LONGEST_TEXT; node = open.pop()) {
    if (node.type === "text") text += node.data.slice(0, LONGEST_TEXT * 4).replace(/\s+/g, " ");
    else if (isTag(node) && !NOT_TEXT.has(node.name)) open.push(...[...node.children].reverse());
  }
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the file of an image. If a script loads it lazily, that file rather than the placeholder. */
export function fileOfImage({ attribs }: Pick<Element, "attribs">): string | undefined {
  const { src } = attribs;
  const late = attribs["data-src"] ?? attribs["data-lazy-src"] ?? attribs["data-original"];
  if (src !== undefined && !src.startsWith("data:")) return src;
  return late ?? src ?? attribs["data"] ?? firstOfSet(attribs["srcset"] ?? attribs["data-srcset"]);
}

/** The first address of a `srcset`. */
export function firstOfSet(set: string | undefined): string | undefined {
  return set === undefined ? undefined : findSrcsetAddresses(set)[0]?.address;
}

/** What a `<use>` shows, as written. */
export function referenceOf({ attribs }: Element): string {
  return attribs["href"] ?? attribs["xlink:href"] ?? "";
}

/** Whether a link is declared as the home link. It may have the site's original address: another host, or a path. */
export function isHomeByName({ attribs }: Element): boolean {
  return /\bhome\b/i.test(attribs["rel"] ?? "");
}

export function isWords(node: ChildNode): boolean {
  return node.type === "text" && node.data.trim() !== "";
}

const LONG_PARAGRAPH = 60;

export function hasParagraph(element: Element): boolean {
  return descendantsOf(element).some((each) => each.name === "p" && textLengthOf(each) >= LONG_PARAGRAPH);
}

/** In document order. Walks in linear time however deep the elements are, unlike `findAll` of domutils. */
export function descendantsOf(element: Element): readonly Element[] {
  const found: Element[] = [];
  const open = element.children.filter(isTag).reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    for (const child of node.children.toReversed()) if (isTag(child)) open.push(child);
  }
  return found;
}

const textLengths = new WeakMap<Element, number>();

/** Returns the amount of text in an element, in characters without spaces. Includes text hidden by styles. */
export function textLengthOf(element: Element): number {
  const known = textLengths.get(element);
  if (known !== undefined) return known;
  // Most elements are asked for it, those around them first: all in the element are measured at once.
  const open = [element];
  for (const { children } of open)
    for (const child of children) if (isTag(child) && !NOT_TEXT.has(child.name)) open.push(child);
  for (const each of open.toReversed()) {
    let length = 0;
    for (const child of each.children) {
      if (child.type === "text") length += countLetters(child.data);
      else if (isTag(child) && !NOT_TEXT.has(child.name)) length += textLengths.get(child) ?? 0;
    }
    textLengths.set(each, length);
  }
  return textLengths.get(element) ?? 0;
}

/** Returns the element that holds the text of another: in `<h2><span>Title</span></h2>`, the `span`. Not a link. */
export function textHolderOf(element: Element): Element {
  const length = textLengthOf(element);
  const holder = element.children.find((child) => isTag(child) && textLengthOf(child) === length);
  return length === 0 || holder === undefined || !isTag(holder) || holder.name === "a" ? element : textHolderOf(holder);
}

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;

function countLetters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > SPACE && code !== NO_BREAK_SPACE) count += 1;
  }
  return count;
}

export function titleOf({ elements }: PageDocument): string {
  const title = elements.find(({ name }) => name === "title");
  return title === undefined ? "" : textOf(title);
}

/** Returns an element's names in the markup: id, classes, and label. */
export function wordsOf(element: Element): string {
  const { id = "", class: classes = "", "aria-label": label = "" } = element.attribs;
  return [id, classes, label]
    .map((words) => words.slice(0, LONGEST_TEXT))
    .join(" ")
    .toLowerCase();
}

export function outerHtml(element: Element): string {
  return getOuterHTML(element, { xmlMode: true, encodeEntities: "utf8" });
}

/**
 * Resolves a reference in a file to an absolute address without its fragment; `undefined` if it isn't http or https.
 */
export function resolveAddress(reference: string, base: string): string | undefined {
  const url = URL.parse(reference.trim(), base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

export function isGoogleFonts(address: string): boolean {
  return URL.parse(address)?.hostname === "fonts.googleapis.com";
}

export function isSameOrigin(first: string, second: string): boolean {
  return URL.parse(first)?.origin === URL.parse(second)?.origin;
}

/** Returns the address without `index.html` and trailing slash, for comparing pages. */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : url.origin + url.pathname.replace(/(?:\/index)?(?:\.html?)?\/?$/i, "");
}

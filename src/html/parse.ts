import { createRequire } from "node:module";
import type * as Parse5 from "parse5";
import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { parseQuickly } from "./quick/quick-parse.ts";
import type { ElementSource, Growing, HtmlAttribute, HtmlDocument, HtmlElement, HtmlNode } from "./tree.ts";

/**
 * Parses any text as an HTML document, with the source range of every element. Never throws.
 *
 * Scripting is off, so the content of `<noscript>` is parsed as elements.
 */
export function parseHtml(text: string): HtmlDocument {
  const result = parseQuickly(text);
  return result.kind === "parsed" ? result.document : parseByStandard(text);
}

// Loaded for the first page that needs it, since most runs have none.
const require = createRequire(import.meta.url);

/**
 * Parses any text as an HTML document by the complete HTML standard. Never throws.
 *
 * Scripting is off, so the content of `<noscript>` is parsed as elements.
 */
export function parseByStandard(text: string): HtmlDocument {
  const { parse }: typeof Parse5 = require("parse5");
  const document = parse(text, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  const root = document.childNodes.find(isElement);
  if (root === undefined) throw new TypeError("parse5 gave a document without a root.");
  const doctype = document.childNodes.find(({ nodeName }) => nodeName === "#documentType");
  return { root: convertTree(root), doctypeEnd: doctype?.sourceCodeLocation?.endOffset };
}

type ParsedElement = Tree.Element | Tree.Template;

/** Converts the tree without recursion: a hostile page may be nested deeper than the call stack allows. */
function convertTree(root: ParsedElement): HtmlElement {
  const converted = convertElement(root, undefined);
  const open = [{ from: root, to: converted }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { from, to } = pair;
    const isTemplate = "content" in from;
    let last: { next: HtmlNode | undefined } | undefined;
    for (const node of joinTexts(isTemplate ? from.content.childNodes : from.childNodes)) {
      const child =
        typeof node === "string"
          ? { kind: "text" as const, value: node, next: undefined }
          : convertElement(node, isTemplate ? undefined : to);
      if (last === undefined) to.firstChild = child;
      else last.next = child;
      last = child;
      if (typeof node !== "string" && child.kind === "element") open.push({ from: node, to: child });
    }
  }
  return converted;
}

/** Returns elements and texts; the texts before and after a comment are joined. */
function joinTexts(nodes: readonly Tree.ChildNode[]): readonly (ParsedElement | string)[] {
  const joined: (ParsedElement | string)[] = [];
  for (const node of nodes) {
    const before = joined.at(-1);
    if (isElement(node)) joined.push(node);
    else if ("value" in node && typeof before === "string") joined[joined.length - 1] = before + node.value;
    else if ("value" in node) joined.push(node.value);
  }
  return joined;
}

function convertElement(element: ParsedElement, parent: HtmlElement | undefined): Growing<HtmlElement> {
  return {
    kind: "element",
    tagName: lowerCase(element.tagName),
    namespaceURI: element.namespaceURI,
    attrs: element.attrs.flatMap((attribute) => convertAttribute(attribute, element)),
    parent,
    firstChild: undefined,
    next: undefined,
    source: convertSource(element),
  };
}

/** The parser adjusts names in SVG, and copies the attributes of a second `<body>` to the first. */
function convertAttribute(
  { name, prefix, value }: ParsedElement["attrs"][number],
  { sourceCodeLocation }: ParsedElement,
): readonly HtmlAttribute[] {
  const written = lowerCase(prefix === undefined || prefix === "" ? name : `${prefix}:${name}`);
  const place = sourceCodeLocation?.attrs?.[written];
  return place === undefined ? [] : [{ name: written, value, start: place.startOffset, end: place.endOffset }];
}

function convertSource({ sourceCodeLocation: place }: ParsedElement): ElementSource | undefined {
  if (!place?.startTag) return undefined;
  return {
    start: place.startOffset,
    contentStart: place.startTag.endOffset,
    endTagStart: place.endTag?.startOffset,
    end: place.endOffset,
  };
}

function isElement(node: Tree.ChildNode): node is ParsedElement {
  return "tagName" in node;
}

function lowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

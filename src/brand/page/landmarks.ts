import { isTag, type Element } from "domhandler";
import { closest, isInside, textLengthOf, wordsOf } from "../document.ts";
import type { SitePage } from "./site-page.ts";

/** What surrounds the content of a page. */
export interface Landmarks {
  readonly header: Element | undefined;
  readonly footer: Element | undefined;
}

const known = new WeakMap<SitePage["document"], Landmarks>();

/** The site's header with its navigation, and its footer: by their names in HTML, their roles, else by their place. */
export function findLandmarks({ document }: Pick<SitePage, "document">): Landmarks {
  const found = known.get(document) ?? { header: findHeader(document), footer: findFooter(document) };
  known.set(document, found);
  return found;
}

const HEADER_WORDS =
  /(?:^|[\s_-])(?:header|masthead|navbar|topbar|top-bar|site-head|appbar|hdr|head|banner|top)(?:$|[\s_-])/;
const FOOTER_WORDS = /(?:^|[\s_-])(?:footer|foot|colophon|bottom|copyright)(?:$|[\s_-])/;

/** Share of the page's text that stands in a header or footer at most: what holds more is the page. */
const MOST_TEXT = 0.5;
const SMALL_PAGE = 300;

function findHeader(document: SitePage["document"]): Element | undefined {
  const { elements, body } = document;
  const isOfPage = (element: Element) =>
    !isInside(element, ["main", "article", "section", "footer", "dialog"]) && isSmall(element, body);
  return (
    elements.find((element) => element.attribs["role"] === "banner" && isSmall(element, body)) ??
    elements.find((element) => element.name === "header" && isOfPage(element)) ??
    blocksOf(document).find((element) => HEADER_WORDS.test(wordsOf(element)) && isOfPage(element)) ??
    elements.find((element) => element.name === "nav" && isOfPage(element))
  );
}

function findFooter(document: SitePage["document"]): Element | undefined {
  const { elements, body } = document;
  const isOfPage = (element: Element) =>
    !isInside(element, ["main", "article", "section", "header", "dialog", "blockquote", "figure"]) &&
    isSmall(element, body);
  return (
    elements.find((element) => element.attribs["role"] === "contentinfo" && isSmall(element, body)) ??
    elements.findLast((element) => element.name === "footer" && isOfPage(element)) ??
    blocksOf(document).findLast((element) => FOOTER_WORDS.test(wordsOf(element)) && isOfPage(element))
  );
}

function isSmall(element: Element, body: Element | undefined): boolean {
  const all = body === undefined ? 0 : textLengthOf(body);
  return all < SMALL_PAGE || textLengthOf(element) <= all * MOST_TEXT;
}

/** How deep below the body a header without a name in HTML is looked for. */
const DEEPEST = 4;

function blocksOf({ elements, body }: SitePage["document"]): readonly Element[] {
  return elements.filter((element) => {
    if (element.name !== "div" && element.name !== "section") return false;
    let depth = 0;
    const top = closest(element, (ancestor) => {
      depth += 1;
      return ancestor === body || depth > DEEPEST;
    });
    return top === body && element.children.some(isTag);
  });
}

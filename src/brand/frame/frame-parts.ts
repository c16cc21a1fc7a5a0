import { isTag, type ChildNode, type Element } from "domhandler";
import {
  closest,
  descendantsOf,
  hasParagraph,
  isWords,
  parentOf,
  textLengthOf,
  textOf,
  titleOf,
  wordsOf,
} from "../document.ts";
import type { WrittenDeclaration } from "../css/sheet-tree.ts";
import { findHomeLink, findLandmarks } from "../page/landmarks.ts";
import type { Look } from "../page/look.ts";
import type { SitePage } from "../page/site-page.ts";

export function findPinned({ document }: SitePage, look: Look, selector: string): readonly Element[] {
  const found = document.elements.find((element) => look.matches(element, selector));
  return found === undefined ? [] : [found];
}

const MOST_HEADER_TEXT = 700;

/** Finds the header with adjacent bars above and below it: a notice, the navigation. */
export function findHeaderParts(page: SitePage, look: Look): readonly Element[] {
  const { header: found } = findLandmarks(page);
  // A header that only small windows show repeats what a column shows in others.
  const isShown = found !== undefined && !look.styleOf(found).isHidden;
  const column = isShown ? closest(found, (around) => isColumn(around, look)) : findColumn(page, look);
  if (column !== undefined && isOfFrame(column)) return [column];
  if (found === undefined) return [];
  const header = isFrameOnly(found) && !hasOwnHeading(found, page) ? found : innerBar(found, page);
  if (header === undefined || !isShown || look.styleOf(header).isHidden || linksOf(header).length === 0) return [];
  const outermost = findOutermost(header, look);
  const siblings = siblingsOf(outermost);
  const at = siblings.indexOf(outermost);
  const sign = findHomeLink(page.document, page.address);
  const isSign = (element: Element) => sign !== undefined && closest(sign, (own) => own === element) !== undefined;
  const above = siblings.slice(0, at).filter((element) => isBar(element, look, isSign));
  const next = siblings[at + 1];
  const isNavigation =
    next !== undefined &&
    (next.name === "nav" || /(?:^|[\s_-])(?:nav|menu)/.test(wordsOf(next)) || isNothingButLinks(next));
  const below = next !== undefined && isNavigation && isBar(next, look) ? [next] : [];
  return [...above, outermost, ...below];
}

/** The outermost element that shows nothing but the header, as site builders wrap each section. */
function findOutermost(header: Element, look: Look): Element {
  const around = parentOf(header);
  if (around === undefined || !["div", "section", "td", "tr"].includes(around.name)) return header;
  const isShown = (child: ChildNode) =>
    isTag(child)
      ? !["script", "style", "template"].includes(child.name) && !look.styleOf(child).isHidden
      : isWords(child);
  const isAlone = around.children.every((child) => child === header || !isShown(child));
  return isAlone && !look.styleOf(header).isOverlay ? findOutermost(around, look) : header;
}

const MOST_COLUMN_TEXT = 3000;
/** Sizes in CSS pixels: of a window that a column fills, and of a column. */
const TALL = 500;
const NARROW = [120, 400] as const;

/** The first column of the page with links, before its content. */
function findColumn({ document }: SitePage, look: Look): Element | undefined {
  const { elements } = document;
  const end = elements.findIndex(({ name, attribs }) => name === "main" || attribs["role"] === "main");
  return elements
    .slice(0, end)
    .find(
      (element) =>
        isColumn(element, look) && !look.styleOf(element).isHidden && linksOf(element).length > 0 && isOfFrame(element),
    );
}

function isOfFrame(column: Element): boolean {
  return textLengthOf(column) <= MOST_COLUMN_TEXT && !hasParagraph(column);
}

/** Whether an element is a column beside the page, with the logo and the navigation. */
export function isColumn(element: Element, look: Look): boolean {
  if (element.name === "html" || element.name === "body") return false;
  const { box, isOverlay } = look.styleOf(element);
  const isTall = box.height !== undefined && box.height >= TALL;
  const isNarrow = columnWidth(element, look) !== undefined;
  const isNamed = element.name === "aside" || /(?:^|[\s_-])side/.test(wordsOf(element));
  return isNarrow ? isTall || isOverlay || isNamed : isTall && isNamed && box.width === undefined;
}

/** The width of a column, if the styles set it. */
export function columnWidth(element: Element, look: Look): number | undefined {
  const { box } = look.styleOf(element);
  const width = box.width ?? box.basis ?? trackWidth(element, look);
  const [least, most] = NARROW;
  return width !== undefined && width >= least && width <= most ? Math.round(width) : undefined;
}

/** The width of the first column of the grid around an element that comes first in it. */
function trackWidth(element: Element, look: Look): number | undefined {
  const around = parentOf(element);
  const first = around?.children.filter(isTag).find((child) => !look.styleOf(child).isHidden);
  return around !== undefined && first === element ? look.styleOf(around).box.firstTrack : undefined;
}

/** Whether a declaration makes room for a column beside the page. */
export function isForColumn({ property, value }: WrittenDeclaration): boolean {
  const [, size, unit] = /^(\d+(?:\.\d+)?)(px|rem|em)$/.exec(value) ?? [];
  const isOneSided = /^(?:margin|padding)-(?:left|right|inline-start|inline-end)$/.test(property);
  return isOneSided && Number(size) * (unit === "px" ? 1 : 16) >= NARROW[0];
}

const LEAST_LINK_SHARE = 0.8;

function isNothingButLinks(element: Element): boolean {
  const links = linksOf(element);
  const length = links.reduce((sum, link) => sum + textLengthOf(link), 0);
  return links.length >= 2 && length >= textLengthOf(element) * LEAST_LINK_SHARE;
}

function isFrameOnly(element: Element): boolean {
  return textLengthOf(element) <= MOST_HEADER_TEXT && !hasParagraph(element);
}

const LONGEST_NAME = 40;

/** Whether an element contains the heading of its own page, rather than the name of the site. */
function hasOwnHeading(element: Element, { document, address }: SitePage): boolean {
  const home = findHomeLink(document, address);
  const title = titleOf(document).toLowerCase();
  return descendantsOf(element).some((heading) => {
    if (heading.name !== "h1" || textLengthOf(heading) === 0) return false;
    const isOfHome =
      home !== undefined && (descendantsOf(heading).includes(home) || descendantsOf(home).includes(heading));
    const text = textOf(heading).trim().toLowerCase();
    return !isOfHome && !(text.length <= LONGEST_NAME && title.includes(text));
  });
}

/** Finds the bar in a header that contains more than a frame, such as the first screen of the site. */
function innerBar(header: Element, page: SitePage): Element | undefined {
  return descendantsOf(header).find(
    (element) =>
      ["header", "nav", "div"].includes(element.name) &&
      isFrameOnly(element) &&
      linksOf(element).length >= 2 &&
      !hasOwnHeading(element, page),
  );
}

/** Maximum text length of a bar, in characters. */
export const MOST_BAR_TEXT = 300;

function isBar(element: Element, look: Look, isSign: (element: Element) => boolean = () => false): boolean {
  const isBlock = ["div", "nav", "header", "aside", "section", "ul", "menu", "p", "tr"].includes(element.name);
  const length = textLengthOf(element);
  const isShown = (length > 0 || isSign(element)) && !look.styleOf(element).isHidden;
  return isBlock && isShown && length <= MOST_BAR_TEXT && isFrameOnly(element);
}

const MOST_FOOTER_TEXT = 3000;

/** Finds the footer, unless it is part of the header. */
export function findFooterParts(page: SitePage, look: Look): readonly Element[] {
  const { footer, header } = findLandmarks(page);
  if (footer === undefined || look.styleOf(footer).isHidden || textLengthOf(footer) > MOST_FOOTER_TEXT) return [];
  const isApart = header === undefined || closest(footer, (element) => element === header) === undefined;
  return isApart ? [footer] : [];
}

function siblingsOf(element: Element): readonly Element[] {
  const parent = parentOf(element);
  return parent === undefined ? [element] : parent.children.filter(isTag);
}

function linksOf(element: Element): readonly Element[] {
  return [element, ...descendantsOf(element)].filter(
    ({ name, attribs }) => name === "a" && attribs["href"] !== undefined,
  );
}

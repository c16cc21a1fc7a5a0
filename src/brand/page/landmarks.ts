import { isTag, type Element } from "domhandler";
import {
  closest,
  descendantsOf,
  hasParagraph,
  isInside,
  isSameOrigin,
  pageKey,
  parentOf,
  resolveAddress,
  textLengthOf,
  textOf,
  titleOf,
  wordsOf,
} from "../document.ts";
import { onceEach } from "../../base/once-each.ts";
import { titleParts } from "../../base/title.ts";
import { isPrompt, type SitePage } from "./site-page.ts";

export interface Landmarks {
  readonly header: Element | undefined;
  readonly footer: Element | undefined;
}

const known = new WeakMap<SitePage["document"], Landmarks>();

/** Finds the site's header with its navigation, and its footer: by element names and roles, or else by position. */
export function findLandmarks({ document, address }: Pick<SitePage, "document" | "address">): Landmarks {
  const found = known.get(document) ?? { header: findHeader(document, address), footer: findFooter(document, address) };
  known.set(document, found);
  return found;
}

const HEADER_WORDS =
  /(?:^|[\s_-])(?:header|masthead|navbar|topbar|top-bar|site-head|appbar|hdr|hd|head|banner|top|navigation|toolbar)(?:$|[\s_-])/;
const FOOTER_WORDS = /(?:^|[\s_-])(?:footer|foot|ft|colophon|bottom|copyright)(?:$|[\s_-])/;

/** Maximum share of the page's text in a header or footer. An element with more is the page itself. */
const MOST_TEXT = 0.5;
const SMALL_PAGE = 300;

function findHeader(document: SitePage["document"], address: string): Element | undefined {
  const { elements, body } = document;
  const isOfPage = (element: Element) =>
    !isInside(element, ["main", "article", "section", "footer", "dialog"]) && isSmall(element, body);
  const named = blocksOf(document).filter((element) => HEADER_WORDS.test(namesOf(element)) && isOfPage(element));
  const navOf = (element: Element) => closest(element, (around) => around.name === "nav" && isOfPage(around));
  const candidates = [
    elements.find((element) => element.attribs["role"] === "banner" && isSmall(element, body)),
    elements.find((element) => element.name === "header" && isOfPage(element)),
    ...named.map((element) => navOf(element) ?? element),
    elements.find((element) => element.name === "nav" && isOfPage(element)),
  ].filter((element) => element !== undefined);
  const home = findHomeLink(document, address);
  // An article's header may come first; the site's header links home.
  const leadsHome = (element: Element) => home !== undefined && closest(home, (at) => at === element) !== undefined;
  const [first] = candidates;
  const bar = findHomeBar(document, home);
  // If only the navigation is marked up, the header is the bar around or above it that contains the home link.
  const isInBar = first !== undefined && closest(first, (at) => at === bar) !== undefined;
  const isBelowBar = bar !== undefined && first?.name === "nav" && elements.indexOf(bar) < elements.indexOf(first);
  return candidates.find(leadsHome) ?? (isInBar || isBelowBar ? bar : first) ?? bar;
}

export function findHomeLink({ elements }: SitePage["document"], address: string): Element | undefined {
  return elements.find(({ name, attribs }) => {
    const target = name === "a" ? resolveAddress(attribs["href"] ?? "#", address) : undefined;
    return target !== undefined && !attribs["href"]?.startsWith("#") && pageKey(target) === pageKey(address);
  });
}

/**
 * The page's first link, if it leads to the root of another host, and none leads home: a built folder doesn't know its
 * future host, and some sites link to their own home page by its whole address.
 */
export const findRootLink = onceEach(({ document, address }: Pick<SitePage, "document" | "address">) => {
  const first = document.elements.find(({ name, attribs }) => name === "a" && /^[^#]/.test(attribs["href"] ?? ""));
  const target = URL.parse(resolveAddress(first?.attribs["href"] ?? "#", address) ?? "");
  const isRoot = target !== null && /^https?:/.test(target.protocol) && target.pathname + target.search === "/";
  const isOther = isRoot && !isSameOrigin(target.href, address);
  return isOther && findHomeLink(document, address) === undefined ? first : undefined;
});

const MOST_BAR_TEXT = 300;

/** The largest block around the first home link that has no content to read. */
function findHomeBar({ body }: SitePage["document"], link: Element | undefined): Element | undefined {
  let bar: Element | undefined;
  for (let at = link; at !== undefined && at !== body; at = parentOf(at)) {
    const isBar =
      textLengthOf(at) <= MOST_BAR_TEXT && !hasParagraph(at) && !["main", "article", "footer"].includes(at.name);
    if (!isBar || at.name === "html") break;
    bar = at;
  }
  return bar !== undefined && isSmall(bar, body) ? bar : undefined;
}

function findFooter(document: SitePage["document"], address: string): Element | undefined {
  const { elements, body } = document;
  const isOfPage = (element: Element) =>
    !isInside(element, ["main", "article", "section", "header", "dialog", "blockquote", "figure"]) &&
    isSmall(element, body);
  return (
    elements.find((element) => element.attribs["role"] === "contentinfo" && isSmall(element, body)) ??
    elements.findLast((element) => element.name === "footer" && isOfPage(element)) ??
    blocksOf(document, { empty: true }).findLast(
      (element) => FOOTER_WORDS.test(namesOf(element)) && textLengthOf(element) > 0 && isOfPage(element),
    ) ??
    findLastBlock(document, address)
  );
}

const MOST_LAST_TEXT = 600;
/** Maximum depth of nested wrappers around the whole page. Sites have only a few. */
const MOST_WRAPPERS = 20;
/** Words for what isn't part of the page's own text. */
const EXTRA_WORDS = /(?:^|[\s_-])(?:overlay|widget|badge|newsletter|ads?|skip)(?:$|[\s_-])/;
/** Elements that may contain the whole page. */
const WRAPPERS = new Set(["div", "center", "table", "tbody"]);
const CLOSING_WORDS = /©|copyright|impressum|datenschutz|privacy|terms|legal/i;

/**
 * The last block of the page below its text, if its content is typical of footers: the site's name, its owner, further
 * links.
 */
function findLastBlock(document: SitePage["document"], address: string): Element | undefined {
  const { body } = document;
  const home = findHomeLink(document, address);
  const names = [titleParts(titleOf(document))[0], home && textOf(home)].flatMap(
    (name) => name?.trim().toLowerCase() ?? [],
  );
  let around = body;
  for (let level = 0; level < MOST_WRAPPERS && around !== undefined; level += 1) {
    const blocks: Element[] = around.children
      .filter(isTag)
      .filter((element) => textLengthOf(element) > 0 && !EXTRA_WORDS.test(wordsOf(element)))
      .filter((element) => !["script", "style", "svg"].includes(element.name) && !isPrompt(element));
    const last = blocks.at(-1);
    if (last === undefined) return undefined;
    if (blocks.length === 1 && WRAPPERS.has(last.name)) {
      around = last;
      continue;
    }
    const text = textOf(last).toLowerCase();
    const isClosing =
      CLOSING_WORDS.test(text) || linksOf(last) >= 2 || names.some((name) => name.length > 2 && text.includes(name));
    const isBlock = ["div", "section", "address", "center", "tr"].includes(last.name) && !hasParagraph(last);
    const isShort = textLengthOf(last) <= MOST_LAST_TEXT && isSmall(last, body);
    return blocks.length > 1 && isBlock && isShort && isClosing && !hasHeading(last) ? last : undefined;
  }
  return undefined;
}

/** The words of an element's attributes and, if it is a custom element, of its name. */
function namesOf(element: Element): string {
  return element.name.includes("-") ? `${element.name} ${wordsOf(element)}` : wordsOf(element);
}

function linksOf(element: Element): number {
  return descendantsOf(element).filter(({ name, attribs }) => name === "a" && attribs["href"] !== undefined).length;
}

function hasHeading(element: Element): boolean {
  return descendantsOf(element).some(({ name }) => name === "h1" || name === "h2");
}

function isSmall(element: Element, body: Element | undefined): boolean {
  const all = body === undefined ? 0 : textLengthOf(body);
  return all < SMALL_PAGE || textLengthOf(element) <= all * MOST_TEXT;
}

/** Maximum depth below the body to search for a header without a semantic element. */
const DEEPEST = 4;

/** Blocks near the top of the tree; `empty` includes those that contain only text. */
function blocksOf(
  { elements, body }: SitePage["document"],
  { empty = false }: { readonly empty?: boolean } = {},
): readonly Element[] {
  return elements.filter((element) => {
    if (element.name !== "div" && element.name !== "section" && !element.name.includes("-")) return false;
    let depth = 0;
    const top = closest(element, (ancestor) => {
      depth += 1;
      return ancestor === body || depth > DEEPEST;
    });
    return top === body && (empty || element.children.some(isTag));
  });
}

import { Element } from "domhandler";
import type { AppliedSheet } from "../css/cascade.ts";
import {
  attributeOf,
  hasParagraph,
  isInside,
  isSameOrigin,
  pageKey,
  parentOf,
  resolveAddress,
  wordsOf,
  type PageDocument,
} from "../document.ts";
import type { Look, PageLooks } from "./look.ts";

/** One page that was read, with its styles and looks. */
export interface SitePage {
  readonly address: string;
  readonly document: PageDocument;
  readonly sheets: readonly AppliedSheet[];
  readonly googleFonts: readonly string[];
  readonly looks: PageLooks;
  /** Whether the page shows hardly any text without its scripts: then what is not set says nothing. */
  readonly isBare: boolean;
  /** How much the page counts beside others: the home page twice. */
  readonly weight: number;
}

interface Wanted {
  readonly test: (element: Element) => boolean;
  readonly limit: number;
}

/** Elements that pass and are shown, in document order. Of a long page the beginning is looked at. */
export function shownElements(page: SitePage, look: Look, { test, limit }: Wanted): readonly Element[] {
  const shown: Element[] = [];
  // Whether one is shown takes far longer to know than whether it passes, above all when most are hidden.
  let tries = limit * 5;
  for (const element of page.document.elements) {
    if (shown.length >= limit || tries <= 0) break;
    if (!test(element)) continue;
    tries -= 1;
    if (!look.styleOf(element).isHidden) shown.push(element);
  }
  return shown;
}

/** A test for elements with one of the names. */
export function named(...names: readonly string[]): (element: Element) => boolean {
  return ({ name }) => names.includes(name);
}

/** The element that holds what the page is about. */
export function findContent(page: SitePage): Element | undefined {
  const { elements, body } = page.document;
  return (
    elements.find((element) => element.name === "main" || element.attribs["role"] === "main") ??
    elements.find((element) => element.name === "article") ??
    elements.find((element) => /^(?:content|main)$/.test(element.attribs["id"] ?? "")) ??
    body
  );
}

const inFrame = new WeakMap<Element, boolean>();

/** Header, navigation, side bar and footer: what surrounds the content. */
export function isInPageFrame(element: Element): boolean {
  const known = inFrame.get(element);
  if (known !== undefined) return known;
  const parent = parentOf(element);
  const isInFrame = isPartOfFrame(element) || (parent !== undefined && isInPageFrame(parent));
  inFrame.set(element, isInFrame);
  return isInFrame;
}

function isPartOfFrame(element: Element): boolean {
  const { name } = element;
  if (name === "nav" || name === "footer" || name === "aside") return true;
  if (name === "header" && !isInside(element, ["main", "article"])) return true;
  if (name === "body" || name === "html" || name === "main") return false;
  // A restaurant's menu is what the page is about.
  return FRAME_WORDS.test(wordsOf(element)) && !hasParagraph(element);
}

const FRAME_WORDS =
  /(?:^|[\s_-])(?:[a-z]*nav|navbar|navigation|[a-z]*menu|sidebar|footer|breadcrumbs?|toc|pagination)(?:$|[\s_-])/;

/** Whether the element is called a button in the markup. */
export function isButtonLike(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  if (element.name === "button" || attributeOf(element, "role") === "button") return true;
  if (element.name === "input") return ["submit", "button"].includes(type);
  return element.name === "a" && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/.test(wordsOf(element));
}

/**
 * An element that is not on the page, for asking how one would look there: inside `parent`, wrapped in the given
 * elements, the outermost first (`p`, `div.prose`).
 */
export function createProbe(parent: Element, path: readonly string[]): Element {
  let current = parent;
  for (const step of path) {
    const [name = "div", className] = step.split(".");
    const attributes: Record<string, string> = {};
    if (className !== undefined) attributes["class"] = className;
    if (name === "a") attributes["href"] = "/imprint-probe/";
    const element = new Element(name, attributes);
    // The page does not get the probe among its children: other selectors must not see it.
    element.parent = current;
    current = element;
  }
  return current;
}

/** Links of the home page that are looked at. */
const MAX_LINKS = 500;

/** Endings of files that are no pages. */
const NO_PAGE = /\.(?:xml|json|txt|pdf|zip|png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|mp4|webm|woff2?|rss|atom)$/i;

/**
 * Pages that show most of a site beside its home page: one of each part first (`/docs/…`, `/blog/…`), those of the
 * navigation before others.
 */
export function samplePages(
  home: { readonly address: string; readonly document: PageDocument },
  options: { readonly known: readonly string[]; readonly limit: number },
): readonly string[] {
  const linked = home.document.elements
    .filter(({ name, attribs }) => name === "a" && attribs["href"] !== undefined)
    .slice(0, MAX_LINKS)
    .map((element) => ({ href: element.attribs["href"] ?? "", isFrame: isInPageFrame(element) }));
  const ordered = [...linked.filter(({ isFrame }) => isFrame), ...linked.filter(({ isFrame }) => !isFrame)];
  const addresses = [...ordered.map(({ href }) => resolveAddress(href, home.address)), ...options.known];
  const pages = new Map<string, string>();
  for (const address of addresses) {
    if (
      address === undefined ||
      !isSameOrigin(address, home.address) ||
      NO_PAGE.test(URL.parse(address)?.pathname ?? "")
    )
      continue;
    if (pageKey(address) !== pageKey(home.address) && !pages.has(pageKey(address)))
      pages.set(pageKey(address), address);
  }
  const spreadOut = spread([...pages.values()], home.address);
  const trials = spreadOut.filter((address) => isTrial(address, home.address));
  return [...spreadOut.filter((address) => !trials.includes(address)), ...trials].slice(0, options.limit);
}

const TRIAL =
  /(?:^|\/)(?:tests?|testing|examples?|demos?|samples?|sandbox|playground|style-?guides?|kitchen-sink|drafts?|wip|old|archived?|storybook|fragments?|partials?|embeds?|_[^/]+)(?:[/.]|$)/i;

/** Whether a page is one of those on which things are tried out, seen from the home page. */
export function isTrial(address: string, home: string): boolean {
  const base = new URL(".", home).pathname;
  const { pathname } = new URL(address);
  return TRIAL.test(pathname.startsWith(base) ? pathname.slice(base.length) : pathname);
}

/** The first page of each part, then the second of each, and so on. */
function spread(addresses: readonly string[], home: string): readonly string[] {
  const parts = new Map<string, string[]>();
  const base = new URL(".", home).pathname;
  for (const address of addresses) {
    const { pathname } = new URL(address);
    const part = pathname.startsWith(base) ? (pathname.slice(base.length).split("/")[0] ?? "") : pathname;
    parts.set(part, [...(parts.get(part) ?? []), address]);
  }
  const longest = Math.max(0, ...[...parts.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => [...parts.values()].flatMap((part) => part[index] ?? [])).flat();
}

import { Element } from "domhandler";
import { onceEach } from "../../base/once-each.ts";
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

/** A page that was read, with its styles and looks. */
export interface SitePage {
  readonly address: string;
  readonly document: PageDocument;
  readonly sheets: readonly AppliedSheet[];
  readonly googleFonts: readonly string[];
  readonly looks: PageLooks;
  /** Whether the page shows hardly any text without its scripts. Unset styles then mean nothing. */
  readonly isBare: boolean;
  /** The page's weight among all pages: the home page counts twice. */
  readonly weight: number;
}

interface Wanted {
  readonly test: (element: Element) => boolean;
  readonly limit: number;
}

/** Returns matching visible elements in document order. Only the beginning of a long page is checked. */
export function shownElements(page: SitePage, look: Look, { test, limit }: Wanted): readonly Element[] {
  const shown: Element[] = [];
  // Computing whether an element is visible costs far more than the test, especially if most are hidden.
  let tries = limit * 5;
  for (const element of page.document.elements) {
    if (shown.length >= limit || tries <= 0) break;
    if (!test(element)) continue;
    tries -= 1;
    if (!look.styleOf(element).isHidden) shown.push(element);
  }
  return shown;
}

export function named(...names: readonly string[]): (element: Element) => boolean {
  return ({ name }) => names.includes(name);
}

/** Finds the element with the page's main content. */
export function findContent({ document }: SitePage): Element | undefined {
  return contentOf(document);
}

const contentOf = onceEach(
  ({ elements, body }: PageDocument): Element | undefined =>
    elements.find((element) => element.name === "main" || element.attribs["role"] === "main") ??
    elements.find((element) => element.name === "article") ??
    elements.find((element) => /^(?:content|main)$/.test(element.attribs["id"] ?? "")) ??
    body,
);

/** Whether an element is in what surrounds the content: header, navigation, sidebar, or footer. */
export const isInPageFrame = onceEach((element: Element): boolean => {
  const parent = parentOf(element);
  return isPartOfFrame(element) || (parent !== undefined && isInPageFrame(parent));
});

function isPartOfFrame(element: Element): boolean {
  const { name } = element;
  if (name === "nav" || name === "footer" || name === "aside") return true;
  if (name === "header" && !isInside(element, ["main", "article"])) return true;
  if (name === "body" || name === "html" || name === "main") return false;
  // A restaurant's menu is content.
  return FRAME_WORDS.test(wordsOf(element)) && !hasParagraph(element);
}

const FRAME_WORDS =
  /(?:^|[\s_-])(?:[a-z]*nav|navbar|navigation|[a-z]*menu|sidebar|footer|breadcrumbs?|toc|pagination)(?:$|[\s_-])/;

const PROMPT_WORDS = /(?:^|[\s_-])(?:cookies?|consent|cmp|gdpr|modal|popup|dialog|toast|chat)(?:$|[\s_-])/;

/** Whether an element is shown in front of the page, often by a third party: a cookie banner, a chat. */
export function isPrompt(element: Element): boolean {
  const role = attributeOf(element, "role") ?? "";
  if (element.name === "body" || element.name === "html") return false;
  return element.name === "dialog" || role.endsWith("dialog") || PROMPT_WORDS.test(wordsOf(element));
}

/** Also with a library's prefix or a number: `VPButton`, `MuiButton-root`. */
const BUTTON_WORDS = /(?:^|[\s_-])(?:[a-z]*(?:btn|button)\d*|cta)(?:$|[\s_-])/;

export function isButtonLike(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  if (element.name === "button" || attributeOf(element, "role") === "button") return true;
  if (element.name === "input") return ["submit", "button"].includes(type);
  return element.name === "a" && BUTTON_WORDS.test(wordsOf(element));
}

/**
 * Creates an element outside of the page to compute how one would look there: inside `parent`, wrapped in the given
 * elements, outermost first (`p`, `div.prose`).
 */
export function createProbe(parent: Element, path: readonly string[]): Element {
  let current = parent;
  for (const step of path) {
    const [name = "div", className] = step.split(".");
    const attributes: Record<string, string> = {};
    if (className !== undefined) attributes["class"] = className;
    if (name === "a") attributes["href"] = "/imprint-probe/";
    const element = new Element(name, attributes);
    // The probe isn't added to the children, so that it doesn't affect other selectors.
    element.parent = current;
    current = element;
  }
  return current;
}

const MAX_LINKS = 500;

/** Extensions of files that aren't pages. */
const NO_PAGE = /\.(?:xml|json|txt|pdf|zip|png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|mp4|webm|woff2?|rss|atom)$/i;

/**
 * Selects pages that represent most of a site besides its home page: one of each section first (`/docs/…`, `/blog/…`),
 * those in the navigation before others. If pages are `known`, no others exist.
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
  const built = new Set(options.known.map(pageKey));
  const pages = new Map<string, string>();
  for (const address of addresses) {
    if (
      address === undefined ||
      !isSameOrigin(address, home.address) ||
      NO_PAGE.test(URL.parse(address)?.pathname ?? "")
    )
      continue;
    if (built.size > 0 && !built.has(pageKey(address))) continue;
    if (pageKey(address) !== pageKey(home.address) && !pages.has(pageKey(address)))
      pages.set(pageKey(address), address);
  }
  const spreadOut = spread([...pages.values()], home.address);
  const trials = spreadOut.filter((address) => isTrial(address, home.address));
  return [...spreadOut.filter((address) => !trials.includes(address)), ...trials].slice(0, options.limit);
}

const TRIAL =
  /(?:^|\/)(?:tests?|testing|examples?|demos?|samples?|sandbox|playground|style-?guides?|kitchen-sink|drafts?|wip|old|archived?|storybook|fragments?|partials?|embeds?|_[^/]+)(?:[/.]|$)/i;

/** Whether a page is for testing or examples, judging by its path relative to the home page. */
export function isTrial(address: string, home: string): boolean {
  const base = new URL(".", home).pathname;
  const { pathname } = new URL(address);
  return TRIAL.test(pathname.startsWith(base) ? pathname.slice(base.length) : pathname);
}

/** Returns the first page of each section, then the second of each, and so on. */
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

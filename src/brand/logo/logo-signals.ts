import type { Element } from "domhandler";
import { isInside, parentOf, textOf, wordsOf, type PageDocument } from "../page/document.ts";
import { pageKey, resolveAddress } from "../page/address.ts";

/** What speaks for a picture being the site's logo. */
export interface LogoSignals {
  readonly isHomeLink: boolean;
  readonly isNamedLogo: boolean;
  readonly isInHeader: boolean;
}

/** Where a picture stands. */
export interface LogoPlace {
  readonly address: string;
  readonly home: string;
  readonly document: PageDocument;
}

const LOGO_WORDS = /(?:^|[^a-z])(?:logo|logotype|logomark|brand|wordmark|branding|site-title)(?:$|[^a-z])/i;
/** Pictures of others. */
const FOREIGN_WORDS =
  /(?:^|[^a-z])(?:logos|brands|partners?|clients?|customers?|sponsors?|testimonials?|avatar|author|payment|awards?|badges?|press|integrations?|github|gitlab|twitter|facebook|instagram|linkedin|youtube|mastodon|discord|slack|social|flag|powered)(?:$|[^a-z])/i;
/** Pictures that do something. */
const CONTROL_WORDS =
  /(?:^|[^a-z])(?:menu|hamburger|search|toggle|burger|share|rss|spinner|loader|chevron|arrow|caret|house|home|theme|breadcrumbs?)(?:$|[^a-z])/i;

const HEADER_WORDS = /(?:^|[\s_-])(?:header|navbar|nav|topbar|masthead|banner|appbar|site-header)(?:$|[\s_-])/;

/** Reads the signals of an `img` or `svg`; `undefined` when it is surely something else. */
export function readLogoSignals(element: Element, page: LogoPlace): LogoSignals | undefined {
  const path = ancestors(element, 4);
  const link = path.find(({ name }) => name === "a");
  const alt = element.attribs["alt"] ?? "";
  const names = `${wordsOf(element)} ${fileName(element.attribs["src"] ?? "")}`;
  const own = `${names} ${alt}`;
  const around = path.slice(1).map(wordsOf).join(" ");
  if (isInside(element, ["button", "label", "blockquote", "pre"])) return undefined;
  const isHomeLink = link !== undefined && isHome(link, page);
  // What leads home is described by the site's own name, which may hold any word: Halden Press, Customer House.
  const isForeign = [isHomeLink ? names : own, around].some((words) => FOREIGN_WORDS.test(words));
  const isControl =
    CONTROL_WORDS.test(own.replace(/home[- ]?page/gi, "")) ||
    CONTROL_WORDS.test(around.replace(/\bhome(?:-link)?\b/g, ""));
  const isOther = isForeign || isControl;
  if (isOther || (link !== undefined && !isHomeLink && !LOGO_WORDS.test(own))) return undefined;
  if (isHomeLink && link !== undefined && /^home$/i.test(textOf(link))) return undefined;
  const isNamedLogo = LOGO_WORDS.test(own) || LOGO_WORDS.test(around);
  // Menus lead home, too, with icons in them: without a name only the first link of a page's head is the site's sign.
  const isSign = isHomeLink && (isNamedLogo || page.document.elements.find(isLinkElsewhere) === link);
  return { isHomeLink: isSign, isNamedLogo, isInHeader: isInHeader(element) };
}

function isLinkElsewhere({ name, attribs }: Element): boolean {
  return name === "a" && attribs["href"] !== undefined && !attribs["href"].startsWith("#");
}

function isHome(link: Element, { address, home }: LogoPlace): boolean {
  const href = link.attribs["href"];
  if (href === undefined || href.startsWith("#")) return false;
  const target = resolveAddress(href, address);
  if (target === undefined) return false;
  return [pageKey(home), new URL(home).origin].includes(pageKey(target)) || isLocalizedHome(target, home);
}

/** The home page of a language: `/en/`. */
function isLocalizedHome(target: string, home: string): boolean {
  const rest = pageKey(target).startsWith(pageKey(home)) ? pageKey(target).slice(pageKey(home).length) : "none";
  return /^\/[a-z]{2}(?:-[a-z]{2,4})?$/i.test(rest);
}

function isInHeader(element: Element): boolean {
  const path = ancestors(element, 12);
  if (path.some(({ name }) => name === "footer" || name === "article")) return false;
  return path.some(
    (ancestor) =>
      ancestor.name === "header" ||
      ancestor.name === "nav" ||
      ancestor.attribs["role"] === "banner" ||
      (ancestor.name !== "body" && ancestor.name !== "html" && HEADER_WORDS.test(wordsOf(ancestor))),
  );
}

function ancestors(element: Element, limit: number): readonly Element[] {
  const path: Element[] = [];
  for (
    let current: Element | undefined = element;
    current !== undefined && path.length < limit;
    current = parentOf(current)
  ) {
    path.push(current);
  }
  return path;
}

function fileName(source: string): string {
  return source.startsWith("data:") ? "" : (source.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
}

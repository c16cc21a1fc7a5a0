import { isTag, type Element } from "domhandler";
import { onceEach } from "../../base/once-each.ts";
import {
  closest,
  fileOfImage,
  firstOfSet,
  isHomeByName,
  isInside,
  isSameOrigin,
  pageKey,
  parentOf,
  resolveAddress,
  textLengthOf,
  textOf,
  titleOf,
  wordsOf,
  type PageDocument,
} from "../document.ts";
import { hexOf } from "../color/contrast.ts";
import type { LogoFinding, LogoKind } from "../findings.ts";
import { findLandmarks, findRootLink } from "../page/landmarks.ts";
import { groundBehind, groundOverPicture } from "../page/layer.ts";
import type { Look } from "../page/look.ts";
import type { SitePage } from "../page/site-page.ts";
import { roundConfidence } from "../vote/tally.ts";
import { numberOf } from "./image-size.ts";
import { renderInlineSvg } from "./inline-svg.ts";

/** Finds the logo displayed by the page, and the one displayed in the other scheme if it differs. */
export function findShownLogos(page: SitePage, home: string): readonly LogoCandidate[] {
  const { defaultScheme, light, dark } = page.looks;
  const usual = defaultScheme === "light" ? light : dark;
  const other = defaultScheme === "light" ? dark : light;
  const logo = usual === undefined ? undefined : findBest(page, usual, home);
  if (logo === undefined) return [];
  const second = other === undefined ? undefined : findBest(page, other, home);
  if (second === undefined || keyOf(second) === keyOf(logo)) return [logo];
  const [lightLogo, darkLogo] = defaultScheme === "light" ? [logo, second] : [second, logo];
  return [lightLogo, { ...darkLogo, kind: "logo-dark" }];
}

function findBest(page: SitePage, look: Look, home: string): LogoCandidate | undefined {
  const place = { address: page.address, home, document: page.document };
  const ranked = page.document.elements
    .filter((element) => isPicture(element) || isPaintedLink(element, place, look))
    .flatMap((element, order) => {
      const signals = readLogoSignals(element, place);
      const isFirst = order < 3 && isAboveText(element, page.document);
      const score = signals === undefined ? 0 : scoreOf(signals, isFirst);
      return signals === undefined || score === 0 || look.styleOf(element).isHidden
        ? []
        : [{ element, signals, score, order }];
    })
    .toSorted((a, b) => b.score - a.score || a.order - b.order);
  for (const { element, signals } of ranked) {
    const candidate = toCandidate(element, signals, { page, look });
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

function isPicture({ name }: Element): boolean {
  return name === "img" || name === "svg" || name === "object";
}

/**
 * Whether a link, or an element in it, has a background image but no image in it. Its text is then a replacement for
 * screen readers.
 */
function isPaintedLink(element: Element, place: LogoPlace, look: Look): boolean {
  const link = ancestors(element, 4).find(({ name }) => name === "a");
  if (link === undefined || textLengthOf(link) > LONGEST_NAME) return false;
  // To know what is painted takes far longer than to know where a link leads.
  if (!(isHome(link, place) || LOGO_WORDS.test(wordsOf(element))) || !isInHeader(link)) return false;
  return paintedOn(element, look) !== undefined && !element.children.some((child) => isTag(child) && isPicture(child));
}

/** The background image of an element, or else the image that masks it. */
function paintedOn(element: Element, look: Look): string | undefined {
  const { pictures, masks } = look.styleOf(element);
  return pictures[0] ?? masks[0];
}

function groundOf(element: Element, { page, look }: { readonly page: SitePage; readonly look: Look }): string {
  const { pictures, masks } = look.styleOf(element);
  // Masks are drawn in black, whatever their fill.
  if (!isPicture(element) && pictures.length === 0 && masks.length > 0) return "#ffffff";
  const { header } = findLandmarks(page);
  const isInHeader = header !== undefined && closest(element, (around) => around === header) !== undefined;
  const overPicture = isInHeader ? groundOverPicture([header], page.document, look) : undefined;
  return hexOf(overPicture ?? groundBehind(isPicture(element) ? element : (parentOf(element) ?? element), look));
}

const LONGEST_NAME = 60;

const SHORT_PARAGRAPH = 40;

/** Whether an image is above all content. Logos below it are seals and partners. */
function isAboveText(element: Element, { elements }: PageDocument): boolean {
  const first = elements.find(
    (text) =>
      (/^h[12]$/.test(text.name) && textLengthOf(text) > 0) ||
      (text.name === "p" && textLengthOf(text) > SHORT_PARAGRAPH),
  );
  return first === undefined ? !isInside(element, ["footer"]) : elements.indexOf(element) < elements.indexOf(first);
}

/** Returns 0 if nothing identifies it as the logo. */
function scoreOf({ isHomeLink, isNamedLogo, isInHeader }: LogoSignals, isFirst: boolean): number {
  if (!isHomeLink && !(isNamedLogo && (isInHeader || isFirst))) return 0;
  return (isHomeLink ? 3 : 0) + (isNamedLogo ? 2 : 0) + (isInHeader ? 2 : 0);
}

function toCandidate(
  element: Element,
  signals: LogoSignals,
  { page, look }: { readonly page: SitePage; readonly look: Look },
): LogoCandidate | undefined {
  const words = [
    ...(signals.isHomeLink ? ["links to the home page"] : []),
    ...(signals.isNamedLogo ? ["named logo in the markup"] : []),
    ...(signals.isInHeader ? ["in the header"] : []),
  ];
  const source = sourceOf(element, { page, look });
  if (source === undefined) return undefined;
  return {
    kind: "logo",
    source,
    width: numberOf(element.attribs["width"]) ?? null,
    height: numberOf(element.attribs["height"]) ?? null,
    background: groundOf(element, { page, look }),
    alt: element.attribs["alt"] ?? element.attribs["aria-label"] ?? (isPicture(element) ? null : textOf(element)),
    confidence: roundConfidence(0.35 + 0.2 * words.length),
    evidence: words,
  };
}

function sourceOf(
  element: Element,
  { page, look }: { readonly page: SitePage; readonly look: Look },
): LogoFinding["source"] | undefined {
  if (element.name === "svg") {
    const text = renderInlineSvg(element, page.document, look.styleOf);
    return text === undefined ? undefined : { kind: "svg", text };
  }
  const reference =
    (isPicture(element) ? pictureSource(element, look) : paintedOn(element, look)) ?? fileOfImage(element) ?? "";
  const svg = parseSvgData(reference);
  if (svg !== undefined) return { kind: "svg", text: svg };
  const address = resolveAddress(reference, page.address);
  return address === undefined ? undefined : { kind: "address", address };
}

/** What a `<picture>` around the image shows in the scheme. */
function pictureSource(image: Element, look: Look): string | undefined {
  const parent = parentOf(image);
  let any: string | undefined;
  if (parent?.name !== "picture") return undefined;
  for (const child of parent.children) {
    if (child.type !== "tag" || child.name !== "source") continue;
    const media = child.attribs["media"] ?? "";
    const isForScheme = media.includes("prefers-color-scheme") && media.includes(look.scheme);
    if (isForScheme) return firstOfSet(child.attribs["srcset"]);
    if (media === "") any ??= firstOfSet(child.attribs["srcset"]);
  }
  // Without a file of its own, the image shows what a source has.
  return fileOfImage(image) === undefined ? any : undefined;
}

function parseSvgData(reference: string): string | undefined {
  const match = /^data:image\/svg\+xml(?:;charset=[^;,]+|;utf8)?(;base64)?,(.*)$/is.exec(reference.trim());
  if (match === null) return undefined;
  try {
    return match[1] === undefined
      ? decodeURIComponent(match[2] ?? "")
      : Buffer.from(match[2] ?? "", "base64").toString();
  } catch {
    // Neither percent-encoded nor Base64: browsers don't show it either.
    return undefined;
  }
}

interface LogoSignals {
  readonly isHomeLink: boolean;
  readonly isNamedLogo: boolean;
  readonly isInHeader: boolean;
}

interface LogoPlace {
  readonly address: string;
  readonly home: string;
  readonly document: PageDocument;
}

const LOGO_WORDS = /(?:^|[^a-z])(?:logo|logotype|logomark|brand|wordmark|branding|site-title)(?:$|[^a-z])/i;
/** Words for images of other parties. */
const FOREIGN_WORDS =
  /(?:^|[^a-z])(?:logos|brands|partners?|clients?|customers?|sponsors?|testimonials?|avatar|author|payment|awards?|badges?|press|integrations?|github|gitlab|twitter|facebook|instagram|linkedin|youtube|mastodon|discord|slack|social|flag|powered|ads?|advert(?:isement)?s?|sponsored|affiliates?)(?:$|[^a-z])/i;
/** Words for images that act as controls. */
const CONTROL_WORDS =
  /(?:^|[^a-z])(?:menu|hamburger|search|toggle|burger|share|rss|spinner|loader|chevron|arrow|caret|house|home|theme|breadcrumbs?)(?:$|[^a-z])/i;

const HEADER_WORDS = /(?:^|[\s_-])(?:header|navbar|nav|topbar|masthead|banner|appbar|site-header)(?:$|[\s_-])/;

/** Reads the signals of an `img` or `svg`; `undefined` if it is clearly something else. */
function readLogoSignals(element: Element, page: LogoPlace): LogoSignals | undefined {
  const path = ancestors(element, 4);
  const link = path.find(({ name }) => name === "a");
  const alt = element.attribs["alt"] ?? "";
  const names = `${wordsOf(element)} ${fileName(fileOfImage(element) ?? "")}`;
  const own = `${names} ${alt}`;
  const around = path.slice(1).map(wordsOf).join(" ");
  if (isInside(element, ["button", "label", "blockquote", "pre"])) return undefined;
  const isNamedLogo = LOGO_WORDS.test(own) || LOGO_WORDS.test(around);
  const isOwnRoot = link === findRootLink(page) && (isNamedLogo || isTitle(alt, page.document));
  const isHomeLink = link !== undefined && (isHome(link, page) || isOwnRoot);
  // A home link is described by the site's own name, which may contain any word: Halden Press, Customer House.
  // Whatever the theme calls it, an image with the site's name in the home link is its logo: an avatar.
  const isSiteName = isHomeLink && isTitle(alt, page.document);
  const isForeign = !isSiteName && [isHomeLink ? names : own, around].some((words) => FOREIGN_WORDS.test(words));
  // The description of an image is often only its link target: Home.
  const described = isHomeLink && LOGO_WORDS.test(`${names} ${around}`) ? names : own;
  // Around a home link, "home" refers to the target. Next to the word logo or a described image, "theme" refers to the
  // logo's owner, and "menu" to the rest of the box.
  const place = around
    .replaceAll(isHomeLink ? /home/gi : /\bhome(?:-link)?\b/g, "")
    .replaceAll(isHomeLink && (LOGO_WORDS.test(around) || alt !== "") ? /theme|menu/gi : /(?!)/g, "");
  const isControl =
    CONTROL_WORDS.test(described.replace(/home[- ]?page/gi, "")) ||
    (CONTROL_WORDS.test(place) && !LOGO_WORDS.test(wordsOf(element)));
  const isOther = isForeign || isControl || (link !== undefined && !isHomeLink && leadsElsewhere(link, page));
  // On a site of one page, the logo leads to the top of the page. A "brand" there may be a portrait, except in Webflow.
  const isTopLogo =
    link?.attribs["href"]?.startsWith("#") === true &&
    (/logo|\bw-nav-brand\b/i.test(wordsOf(link)) || isTitle(alt, page.document));
  if (isOther || (link !== undefined && !isHomeLink && !isTopLogo && !LOGO_WORDS.test(own))) return undefined;
  if (isHomeLink && link !== undefined && /^home$/i.test(textOf(link))) return undefined;

  // Menus also link home, with icons in them. Without a name, only the first link of the page is the site's logo.
  const isSign =
    isHomeLink &&
    (isNamedLogo || findFirstLink(page) === link || isTitle(isPicture(element) ? alt : textOf(link), page.document));
  return { isHomeLink: isSign, isNamedLogo, isInHeader: isInHeader(element) };
}

const SHORTEST_NAME = 3;

/** Whether the description of an image is the start of the title: the site's name. */
function isTitle(said: string, document: PageDocument): boolean {
  const name = said.trim().toLowerCase();
  return name.length >= SHORTEST_NAME && titleOf(document).toLowerCase().startsWith(name);
}

/** Whether a link goes to another host. A site's own logo never does. */
function leadsElsewhere(link: Element, place: LogoPlace): boolean {
  const target = resolveAddress(link.attribs["href"] ?? "", place.address);
  return target !== undefined && !ownAddresses(place).some((own) => isSameOrigin(target, own));
}

/**
 * The address of the home page and those that the page declares as its own: a built folder doesn't know its future
 * host.
 */
const ownAddresses = onceEach(({ document, home }: LogoPlace): readonly string[] => {
  const said = document.elements.flatMap(({ name, attribs }) => {
    const isCanonical = name === "link" && attribs["rel"]?.toLowerCase() === "canonical";
    const address = isCanonical ? attribs["href"] : attribs["property"] === "og:url" ? attribs["content"] : undefined;
    return address === undefined ? [] : (resolveAddress(address, home) ?? []);
  });
  return [home, ...said];
});

/** The first link to another page of the site. */
const findFirstLink = onceEach((page: LogoPlace): Element | undefined =>
  page.document.elements.find((element) => isLinkElsewhere(element) && !leadsElsewhere(element, page)),
);

function isLinkElsewhere({ name, attribs }: Element): boolean {
  return name === "a" && attribs["href"] !== undefined && !attribs["href"].startsWith("#");
}

function isHome(link: Element, place: LogoPlace): boolean {
  const { address, home } = place;
  const href = link.attribs["href"];
  if (href === undefined || href.startsWith("#")) return false;
  const target = resolveAddress(href, address);
  if (target === undefined) return false;
  if (isHomeByName(link)) return true;
  const origins = ownAddresses(place).map((own) => new URL(own).origin);
  return [pageKey(home), ...origins].includes(pageKey(target)) || isLocalizedHome(target, home);
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
  for (let at: Element | undefined = element; at !== undefined && path.length < limit; at = parentOf(at)) path.push(at);
  return path;
}

function fileName(source: string): string {
  return source.startsWith("data:") ? "" : (source.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
}

/** An image that may be the logo, before it was read. */
export interface LogoCandidate extends Omit<LogoFinding, "contentType"> {
  readonly contentType?: string;
}

export function candidateOf(
  kind: LogoKind,
  address: string,
  finding: Pick<LogoFinding, "confidence" | "evidence">,
): LogoCandidate {
  return {
    kind,
    source: { kind: "address", address },
    width: null,
    height: null,
    alt: null,
    background: null,
    ...finding,
  };
}

/** Returns the same key for candidates that show the same image. */
export function keyOf({ source }: Pick<LogoCandidate, "source">): string {
  return source.kind === "svg" ? source.text : source.address;
}

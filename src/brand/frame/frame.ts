import { cloneNode, isTag, type Element } from "domhandler";
import type { AppliedSheet } from "../css/cascade.ts";
import { joinLayers } from "../css/parse-sheet.ts";
import {
  attributeOf,
  descendantsOf,
  isHomeByName,
  isSameOrigin,
  isWords,
  pageKey,
  parentOf,
  resolveAddress,
  textLengthOf,
  textOf,
  titleOf,
  wordsOf,
} from "../document.ts";
import { titleParts } from "../../base/title.ts";
import type { BrandFrame } from "../../contract/brand-parts.ts";
import { contrastOf, hexOf } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import { usedSymbols } from "../logo/inline-svg.ts";
import { findRootLink } from "../page/landmarks.ts";
import { findPageSurface } from "../page/page-surface.ts";
import { usualLooksOf, type Look } from "../page/look.ts";
import type { SitePage } from "../page/site-page.ts";
import { cleanMarkup, COLUMN, isDataPicture, isPlainLink, WIDE } from "./clean-markup.ts";
import { columnWidth, findFooterParts, findHeaderParts, findPinned, isColumn, MOST_BAR_TEXT } from "./frame-parts.ts";
import { cleanDeclarations, selectRules, styleAttributes, type FrameElements, type FrameRule } from "./frame-rules.ts";
import { handDown } from "./handed-down.ts";
import { groundRules, isPictureLink, wordsRules, type Place } from "./place-colors.ts";
import { renderFontFaces, renderRules, STAND_IN_LAYER, usedOf } from "./render-rules.ts";

/** What surrounds the content of a site's pages, as HTML and CSS for use in pages made elsewhere. */
export type Frame = BrandFrame;

/** Resolves addresses of the site for readers of the frame; `undefined` if there is no such address. */
export interface FrameAddresses {
  /** Selectors of the header and footer set by the user. */
  readonly pinned?: { readonly header?: string | undefined; readonly footer?: string | undefined };
  /** Called with a set selector that matches nothing on the page. */
  readonly onUnmatched?: (place: "header" | "footer", selector: string) => void;
  /** An absolute link to an address. */
  linkTo(address: string): string | undefined;
  /** A file of the site, by its absolute address. */
  fileAt(address: string): string | undefined;
}

const MOST_MARKUP = 60_000;
const MOST_STYLES = 120_000;
const MOST_ELEMENTS = 600;

/**
 * Extracts the header and footer of the home page. Returns `undefined` if it has neither, or if they can't be used on
 * other pages.
 */
export function findFrame(page: SitePage, addresses: FrameAddresses): Frame | undefined {
  const look = page.looks[page.looks.defaultScheme];
  if (look === undefined) return undefined;
  const parts = {
    header: findSetPart("header", page, { look, addresses }) ?? findHeaderParts(page, look),
    footer: findSetPart("footer", page, { look, addresses }) ?? findFooterParts(page, look),
  };
  const tops = [...parts.header, ...parts.footer];
  const shown = tops.flatMap((part) => [part, ...descendantsOf(part)]);
  if (parts.header.length === 0 || shown.length > MOST_ELEMENTS) return undefined;
  const around = [...new Set(tops.flatMap(ancestorsOf))];
  const surface = findPageSurface(page.document, look)?.element;
  const box = surface === page.document.body ? undefined : surface;
  const spaced = findSpaced(parts.header, { look, around, box });
  const elements = { parts: tops, shown, around, all: page.document.elements, spaced };
  const looks = [look, ...usualLooksOf(page.looks).filter((each) => each !== look)];
  const { html } = page.document;
  const values = { fileOf: addresses.fileAt, rem: html === undefined ? 16 : look.styleOf(html).fontSize };
  const context = { elements, looks, ...values };
  const rules = [...legacyRules(page), ...page.sheets.flatMap((sheet) => selectRules(sheet, context))];
  const inline = inlineRules(elements, page.address, values);
  const styledBy = styleAttributes(rules);
  const markup = (place: Place) => renderParts(parts[place], place, { page, look, addresses, inline, styledBy, box });
  const [header, footer] = [markup("header"), markup("footer")];
  const grounds = PLACES.flatMap((place) => [
    ...groundRules(parts[place], place, page),
    ...wordsRules(parts[place], place, page),
  ]);
  const used = usedOf([...rules, ...inline.rules]);
  const css = renderRules([...rules, ...inline.rules, ...grounds], {
    used,
    layers: layersOf(page.sheets),
    registered: new Map(page.sheets.flatMap(({ sheet }) => [...sheet.registered])),
  });
  const fonts = renderFontFaces(page.sheets, used, addresses.fileAt);
  const isTooLarge = header.length + footer.length > MOST_MARKUP || css.length + fonts.length > MOST_STYLES;
  return isTooLarge ? undefined : { header, footer, css, fonts };
}

/** The part that the user's selector matches; empty if it matches nothing, `undefined` if there is no selector. */
function findSetPart(
  place: Place,
  page: SitePage,
  { look, addresses: { pinned = {}, onUnmatched } }: { readonly look: Look; readonly addresses: FrameAddresses },
): readonly Element[] | undefined {
  const selector = pinned[place];
  if (selector === undefined) return undefined;
  const found = findPinned(page, look, selector);
  if (found.length === 0) onUnmatched?.(place, selector);
  return found;
}

/** The colors of text and links that attributes of the body set. Any style sheet overrides them. */
function legacyRules({ document: { body } }: SitePage): readonly FrameRule[] {
  const colors = [
    ["imprint-body", body?.attribs["text"]],
    ["imprint-body a[href]", body?.attribs["link"]],
  ] as const;
  return colors.flatMap(([selector, written]) => {
    const color = written === undefined ? undefined : parseColor(written, { scheme: "light" });
    if (color === undefined) return [];
    const declarations = [{ property: "color", value: hexOf(color), important: false }];
    return [{ around: [`@layer ${STAND_IN_LAYER}`], selector, declarations }];
  });
}

const PLACES = ["header", "footer"] as const satisfies readonly Place[];

function ancestorsOf(element: Element): readonly Element[] {
  const path: Element[] = [];
  for (let at = parentOf(element); at !== undefined; at = parentOf(at)) path.unshift(at);
  return path;
}

/**
 * The ancestors whose spacing is visible around the frame: none around a header that is laid over the page or beside it,
 * and not those around the page's box, which the service's page has itself.
 */
function findSpaced(
  header: readonly Element[],
  {
    look,
    around,
    box,
  }: { readonly look: Look; readonly around: readonly Element[]; readonly box: Element | undefined },
): ReadonlySet<Element> {
  if (header.some((part) => look.styleOf(part).isOverlay || isColumn(part, look))) return new Set();
  const outside = box === undefined ? [] : ancestorsOf(box);
  return new Set(around.filter((element) => !outside.includes(element)));
}

interface InlineRules {
  readonly rules: readonly FrameRule[];
  readonly classes: ReadonlyMap<Element, string>;
}

/** Converts `style` attributes to rules, because a strict content security policy blocks such attributes. */
function inlineRules(
  { shown, around, spaced }: FrameElements,
  base: string,
  values: Parameters<typeof cleanDeclarations>[2],
): InlineRules {
  const classes = new Map<Element, string>();
  const outer = new Set(around);
  const rules = [...shown, ...around].flatMap((element): readonly FrameRule[] => {
    const style = attributeOf(element, "style");
    if (style === undefined) return [];
    const declarations = cleanDeclarations(style, base, values).map((own) => ({ ...own, important: true }));
    const name = `imprint-${classes.size + 1}`;
    const rule = { around: [], selector: `.${name}.${name}.${name}`, declarations };
    const own = outer.has(element) ? handDown(rule, { isSpaced: spaced.has(element) }) : [rule];
    if (own.every((each) => each.declarations.length === 0)) return [];
    classes.set(element, name);
    return own;
  });
  return { rules, classes };
}

interface Rendering {
  readonly page: SitePage;
  readonly look: Look;
  readonly addresses: FrameAddresses;
  readonly inline: InlineRules;
  readonly styledBy: ReadonlySet<string>;
  /** What contains the page, if it isn't the body. */
  readonly box: Element | undefined;
}

/** Renders the parts inside copies of their ancestors, so that styles that select by these still apply. */
function renderParts(parts: readonly Element[], place: Place, rendering: Rendering): string {
  const [first] = parts;
  if (first === undefined) return "";
  const bars = parts.map((part) => renderPart(part, place, rendering)).join("");
  const inner = ancestorsOf(first).reduceRight((html, ancestor) => wrap(ancestor, html, rendering), bars);
  // The service's page has one landmark of each kind. It is outermost, so that whatever the site's styles select as a
  // child of the body, or as a table row, still is one.
  const { look } = rendering;
  const column = place === "header" && isColumn(first, look) ? ` ${COLUMN}="${columnWidth(first, look) ?? ""}"` : "";
  const tables = [...ancestorsOf(first), ...parts, ...parts.flatMap(descendantsOf)].filter(
    ({ name }) => name === "table",
  );
  const isWide = tables.some((table) => (look.styleOf(table).box.width ?? 0) > SMALLEST_WINDOW);
  const wide = isWide ? ` ${WIDE}=""` : "";
  return `<div class="imprint-${place}"${column}${wide} role="${place === "header" ? "banner" : "contentinfo"}">${inner}</div>`;
}

/** Width of the smallest windows, in CSS pixels. */
const SMALLEST_WINDOW = 320;

function renderPart(part: Element, place: Place, { page, look, addresses, inline, styledBy }: Rendering): string {
  const options: Parameters<typeof cleanMarkup>[1] = {
    styledBy,
    classesOf: (element) => [
      ...(inline.classes.has(element) ? [inline.classes.get(element) ?? ""] : []),
      ...(element === part ? ["imprint-part"] : []),
      ...(isUnmarked(element, look) ? ["imprint-link"] : []),
      ...(isPictureLink(element) ? ["imprint-words"] : []),
    ],
    labelOf: (link) => labelOf(link, page),
    roleOf: (element) => (isLandmark(element) ? "none" : headingRole(element, place)),
    isLeftOut: (element) =>
      (isControl(element) && !opensMenu(element, part)) ||
      isSkipLink(element) ||
      isAdvertisement(element, page) ||
      isHiddenPart(element, look),
    linkOf(href) {
      const address = resolveAddress(href.replace(/#.*$/, ""), page.address);
      const anchor = /#.*$/.exec(href)?.[0] ?? "";
      if (!isPlainLink(href)) return undefined;
      if (address === undefined) return /^(?:mailto|tel):/i.test(href) ? href : undefined;
      const target = addresses.linkTo(address);
      return target === undefined ? undefined : target + anchor;
    },
    pictureOf(source) {
      if (isDataPicture(source)) return source;
      const address = resolveAddress(source, page.address);
      return address === undefined ? undefined : addresses.fileAt(address);
    },
  };
  const html = cleanMarkup([part], options);
  const symbols = [...new Set(usedSymbols(part, page.document))];
  if (symbols.length === 0) return html;
  return `${html}<svg width="0" height="0" aria-hidden="true"><defs>${cleanMarkup(symbols, options)}</defs></svg>`;
}

/** The label of a link with only a drawing: the site's name for its home page, or else the target's host or page. */
function labelOf(link: Element, { address, document }: SitePage): string {
  const target = URL.parse(resolveAddress(link.attribs["href"] ?? "", address) ?? address);
  if (target === null || pageKey(target.href) === pageKey(address)) return titleParts(titleOf(document))[0] || "Home";
  if (!isSameOrigin(target.href, address)) return target.hostname.replace(/^www\./, "");
  return (
    decodeURI(target.pathname)
      .split("/")
      .findLast((part) => part !== "") ?? "Home"
  );
}

/** Minimum contrast of a link with the surrounding text if only its color distinguishes it (WCAG 2, 1.4.1). */
const MARKED = 3;

function isUnmarked(element: Element, look: Look): boolean {
  const around = parentOf(element);
  if (element.name !== "a" || around === undefined) return false;
  const isInText = around.children.some((child) => child.type === "text" && /\w/.test(child.data));
  return isInText && contrastOf(look.styleOf(element).color, look.styleOf(around).color) < MARKED;
}

/** The surrounding page has its own headings: the site's name isn't one of them, and those of a footer get level 2. */
function headingRole({ name }: Element, place: Place): string | undefined {
  if (!/^h[1-6]$/.test(name)) return undefined;
  return place === "header" ? "none" : "heading";
}

function isLandmark({ name, attribs }: Element): boolean {
  return (
    ["header", "footer", "main"].includes(name) || ["banner", "contentinfo", "main"].includes(attribs["role"] ?? "")
  );
}

/** Whether an element needs a script or submits something, or is the item of a list around nothing else. */
function isControl({ name, attribs, children }: Element): boolean {
  const inner = children.filter(isTag);
  if (name === "li" && inner.length > 0 && inner.every(isControl)) return !children.some(isWords);
  return (
    ["button", "input", "form", "select", "textarea", "label", "dialog"].includes(name) || attribs["role"] === "dialog"
  );
}

/** Whether an element with more text than a bar is hidden, and not a menu that a button opens. */
function isHiddenPart(element: Element, look: Look): boolean {
  const { name, attribs } = element;
  if (name === "a" || attribs["popover"] !== undefined) return false;
  return look.styleOf(element).isHidden && textLengthOf(element) > MOST_BAR_TEXT;
}

/** Whether a button opens or closes a menu of the same part, which browsers do without a script. */
function opensMenu({ name, attribs }: Element, part: Element): boolean {
  const target = attribs["popovertarget"];
  const isMenu = (element: Element) => element.attribs["id"] === target && element.attribs["popover"] !== undefined;
  return name === "button" && target !== undefined && [part, ...descendantsOf(part)].some(isMenu);
}

/** An image that links to another host is an advertisement, and so is a box that contains nothing else. */
function isAdvertisement(element: Element, page: SitePage): boolean {
  if (textLengthOf(element) > 0) return false;
  if (element.name !== "a") {
    const [only, second] = element.children.filter(isTag);
    return element.name === "div" && only !== undefined && second === undefined && isAdvertisement(only, page);
  }
  const target = resolveAddress(element.attribs["href"] ?? "", page.address);
  const isPicture = descendantsOf(element).some(({ name }) => name === "img" || name === "iframe");
  const isOwn = isHomeByName(element) || element === findRootLink(page);
  return isPicture && target !== undefined && !isSameOrigin(target, page.address) && !isOwn;
}

function isSkipLink(element: Element): boolean {
  if (element.name !== "a") return false;
  return (
    element.attribs["href"]?.startsWith("#") === true &&
    /\bskip\b|-skip|skip-/i.test(`${wordsOf(element)} ${textOf(element)}`)
  );
}

const STAND_INS: ReadonlyMap<string, string> = new Map([
  ["html", "imprint-html"],
  ["body", "imprint-body"],
  ["main", "div"],
  ["header", "div"],
  ["footer", "div"],
  ["article", "div"],
]);

/** Elements that would be a landmark around that of the service's page. */
const LANDMARKS = new Set(["nav", "aside", "section", "form"]);

/** Wraps HTML in the stand-in for an ancestor of the frame. */
function wrap(element: Element, html: string, { inline, styledBy, box }: Rendering): string {
  const { name } = element;
  const shell = cloneNode(element, false);
  shell.name = STAND_INS.get(name) ?? name;
  const classes = [
    inline.classes.get(element) ?? "",
    name === "html" ? "imprint-root" : "",
    element === box ? "imprint-box" : "",
  ].filter((own) => own !== "");
  const empty = cleanMarkup([shell], {
    styledBy,
    classesOf: () => classes,
    roleOf: (own) => (LANDMARKS.has(own.name) || own.attribs["role"] !== undefined ? "none" : undefined),
    linkOf: () => undefined,
    pictureOf: () => undefined,
  });
  const end = empty.lastIndexOf("</");
  return end === -1 ? html : `${empty.slice(0, end)}${html}${empty.slice(end)}`;
}

function layersOf(sheets: readonly AppliedSheet[]): readonly string[] {
  const names = sheets.flatMap(({ sheet, layer }) => [
    ...(layer === "" ? [] : [layer]),
    ...sheet.layers.map((name) => joinLayers(layer, name)),
  ]);
  return [...new Set(names)];
}

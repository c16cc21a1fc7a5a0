import { isTag, type ChildNode, type Element } from "domhandler";
import { fileOfImage, referenceOf, textLengthOf } from "../document.ts";

/** Rewrites the addresses in a part of a page for use elsewhere; `undefined` for what can't be shown there. */
export interface MarkupAddresses {
  /** A link, as written. */
  linkOf(href: string): string | undefined;
  /** An image, as written. */
  pictureOf(source: string): string | undefined;
}

export interface CleanOptions extends MarkupAddresses {
  /** Elements that are omitted including their content. */
  readonly isLeftOut?: (element: Element) => boolean;
  /** Additional classes of an element. */
  readonly classesOf?: (element: Element) => readonly string[];
  /** Label of a link without text of its own. */
  readonly labelOf?: (link: Element) => string;
  /** Attributes that are kept for styles that select by them, under the name from `dataName`. */
  readonly styledBy?: ReadonlySet<string>;
  /** Replaces the role of an element. */
  readonly roleOf?: (element: Element) => string | undefined;
}

/** Elements that only display content. Of others, only the content of `UNWRAPPED` is kept. */
const ELEMENTS = new Set(
  (
    "a abbr address article aside b bdi bdo blockquote br button center cite code dd details div dl dt em figcaption figure footer " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr i img li main nav ol p picture q s section small source span strong sub summary " +
    "sup table tbody td tfoot th thead time tr u ul wbr menu " +
    "svg g path rect circle ellipse line polyline polygon text tspan defs lineargradient radialgradient stop clippath " +
    "mask symbol use title desc pattern font"
  ).split(" "),
);
/** Framework wrapper elements. */
const UNWRAPPED = new Set(["astro-island", "astro-slot", "search"]);
const VOID = new Set(["br", "hr", "img", "source", "wbr"]);
const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "stop", "use"]);

const ATTRIBUTES = new Set(
  (
    "class id lang dir title role alt width height sizes media type loading datetime colspan rowspan start reversed hreflang " +
    "rel viewbox xmlns fill stroke d x y x1 x2 y1 y2 cx cy r rx ry points transform offset opacity fill-rule clip-rule " +
    "fill-opacity stroke-width stroke-linecap stroke-linejoin stroke-opacity stroke-miterlimit stroke-dasharray stop-color " +
    "stop-opacity gradientunits gradienttransform clip-path clippathunits mask maskunits font-size font-family font-weight " +
    "text-anchor preserveaspectratio vector-effect dx dy hidden open focusable popover popovertarget popovertargetaction " +
    // Presentational attributes of legacy HTML.
    "align valign bgcolor border cellpadding cellspacing nowrap color face size"
  ).split(" "),
);
/** Mixed-case SVG names, which must keep their case. */
const CAPITALS: ReadonlyMap<string, string> = new Map(
  "viewBox preserveAspectRatio gradientUnits gradientTransform clipPathUnits maskUnits linearGradient radialGradient clipPath"
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);
const LONGEST_VALUE = 20_000;
const LONGEST_DATA = 200;

/**
 * Converts part of a page to static HTML: no scripts, handlers, forms, frames, or styles, and only addresses from
 * `linkOf` and `pictureOf`. Idempotent.
 */
export function cleanMarkup(nodes: readonly ChildNode[], options: CleanOptions): string {
  return nodes.map((node) => cleanNode(node, options)).join("");
}

function cleanNode(node: ChildNode, options: CleanOptions): string {
  if (node.type === "text") return escapeText(node.data);
  if (!isTag(node) || options.isLeftOut?.(node) === true) return "";
  const name = node.name.toLowerCase();
  if (UNWRAPPED.has(name)) return cleanMarkup(node.children, options);
  const isCustom = /^[a-z][a-z\d]*(?:-[a-z\d]+)+$/.test(name);
  if (!ELEMENTS.has(name) && !isCustom) return "";
  const attributes = cleanAttributes(node, options);
  if (attributes === undefined) return escapeText(wordsOfPicture(node));
  const tag = CAPITALS.get(name) ?? name;
  const start = `<${tag}${attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join("")}`;
  if (VOID.has(name)) return `${start}>`;
  if (SHAPES.has(name) && node.children.length === 0) return `${start}/>`;
  return `${start}>${cleanMarkup(node.children, options)}</${tag}>`;
}

/** Replacement text for an image: if it is the only content of a link, the link's label. */
function wordsOfPicture({ attribs, parent }: Element): string {
  const isOnly = parent !== null && isTag(parent) && parent.name === "a" && parent.children.filter(isTag).length === 1;
  const label = isOnly && textLengthOf(parent) === 0 ? parent.attribs["aria-label"] : undefined;
  return label ?? attribs["alt"] ?? "";
}

/** Whether an attribute is kept as is or has special handling. */
export function isCleanAttribute(name: string): boolean {
  return ATTRIBUTES.has(name) || /^(?:aria-|data-|on|style$|src$|srcset$|href$|type$|xlink:)/.test(name);
}

/** The replacement name of an attribute that only styles use. */
export function dataName(name: string): string {
  return `data-imprint-${name}`;
}

/** An attribute of a header that is a column beside the page: its width in CSS pixels, if it is known. */
export const COLUMN = "data-imprint-column";
/** An attribute of a part in tables that are wider than small windows. */
export const WIDE = "data-imprint-wide";
/** The minimum width of a window that shows it as a column. */
export const COLUMN_FROM = "56rem";

type Attribute = readonly [name: string, value: string];

/** Returns `undefined` for an image without a source, which is replaced with its text. */
function cleanAttributes(element: Element, options: CleanOptions): readonly Attribute[] | undefined {
  const { attribs } = element;
  const name = element.name.toLowerCase();
  const kept = Object.entries(attribs).flatMap(([key, value]): readonly Attribute[] => {
    const lower = key.toLowerCase();
    if (value.length > LONGEST_VALUE || lower === "class" || /url\((?!\s*#)|javascript:/i.test(value)) return [];
    if (ATTRIBUTES.has(lower) && !(lower === "type" && name !== "source"))
      return [[CAPITALS.get(lower) ?? lower, value]];
    if (/^aria-[a-z]+$/.test(lower)) return [[lower, value]];
    if (options.styledBy?.has(lower) === true && value.length <= LONGEST_DATA) return [[dataName(lower), value]];
    return /^data-[a-z\d_-]+$/.test(lower) && value.length <= LONGEST_DATA ? [[lower, value]] : [];
  });
  const classes = [attribs["class"]?.trim() ?? "", ...(options.classesOf?.(element) ?? [])].filter((own) => own !== "");
  const role = options.roleOf?.(element);
  const own =
    role === undefined
      ? kept
      : kept.filter(([key]) => key !== "role" && key !== "aria-level" && !key.startsWith("aria-label"));
  const all = [
    ...(classes.length === 0 ? [] : [["class", classes.join(" ")] as const]),
    ...(role === undefined ? [] : [["role", role] as const]),
    ...(role === "heading" ? [["aria-level", "2"] as const] : []),
    ...own,
  ];
  if (name === "a") {
    const label = hasContent(element) ? undefined : options.labelOf?.(element);
    const named = label === undefined ? all : [...all, ["aria-label", label] as const];
    return [...named, ...linkAttributes(attribs["href"], options)];
  }
  if (name === "use") {
    const reference = referenceOf(element);
    return reference.startsWith("#") ? [...all, ["href", reference]] : undefined;
  }
  if (name === "svg" && isNamelessPicture(element))
    return [...all.filter(([key]) => key !== "role" && key !== "aria-hidden"), ["aria-hidden", "true"]];
  if (name !== "img" && name !== "source") return all;
  return pictureAttributes(all, { attribs, name }, options);
}

/** A drawing with an image role but no name: the link around it has the name. */
function isNamelessPicture({ attribs, children }: Element): boolean {
  const isNamed = [attribs["aria-label"], attribs["aria-labelledby"], attribs["title"]].some(
    (text) => text !== undefined,
  );
  return attribs["role"] === "img" && !isNamed && !children.some((child) => isTag(child) && child.name === "title");
}

function hasContent({ attribs, children }: Element): boolean {
  if (
    [attribs["aria-label"], attribs["title"], attribs["alt"]].some((text) => text !== undefined && text.trim() !== "")
  )
    return true;
  return children.some((child) => {
    if (child.type === "text") return child.data.trim() !== "";
    // An SVG has no name unless it specifies one.
    return isTag(child) && (child.name === "svg" ? child.attribs["aria-label"] !== undefined : hasContent(child));
  });
}

function linkAttributes(href: string | undefined, { linkOf }: CleanOptions): readonly Attribute[] {
  const target = href === undefined ? undefined : linkOf(href.trim());
  return target === undefined ? [] : [["href", target]];
}

function pictureAttributes(
  all: readonly Attribute[],
  { attribs, name }: Pick<Element, "attribs" | "name">,
  { pictureOf }: CleanOptions,
): readonly Attribute[] | undefined {
  const file = fileOfImage({ attribs });
  const source = file === undefined ? undefined : pictureOf(file.trim());
  const set = cleanSet(attribs["srcset"], pictureOf);
  if (name === "img" && source === undefined) return undefined;
  if (name === "source" && set === undefined) return undefined;
  return [
    ...all,
    ...(source === undefined ? [] : [["src", source] as const]),
    ...(set === undefined ? [] : [["srcset", set] as const]),
  ];
}

function cleanSet(set: string | undefined, pictureOf: CleanOptions["pictureOf"]): string | undefined {
  if (set === undefined || set.startsWith("data:")) return undefined;
  const parts = set.split(",").flatMap((part) => {
    const [source = "", ...descriptor] = part.trim().split(/\s+/);
    const target = source === "" ? undefined : pictureOf(source);
    return target === undefined ? [] : [[target, ...descriptor].join(" ")];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** Whether a link is allowed in a page: http, https, mailto, tel, and host-relative addresses. */
export function isPlainLink(href: string): boolean {
  // Browsers remove control characters and whitespace before parsing the scheme.
  const plain = [...href].filter((character) => character > " ").join("");
  return !/^[a-z][a-z\d+.-]*:/i.test(plain) || /^(?:https?|mailto|tel):/i.test(plain);
}

export function isDataPicture(source: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(source);
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeAttribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

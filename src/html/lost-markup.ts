import { findAttribute } from "./attributes.ts";
import { withoutComments } from "./page-parts.ts";
import { parseHtml } from "./parse.ts";
import { HTML_NAMESPACE, visitElements, type HtmlElement } from "./tree.ts";

// Sanitizers remove what they don't know. The parts of pages that most hosts treat alike have names of their own (see
// `page-parts.ts`); this finds the rest.

/** Elements of such parts, those that hosts may replace by equal ones, and those without an effect for readers. */
const OTHER_ELEMENTS: ReadonlySet<string> = new Set([
  ...["html", "head", "body", "title", "base", "meta", "link", "style", "script", "template", "a", "pre", "iframe"],
  ...["form", "fieldset", "legend", "label", "input", "button", "select", "option", "optgroup", "textarea", "datalist"],
  ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th", "details", "summary"],
  ...["img", "picture", "source", "video", "audio", "track", "object", "embed", "param"],
  ...["b", "strong", "i", "em", "div", "span", "font", "center", "big", "tt", "wbr"],
]);

/** Attributes of such parts, and those that hosts set in their own way. */
const OTHER_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["class", "id", "href", "src", "srcset", "sizes", "content", "charset", "xmlns", "version"],
  ...["loading", "decoding", "fetchpriority", "width", "height", "rel", "target", "referrerpolicy", "integrity"],
  ...["crossorigin", "nonce", "type", "media", "title", "name", "value", "action", "is"],
]);

/** Attributes of build tools, which nothing reads afterwards. */
const OF_TOOLS = /^data-(?:image-component|astro-source-|pagefind-|imprint-)/;

/** Names of `<meta>` that search engines, browsers and social networks read. */
const READ_METAS = /^(?:description|viewport|author|color-scheme|theme-color|(?:og|article|twitter):.+)$/;

const JSON_LD = "application/ld+json";

interface Markup {
  readonly elements: ReadonlySet<string>;
  /** The elements that have each attribute. */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly metas: ReadonlySet<string>;
}

export const DOCTYPE = "<!DOCTYPE html>";
const START = /^(?:\uFEFF|\s)*<!doctype\s+html\b([^>]*)>/i;
// Without the address of a definition, the declarations that old templates have.
const QUIRKY = /public\s*["'][^"']*(?:HTML [23]|HTML 4\.0 |(?:Transitional|Frameset)\/\/EN["']\s*$)/i;

/** Whether browsers show a page by the rules of old browsers, with other sizes of boxes and text. */
function isQuirky(html: string): boolean {
  const [, declared] = START.exec(withoutComments(html)) ?? [];
  return declared === undefined || QUIRKY.test(declared);
}

/**
 * Returns the page from its doctype on, if a host puts markup before the doctype of a page that begins with it;
 * `undefined` for other pages.
 */
export function behindMarkup(sent: string, shown: string): string | undefined {
  if (isQuirky(sent) || !isQuirky(shown)) return undefined;
  const place = shown.search(/<!doctype\s+html\s*>/i);
  return place === -1 ? undefined : shown.slice(place);
}

/**
 * Returns the elements, attributes and `<meta>` names of a page of which the page as shown has none: `<x-counter>`,
 * `onclick`, `<meta name="description">`, or the doctype. Attributes of elements that it lacks altogether aren't listed.
 */
export function findLostMarkup(sent: string, shown: string): readonly string[] {
  const behind = behindMarkup(sent, shown);
  const isDeclared = behind !== undefined || isQuirky(sent) || !isQuirky(shown);
  const [before, after] = [readMarkup(sent), readMarkup(behind ?? shown)];
  const elements = [...before.elements].filter((name) => !after.elements.has(name) && !OTHER_ELEMENTS.has(name));
  const attributes = [...before.attributes].flatMap(([name, holders]) => {
    const isLost = !OTHER_ATTRIBUTES.has(name) && !OF_TOOLS.test(name) && !after.attributes.has(name);
    return isLost && [...holders].some((holder) => after.elements.has(holder)) ? [name] : [];
  });
  const metas = [...before.metas].filter((name) => !after.metas.has(name));
  return [
    ...(isDeclared ? [] : [DOCTYPE]),
    ...elements.map((name) => `<${name}>`),
    ...attributes,
    ...metas.map((name) => `<meta ${name.includes(":") ? "property" : "name"}="${name}">`),
  ];
}

function readMarkup(html: string): Markup {
  const [elements, metas] = [new Set<string>(), new Set<string>()];
  const attributes = new Map<string, Set<string>>();
  visitElements(parseHtml(html), (element) => {
    const { tagName, attrs, namespaceURI } = element;
    if (namespaceURI === HTML_NAMESPACE || tagName === "math") elements.add(tagName);
    if (namespaceURI !== HTML_NAMESPACE) return;
    // Read by search engines.
    if (tagName === "script" && findAttribute(element, "type") === JSON_LD) elements.add(`script type="${JSON_LD}"`);
    if (tagName === "meta") {
      const name = nameOfMeta(element);
      if (READ_METAS.test(name)) metas.add(name);
      return;
    }
    for (const { name, value } of attrs) {
      if (value.trim() === "" && !name.startsWith("data-")) continue;
      attributes.set(name, (attributes.get(name) ?? new Set()).add(tagName));
    }
  });
  return { elements, attributes, metas };
}

function nameOfMeta(element: HtmlElement): string {
  return (findAttribute(element, "property") ?? findAttribute(element, "name") ?? "").toLowerCase();
}

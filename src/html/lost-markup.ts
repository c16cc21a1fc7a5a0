import { findAttribute } from "./attributes.ts";
import { withoutComments } from "./page-parts.ts";
import { parseHtml } from "./parse.ts";
import { HTML_NAMESPACE, SVG_NAMESPACE, visitElements, type HtmlElement } from "./tree.ts";

// Sanitizers remove what they don't know. The parts of pages that most hosts treat alike have names of their own (see
// `page-parts.ts`); this finds the rest.

/** Elements of such parts, those that hosts may replace by equal ones, and those without an effect for readers. */
const OTHER_ELEMENTS: ReadonlySet<string> = new Set([
  ...["html", "head", "body", "title", "base", "meta", "link", "style", "script", "a", "pre", "iframe"],
  ...["form", "input", "button", "select", "option", "textarea"],
  ...["table", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th", "details", "summary"],
  ...["img", "picture", "source", "video", "audio", "object", "embed", "param", "svg"],
  ...["div", "span", "font", "center", "big", "tt", "wbr"],
]);

/** Elements that count only beside others, as a host that removes those removes them, too. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  ...{ caption: ["table"], track: ["video", "audio"] },
  ...{ fieldset: ["form"], legend: ["form"], label: ["form", "input"], optgroup: ["select"], datalist: ["input"] },
};

/** Elements that hosts write as others of the same look. */
const SAME: Readonly<Record<string, string>> = { b: "strong", i: "em" };

/** Attributes that have an effect without a value. */
const SWITCHES: ReadonlySet<string> = new Set([
  ...["required", "checked", "selected", "disabled", "readonly", "multiple", "novalidate", "formnovalidate"],
  ...["hidden", "inert", "popover", "open", "controls", "loop", "muted", "allowfullscreen", "download", "reversed"],
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
  /** The elements that have each attribute, with repetitions. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
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
 * Returns the elements and `<meta>` names of a page of which the page as shown has none, and the attributes of which it
 * has fewer: `<x-counter>`, `onclick`, `<meta name="description">`, or the doctype. Attributes of elements that it lacks
 * altogether aren't listed.
 */
export function findLostMarkup(sent: string, shown: string): readonly string[] {
  const behind = behindMarkup(sent, shown);
  const isDeclared = behind !== undefined || isQuirky(sent) || !isQuirky(shown);
  const [before, after] = [readMarkup(sent), readMarkup(behind ?? shown)];
  const elements = [...before.elements].filter((name) => {
    const others = name.startsWith("svg ") ? ["svg"] : WITHIN[name];
    const isCounted = !OTHER_ELEMENTS.has(name) && others?.some((other) => after.elements.has(other)) !== false;
    return isCounted && !after.elements.has(name);
  });
  const attributes = [...before.attributes].flatMap(([name, holders]) => {
    const isCounted = !OTHER_ATTRIBUTES.has(name) && !OF_TOOLS.test(name);
    const kept = holders.filter((holder) => after.elements.has(holder));
    return isCounted && (after.attributes.get(name)?.length ?? 0) < kept.length ? [name] : [];
  });
  const metas = [...before.metas].filter((name) => !after.metas.has(name));
  return [
    ...(isDeclared ? [] : [DOCTYPE]),
    ...elements.map((name) => `<${name.replace("svg ", "")}>`),
    ...attributes,
    ...metas.map((name) => `<meta ${name.includes(":") ? "property" : "name"}="${name}">`),
  ];
}

function readMarkup(html: string): Markup {
  const [elements, metas] = [new Set<string>(), new Set<string>()];
  const attributes = new Map<string, string[]>();
  visitElements(parseHtml(html), (element) => {
    const { tagName, attrs, namespaceURI } = element;
    if (namespaceURI === HTML_NAMESPACE || tagName === "math") elements.add(SAME[tagName] ?? tagName);
    if (namespaceURI === SVG_NAMESPACE) elements.add(tagName === "svg" ? tagName : `svg ${tagName}`);
    if (namespaceURI !== HTML_NAMESPACE) return;
    // Read by search engines.
    if (tagName === "script" && findAttribute(element, "type") === JSON_LD) elements.add(`script type="${JSON_LD}"`);
    if (tagName === "meta") {
      const name = nameOfMeta(element);
      if (READ_METAS.test(name)) metas.add(name);
      return;
    }
    for (const { name, value } of attrs) {
      if (value.trim() === "" && !name.startsWith("data-") && !SWITCHES.has(name)) continue;
      const holders = attributes.get(name) ?? [];
      holders.push(SAME[tagName] ?? tagName);
      attributes.set(name, holders);
    }
  });
  return { elements, attributes, metas };
}

function nameOfMeta(element: HtmlElement): string {
  return (findAttribute(element, "property") ?? findAttribute(element, "name") ?? "").toLowerCase();
}

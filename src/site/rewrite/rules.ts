import { editValue, findAttribute } from "../../html/attributes.ts";
import { HTML_NAMESPACE, SVG_NAMESPACE, textOf, type ElementPlace, type HtmlElement } from "../../html/tree.ts";
import { rewriteDataAttribute, rewriteUnknownAttribute } from "./data-attributes.ts";
import { rewriteProps } from "./data-blocks.ts";
import { PRESENTATION, rewriteAnimation, rewritePresentation } from "./drawings.ts";
import { rewriteHeadLink, rewriteMeta, rewriteStatedAddresses } from "./head.ts";
import {
  rewriteBase,
  rewriteDocument,
  rewriteFile,
  rewriteForm,
  rewriteLink,
  rewriteInput,
  rewriteOption,
  rewriteSrcset,
} from "./links.ts";
import { recordFact, type PageDraft, type RewriteElement, type RewriteValue } from "./page-draft.ts";
import { rewriteHandler, rewriteModuleAddress, rewriteScript } from "./script-elements.ts";
import { rewriteUse } from "./sprites.ts";
import { rewriteStyleAttribute, rewriteStyleElement, rewriteSvgStyle } from "./styles.ts";

/** How to rewrite an element as a whole, or the values of its attributes. */
type Rule = { readonly elements: string } & (
  | { readonly attributes: string; readonly value: RewriteValue }
  | { readonly element: RewriteElement }
);

/**
 * Every place in a page that may contain an address, in rewriting order: a new place is a new row. A `<link>` or
 * `<script>` inside an SVG follows different rules, and changing it could break the drawing.
 */
const RULES: readonly Rule[] = [
  { elements: "img source video audio track input embed", attributes: "src", value: rewriteFile },
  { elements: "video", attributes: "poster", value: rewriteFile },
  { elements: "object", attributes: "data", value: rewriteFile },
  { elements: "body table thead tbody tfoot tr td th", attributes: "background", value: rewriteFile },
  { elements: "image feimage svg:image svg:feimage", attributes: "href xlink:href", value: rewriteFile },
  { elements: "img source", attributes: "srcset", value: rewriteSrcset },
  { elements: "a area iframe frame svg:a", attributes: "href xlink:href src", value: rewriteLink },
  { elements: "a area", attributes: "ping", value: rewriteStatedAddresses },
  { elements: "blockquote q ins del", attributes: "cite", value: rewriteStatedAddresses },
  { elements: "iframe", attributes: "srcdoc", value: rewriteDocument },
  { elements: "base", attributes: "href", value: rewriteBase },
  { elements: "option", attributes: "value", value: rewriteOption },
  { elements: "form", attributes: "action", value: rewriteForm },
  { elements: "button input", attributes: "formaction", value: rewriteForm },
  { elements: "input", attributes: "value", value: rewriteInput },
  { elements: "svg:use", attributes: "href xlink:href", value: rewriteUse },
  { elements: "svg:animate svg:set", attributes: "values from to by", value: rewriteAnimation },
  {
    elements: "astro-island",
    attributes: "component-url renderer-url before-hydration-url",
    value: rewriteModuleAddress,
  },
  { elements: "astro-island", attributes: "props", value: rewriteProps },
  { elements: "link", element: rewriteHeadLink },
  { elements: "meta", element: rewriteMeta },
  { elements: "style", element: rewriteStyleElement },
  { elements: "svg:style", element: rewriteSvgStyle },
  { elements: "script", element: rewriteScript },
  { elements: "title", element: recordTitle },
  { elements: "h1", element: recordHeading },
];

/** Attributes that any element may have. */
const ANYWHERE: ReadonlyMap<string, RewriteValue> = new Map([
  ["style", rewriteStyleAttribute],
  ["data-srcset", rewriteSrcset],
  ["itemid", rewriteStatedAddresses],
]);

export function rewriteElement(element: HtmlElement, draft: PageDraft, place: ElementPlace): void {
  for (const rule of BY_NAMESPACE.get(element.namespaceURI)?.get(element.tagName) ?? NO_RULES) {
    if ("element" in rule) rule.element(element, draft, place);
    else for (const name of rule.names) rewriteAttribute(element, draft, { name, rewrite: rule.value });
  }
  for (const { name } of element.attrs) {
    const isDrawn = element.namespaceURI === SVG_NAMESPACE && PRESENTATION.has(name);
    const rewrite = isDrawn ? rewritePresentation : (ANYWHERE.get(name) ?? findRuleOfScripts(element, name));
    if (rewrite !== undefined) rewriteAttribute(element, draft, { name, rewrite });
  }
}

// `onclick`, Alpine's `x-data` and `@click`, Vue's `v-on:click` and `:src`, `hx-on:click`.
const SCRIPT_ATTRIBUTE = /^(?:on|[@:]|(?:data-)?(?:x|v|hx-on)[-:])/;
// htmx (`hx-get`) and Unpoly (`up-href`).
const ADDRESS_ATTRIBUTE = /^(?:data|hx|up)-/;

// Of HTML and RDFa: texts, names, and addresses that rules rewrite or that no script reads.
const KNOWN = new Set(
  "about accept action alt archive background cite class classid codebase content data download for form formaction href id imagesizes imagesrcset integrity itemid itemprop itemref itemtype label lang list longdesc manifest name pattern ping placeholder poster prefix profile property rel resource role sizes slot src srcdoc srcset style target title type typeof usemap value vocab xmlns".split(
    " ",
  ),
);

/** Returns how to rewrite a non-standard attribute that the scripts of a page read. */
function findRuleOfScripts({ tagName, namespaceURI }: HtmlElement, name: string): RewriteValue | undefined {
  if (SCRIPT_ATTRIBUTE.test(name)) return rewriteHandler;
  const isAstro = tagName.startsWith("astro-");
  const isCustom = tagName.includes("-") && !isAstro;
  if (isCustom || ADDRESS_ATTRIBUTE.test(name)) return rewriteDataAttribute;
  if (isAstro || namespaceURI !== HTML_NAMESPACE || name.startsWith("aria-")) return undefined;
  // `src` means something only to elements with rules.
  const isUnknown = !KNOWN.has(name) || (name === "src" && !BY_NAMESPACE.get(HTML_NAMESPACE)?.has(tagName));
  return isUnknown ? rewriteUnknownAttribute : undefined;
}

/** Attributes of an element that load a file. */
export function fileAttributesOf(tagName: string): readonly string[] {
  const rules = BY_NAMESPACE.get(HTML_NAMESPACE)?.get(tagName) ?? NO_RULES;
  return rules.flatMap((rule) => ("names" in rule && rule.value === rewriteFile ? rule.names : []));
}

function rewriteAttribute(
  element: HtmlElement,
  draft: PageDraft,
  { name, rewrite }: { readonly name: string; readonly rewrite: RewriteValue },
): void {
  for (const attribute of element.attrs) {
    if (attribute.name !== name) continue;
    const value = rewrite(attribute.value, { element, draft, name });
    if (value !== undefined) draft.edits.push(editValue(draft.html, attribute, value));
    return;
  }
}

type IndexedRule =
  | { readonly names: readonly string[]; readonly value: RewriteValue }
  | { readonly element: RewriteElement };

const NO_RULES: readonly IndexedRule[] = [];

const BY_NAMESPACE: ReadonlyMap<string, ReadonlyMap<string, readonly IndexedRule[]>> = new Map([
  [HTML_NAMESPACE, indexRules(/^[\w-]+$/)],
  [SVG_NAMESPACE, indexRules(/^svg:/)],
]);

function indexRules(names: RegExp): ReadonlyMap<string, readonly IndexedRule[]> {
  const index = new Map<string, IndexedRule[]>();
  for (const rule of RULES) {
    const indexed = "element" in rule ? rule : { names: rule.attributes.split(" "), value: rule.value };
    for (const name of rule.elements.split(" ").filter((each) => names.test(each))) {
      const tagName = name.replace("svg:", "");
      index.set(tagName, [...(index.get(tagName) ?? []), indexed]);
    }
  }
  return index;
}

function recordTitle(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert) recordFact(draft, "title", textOf(element));
}

function recordHeading(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert) recordFact(draft, "heading", textOf(element) || (findAttribute(element, "aria-label") ?? ""));
}

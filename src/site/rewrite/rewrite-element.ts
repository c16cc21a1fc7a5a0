import { findAttribute } from "../../html/attributes.ts";
import { HTML_NAMESPACE, SVG_NAMESPACE, textOf, type ElementPlace, type HtmlElement } from "../../html/tree.ts";
import { rewriteHeadLink } from "./head-links.ts";
import { rewriteIsland } from "./islands.ts";
import { rewriteBase, rewriteDataAttribute, rewriteForm, rewriteInput, rewriteLink, rewriteOption } from "./links.ts";
import { MEDIA_TAGS, rewriteMedia, rewriteSrcset } from "./media.ts";
import { rewriteMeta } from "./meta.ts";
import { noteFact, type PageDraft } from "./page-draft.ts";
import { rewriteScript } from "./script-elements.ts";
import { rewriteUse } from "./sprites.ts";
import { rewriteStyleAttribute, rewriteStyleElement, rewriteSvgStyle } from "./styles.ts";

type RewriteElement = (element: HtmlElement, draft: PageDraft, place: ElementPlace) => void;

const BY_TAG: ReadonlyMap<string, RewriteElement> = new Map<string, RewriteElement>([
  ...MEDIA_TAGS.map((tag) => [tag, rewriteMedia] as const),
  ["a", rewriteLink],
  ["area", rewriteLink],
  ["iframe", rewriteLink],
  ["frame", rewriteLink],
  ["base", rewriteBase],
  ["option", rewriteOption],
  ["form", rewriteForm],
  ["button", rewriteForm],
  ["input", rewriteInput],
  ["link", rewriteHeadLink],
  ["meta", rewriteMeta],
  ["style", rewriteStyleElement],
  ["script", rewriteScript],
  ["astro-island", rewriteIsland],
  ["title", noteTitle],
  ["h1", noteHeading],
]);

/** A `<link>` or `<script>` inside an SVG is read by other rules, and changing it could break the drawing. */
const BY_SVG_TAG: ReadonlyMap<string, RewriteElement> = new Map<string, RewriteElement>([
  ["a", rewriteLink],
  ["image", rewriteMedia],
  ["feimage", rewriteMedia],
  ["style", rewriteSvgStyle],
  ["use", rewriteUse],
]);

const BY_NAMESPACE: ReadonlyMap<string, ReadonlyMap<string, RewriteElement>> = new Map([
  [HTML_NAMESPACE, BY_TAG],
  [SVG_NAMESPACE, BY_SVG_TAG],
]);

/** Rewrites every place in an element that an address can stand in. */
export function rewriteElement(element: HtmlElement, draft: PageDraft, place: ElementPlace): void {
  BY_NAMESPACE.get(element.namespaceURI)?.get(element.tagName)?.(element, draft, place);
  for (const { name, value } of element.attrs) {
    if (name === "style") rewriteStyleAttribute(element, draft, value);
    else if (name === "data-srcset") rewriteSrcset(element, draft, { name, wish: { optimize: "same-type" } });
    else if (name.startsWith("data-")) rewriteDataAttribute(element, draft, { name, value });
  }
}

function noteTitle(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert) noteFact(draft, "title", textOf(element));
}

function noteHeading(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert) noteFact(draft, "heading", textOf(element) || (findAttribute(element, "aria-label") ?? ""));
}

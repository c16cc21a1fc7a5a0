import { findAttribute } from "../../html/attributes.ts";
import { HTML_NAMESPACE, textOf } from "../../html/parse.ts";
import type { ElementPlace, HtmlElement } from "../../html/parse.ts";
import { rewriteHeadLink } from "./head-links.ts";
import { rewriteIsland } from "./islands.ts";
import { rewriteBase, rewriteDataAttribute, rewriteForm, rewriteLink, rewriteOption } from "./links.ts";
import { MEDIA_TAGS, rewriteMedia, rewriteSrcset } from "./media.ts";
import { rewriteMeta } from "./meta.ts";
import { noteFact } from "./page-draft.ts";
import type { PageDraft } from "./page-draft.ts";
import { rewriteScript } from "./script-elements.ts";
import { rewriteUse } from "./sprites.ts";
import { rewriteStyleAttribute, rewriteStyleElement } from "./styles.ts";

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
  ["link", rewriteHeadLink],
  ["meta", rewriteMeta],
  ["style", rewriteStyleElement],
  ["script", rewriteScript],
  ["astro-island", rewriteIsland],
  ["use", rewriteUse],
  ["title", noteTitle],
  ["h1", noteHeading],
]);

/** Rewrites every place in an element that an address can stand in. */
export function rewriteElement(element: HtmlElement, draft: PageDraft, place: ElementPlace): void {
  BY_TAG.get(element.tagName)?.(element, draft, place);
  for (const { name, value } of element.attrs) {
    if (name === "style") rewriteStyleAttribute(element, draft, value);
    else if (name === "data-srcset") rewriteSrcset(element, draft, { name, wish: { optimize: "same-type" } });
    else if (name.startsWith("data-")) rewriteDataAttribute(element, draft, { name, value });
  }
}

/** `<title>` inside an SVG is the name of a drawing. */
function noteTitle(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert && element.namespaceURI === HTML_NAMESPACE) noteFact(draft, "title", textOf(element));
}

function noteHeading(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  if (!inert) noteFact(draft, "heading", textOf(element) || (findAttribute(element, "aria-label") ?? ""));
}

import { looksLikeAddress, parseMetaRefresh } from "../../html/address-texts.ts";
import { STATUS_ATTRIBUTE } from "../../html/redirect.ts";
import { findAttribute, hasWord } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { AssetKind, Placement } from "../model.ts";
import { rewriteSrcset } from "./links.ts";
import {
  CLIENT_ROUTER,
  dropIntegrity,
  isHidden,
  keepElement,
  recordFact,
  recordScriptStart,
  replaceElement,
  setAttribute,
  useAssets,
  warnOfSite,
  type AttributePlace,
  type PageDraft,
} from "./page-draft.ts";
import { rewriteValueForScripts } from "./data-attributes.ts";
import { hasScripts, isStyleType, rewriteStyleLink } from "./styles.ts";
import { absoluteLinkTo, findTarget, isHeldPage, linkTo, placeFile, resolveTarget } from "./targets.ts";

const ICONS = "icon apple-touch-icon apple-touch-icon-precomposed mask-icon apple-touch-startup-image image_src";

/** Handlers by `rel` of a `<link>`; the first match wins. */
const RELATIONS: readonly (readonly [rel: string, rewrite: (element: HtmlElement, draft: PageDraft) => void])[] = [
  ["stylesheet", rewriteStyleLink],
  ["canonical", rewritePublicAddress],
  ["alternate", rewriteAlternate],
  ["sitemap manifest", dropForeignTool],
  ["modulepreload", rewriteModuleHint],
  ["preload prefetch", rewriteHint],
  [ICONS, rewriteIcon],
];

export function rewriteHeadLink(element: HtmlElement, draft: PageDraft): void {
  const rels = (findAttribute(element, "rel") ?? "").toLowerCase().split(/\s+/);
  const applied = isStyleType(element) ? rels : rels.filter((rel) => rel !== "stylesheet");
  const relation = RELATIONS.find(([names]) => names.split(" ").some((name) => applied.includes(name)));
  if (relation !== undefined) return relation[1](element, draft);
  if (rels.length > applied.length && !hasScripts(draft)) return;
  const address = findAttribute(element, "href");
  if (address === undefined) return;
  const target = resolveTarget(draft, element, address);
  const isItem = findAttribute(element, "itemprop") !== undefined;
  const value = isItem ? outwardLinkTo(draft, element, target) : linkTo(draft, element, target);
  setAttribute(draft, element, { name: "href", value });
  if (value === undefined && isHeldPage(draft, target)) replaceElement(draft, element, "");
}

/** Canonical and hreflang addresses must be absolute. */
function rewritePublicAddress(element: HtmlElement, draft: PageDraft): void {
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  setAttribute(draft, element, { name: "href", value: absoluteLinkTo(draft, target) });
}

/** Rewrites a link to another language of the page, or to a feed. */
function rewriteAlternate(element: HtmlElement, draft: PageDraft): void {
  const address = findAttribute(element, "href") ?? "";
  // Frameworks link the 404 page of each language even if it doesn't exist, and authors can't change that.
  const target = draft.page.kind === "status" ? findTarget(draft, address) : resolveTarget(draft, element, address);
  if (isHeldPage(draft, target)) return replaceElement(draft, element, "");
  setAttribute(draft, element, { name: "href", value: outwardLinkTo(draft, element, target) });
}

/** Returns an address for readers outside the site. */
function outwardLinkTo(draft: PageDraft, element: HtmlElement, target: Target): string | undefined {
  if (target.kind !== "file") return absoluteLinkTo(draft, target);
  return placeFile(draft, element, { ...target, optimize: "same-type" });
}

function rewriteIcon(element: HtmlElement, draft: PageDraft): void {
  const address = findAttribute(element, "href");
  const target = address === undefined ? undefined : resolveTarget(draft, element, address);
  if (target?.kind !== "file") return;
  setAttribute(draft, element, { name: "href", value: outwardLinkTo(draft, element, target) });
}

// A sitemap lists addresses that the pages no longer have, and a manifest is valid only on the page's own host. The
// removal of Astro's own sitemap needn't be reported.
function dropForeignTool(element: HtmlElement, draft: PageDraft): void {
  const target = draft.context.addresses.resolve(findAttribute(element, "href") ?? "", draft.page.file);
  if (target.kind === "foreign") return;
  if (target.kind === "file" && hasWord(element, "rel", "manifest")) {
    const message = `${target.path} is left out: a manifest is valid only on the page's own host.`;
    warnOfSite(draft, element, { code: "manifest-dropped", message, isNotice: true });
  }
  replaceElement(draft, element, "");
}

/** An embedded module needs no hint; one in the library is hinted at its address there. */
function rewriteModuleHint(element: HtmlElement, draft: PageDraft): void {
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  if (target.kind !== "file") return;
  if (draft.context.settings.placement.scripts === "data") return replaceElement(draft, element, "");
  recordScriptStart(draft, element);
  setAttribute(draft, element, { name: "href", value: placeFile(draft, element, { ...target, optimize: "never" }) });
  dropIntegrity(draft, element);
  draft.modules.add(target.path);
}

function rewriteHint(element: HtmlElement, draft: PageDraft): void {
  const srcset = findAttribute(element, "imagesrcset");
  const place = { element, draft, name: "imagesrcset" };
  if (srcset !== undefined) setAttribute(draft, element, { name: place.name, value: rewriteSrcset(srcset, place) });
  const address = findAttribute(element, "href");
  if (address === undefined) return;
  if (address.includes("/_server-islands/")) return replaceElement(draft, element, "");
  const target = resolveTarget(draft, element, address);
  if (isHeldPage(draft, target)) return replaceElement(draft, element, "");
  if (target.kind === "page") setAttribute(draft, element, { name: "href", value: linkTo(draft, element, target) });
  if (target.kind !== "file") return;
  const kind = kindOf(contentTypeOf(target.path));
  if (isPutIn(kind, draft.context.settings.placement)) {
    return becomesSheet(element) ? rewriteStyleLink(element, draft) : replaceElement(draft, element, "");
  }
  const value =
    kind === "style"
      ? sheetAddress(draft, target.path)
      : placeFile(draft, element, { ...target, optimize: "any-type" });
  setAttribute(draft, element, { name: "href", value });
  dropIntegrity(draft, element);
}

/** Whether a hint loads a style sheet without delaying the page: `onload="this.rel='stylesheet'"`. */
function becomesSheet(element: HtmlElement): boolean {
  return /\brel\b[^;]*\bstylesheet\b/i.test(findAttribute(element, "onload") ?? "");
}

/** Whether files of a kind are embedded in the page or stay where they are. */
function isPutIn(kind: AssetKind, { styles, fonts, scripts, files }: Placement): boolean {
  return (
    (kind === "style" && styles === "inline") ||
    (kind === "font" && fonts === "inline") ||
    (kind === "script" && scripts === "data") ||
    (kind === "file" && files === "keep")
  );
}

function sheetAddress(draft: PageDraft, path: string): string {
  const { address, assets } = draft.context.styles.addressOf(path, draft.page.file);
  useAssets(draft, assets);
  return address;
}

const PAGE_NAMES = new Set(["og:url", "twitter:url", "al:web:url"]);
/** Names and properties whose content may be an address, also of another site. */
const ADDRESS_NAMES = /^(?:twitter:player|og:see_also|article:(?:author|publisher)|citation_\w*url)$/;
/** Names and properties of `<meta>` whose content is a file address. */
export const META_FILE_NAMES =
  /^(?:og:(?:image|video|audio)(?::url|:secure_url)?|twitter:image(?::src)?|twitter:player:stream|thumbnail|msapplication-\w*(?:image|logo))$/;
/** Properties of microdata whose content is an address. */
const ITEM_NAMES = /\b(?:url|image|logo|photo|thumbnailUrl|contentUrl|embedUrl|mainEntityOfPage)\b/;
const ROBOT_NAMES = /^(?:robots|[a-z-]*bot(?:-news)?)$/;

export function rewriteMeta(element: HtmlElement, draft: PageDraft): void {
  const name = (findAttribute(element, "property") ?? findAttribute(element, "name") ?? "").toLowerCase();
  const property = findAttribute(element, "itemprop") ?? "";
  const content = findAttribute(element, "content") ?? "";
  const equivalent = findAttribute(element, "http-equiv")?.toLowerCase();
  if (equivalent === "refresh") rewriteRefresh(element, draft, content);
  else if (equivalent === "content-security-policy") keepElement(draft, "policy", element);
  else if (name === "imprint") keepElement(draft, "marker", element);
  else if (isHidden(draft) && ROBOT_NAMES.test(name)) replaceElement(draft, element, "");
  else if (name === "description") recordFact(draft, "description", content.trim());
  else if (name === "og:description") recordFact(draft, "og-description", content.trim());
  else if (name === "og:title") recordFact(draft, "og-title", content.trim());
  else if (name === CLIENT_ROUTER) recordFact(draft, "client-router", content || "true");
  else if (
    PAGE_NAMES.has(name) ||
    META_FILE_NAMES.test(name) ||
    (ADDRESS_NAMES.test(name) && looksLikeAddress(content.trim())) ||
    isItemAddress(property, content)
  )
    rewriteContent(element, draft, content);
  else if (!name.startsWith("msapplication-"))
    setAttribute(draft, element, { name: "content", value: rewriteValueForScripts(content, { element, draft }) });
}

function isItemAddress(property: string, content: string): boolean {
  return ITEM_NAMES.test(property) && looksLikeAddress(content.trim());
}

function rewriteRefresh(element: HtmlElement, draft: PageDraft, content: string): void {
  const refresh = parseMetaRefresh(content);
  if (refresh === undefined) return;
  const { kind, redirectStatus } = draft.page;
  const address = linkTo(draft, element, resolveTarget(draft, element, refresh.address));
  const isSlow = kind === "redirect" && refresh.seconds > 0;
  if (kind === "redirect" && redirectStatus !== undefined) recordStatus(draft, element, String(redirectStatus));
  if (address === undefined && !isSlow) return;
  // Astro delays temporary redirects by two seconds as a signal for search engines, which isn't needed here.
  const before = isSlow ? refresh.before.replace(/\d[\d.]*/, "0") : refresh.before;
  setAttribute(draft, element, { name: "content", value: before + (address ?? refresh.address) + refresh.after });
}

/** Records the status for servers that can respond with it. */
function recordStatus(draft: PageDraft, element: HtmlElement, status: string): void {
  const { source } = element;
  if (findAttribute(element, STATUS_ATTRIBUTE) !== undefined) {
    setAttribute(draft, element, { name: STATUS_ATTRIBUTE, value: status });
  } else if (source !== undefined) {
    const place = source.start + "<meta".length;
    draft.edits.push({ start: place, end: place, text: ` ${STATUS_ATTRIBUTE}="${status}"` });
  }
}

/** Rewrites addresses of pages, separated by spaces, that readers don't see as links: `cite`, `itemid`, `ping`. */
export function rewriteStatedAddresses(addresses: string, { draft }: AttributePlace): string | undefined {
  const rewritten = addresses.replace(
    /\S+/g,
    (address) => absoluteLinkTo(draft, findTarget(draft, address)) ?? address,
  );
  return rewritten === addresses ? undefined : rewritten;
}

function rewriteContent(element: HtmlElement, draft: PageDraft, content: string): void {
  const target = resolveTarget(draft, element, content);
  setAttribute(draft, element, { name: "content", value: outwardLinkTo(draft, element, target) });
}

import { findAttribute, hasWord } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { rewriteSource, rewriteSrcset } from "./media.ts";
import {
  dropIntegrity,
  noteScriptStart,
  replaceElement,
  setAttribute,
  useAssets,
  warnOfSite,
  type PageDraft,
} from "./page-draft.ts";
import { rewriteStyleLink } from "./styles.ts";
import { absoluteLinkTo, isHeldPage, linkTo, placeFile, resolveTarget } from "./targets.ts";

/** `<link>`: each `rel` has its own meaning. */
export function rewriteHeadLink(element: HtmlElement, draft: PageDraft): void {
  const rel = new Set((findAttribute(element, "rel") ?? "").toLowerCase().split(/\s+/));
  const address = findAttribute(element, "href");
  if (rel.has("stylesheet")) return rewriteStyleLink(element, draft);
  if (rel.has("canonical")) return rewritePublicAddress(element, draft);
  if (rel.has("alternate")) return rewriteAlternate(element, draft);
  if (rel.has("sitemap") || rel.has("manifest")) return dropForeignTool(element, draft);
  if (rel.has("modulepreload")) return rewriteModuleHint(element, draft);
  if (rel.has("preload") || rel.has("prefetch")) return rewriteHint(element, draft);
  if (
    [
      "icon",
      "apple-touch-icon",
      "apple-touch-icon-precomposed",
      "mask-icon",
      "apple-touch-startup-image",
      "image_src",
    ].some((name) => rel.has(name))
  ) {
    return rewriteSource(element, draft, { name: "href", wish: { optimize: "same-type" } });
  }
  if (address === undefined) return;
  const target = resolveTarget(draft, element, address);
  const value = linkTo(draft, element, target);
  if (value !== undefined) setAttribute(draft, element, { name: "href", value });
  else if (isHeldPage(draft, target)) replaceElement(draft, element, "");
}

/** Readers of canonical and hreflang addresses want them whole. */
function rewritePublicAddress(element: HtmlElement, draft: PageDraft): void {
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  const value = absoluteLinkTo(draft, target);
  if (value !== undefined) setAttribute(draft, element, { name: "href", value });
}

/** Another language of the page, or a feed. */
function rewriteAlternate(element: HtmlElement, draft: PageDraft): void {
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  if (isHeldPage(draft, target)) return replaceElement(draft, element, "");
  if (target.kind !== "file") return rewritePublicAddress(element, draft);
  const value = placeFile(draft, element, { ...target, optimize: "same-type" });
  if (value !== undefined) setAttribute(draft, element, { name: "href", value });
}

// A sitemap lists addresses that the pages no longer have, and a manifest counts only on the page's own host. Astro's
// own sitemap is no loss that anybody has to be told of.
function dropForeignTool(element: HtmlElement, draft: PageDraft): void {
  const target = draft.shop.addresses.resolve(findAttribute(element, "href") ?? "", draft.page.file);
  if (target.kind === "foreign") return;
  if (target.kind === "file" && hasWord(element, "rel", "manifest")) {
    const message = `${target.path} is left out: a manifest counts only on the page's own host.`;
    warnOfSite(draft, element, { code: "manifest-dropped", message });
  }
  replaceElement(draft, element, "");
}

/** A module that is put into the page needs no hint; one in the library is hinted at by its address there. */
function rewriteModuleHint(element: HtmlElement, draft: PageDraft): void {
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  if (target.kind !== "file") return;
  if (draft.shop.settings.placement.scripts === "data") return replaceElement(draft, element, "");
  noteScriptStart(draft, element);
  const value = placeFile(draft, element, { ...target, optimize: "never" });
  if (value !== undefined) setAttribute(draft, element, { name: "href", value });
  dropIntegrity(draft, element);
  draft.modules.add(target.path);
}

function rewriteHint(element: HtmlElement, draft: PageDraft): void {
  const { placement } = draft.shop.settings;
  rewriteSrcset(element, draft, { name: "imagesrcset", wish: { optimize: "any-type" } });
  const address = findAttribute(element, "href");
  if (address === undefined) return;
  const target = resolveTarget(draft, element, address);
  if (isHeldPage(draft, target)) return replaceElement(draft, element, "");
  if (target.kind === "page") {
    const value = linkTo(draft, element, target);
    if (value !== undefined) setAttribute(draft, element, { name: "href", value });
  }
  if (target.kind !== "file") return;
  const kind = kindOf(contentTypeOf(target.path));
  const isPutIn =
    (kind === "style" && placement.styles === "inline") ||
    (kind === "font" && placement.fonts === "inline") ||
    (kind === "script" && placement.scripts === "data") ||
    (kind === "file" && placement.files === "keep");
  if (isPutIn) return replaceElement(draft, element, "");
  const value =
    kind === "style"
      ? sheetAddress(draft, target.path)
      : placeFile(draft, element, { ...target, optimize: "any-type" });
  if (value !== undefined) setAttribute(draft, element, { name: "href", value });
  dropIntegrity(draft, element);
}

function sheetAddress(draft: PageDraft, path: string): string {
  const { address, assets } = draft.shop.styles.addressOf(path, draft.page.file);
  useAssets(draft, assets);
  return address;
}

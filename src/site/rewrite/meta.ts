import { findAttribute } from "../../html/attributes.ts";
import { parseMetaRefresh } from "../../html/address-texts.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { keepElement, noteFact, replaceElement, setAttribute, type PageDraft } from "./page-draft.ts";
import { absoluteLinkTo, linkTo, placeFile, resolveTarget } from "./targets.ts";

const PAGE_NAMES = new Set(["og:url", "twitter:url", "al:web:url"]);
/** Names and properties of `<meta>` whose content is the address of a file. */
export const META_FILE_NAMES =
  /^(?:og:(?:image|video|audio)(?::url|:secure_url)?|twitter:image(?::src)?|twitter:player:stream|thumbnail|msapplication-\w*(?:image|logo))$/;
const ROBOT_NAMES = /^(?:robots|[a-z-]*bot(?:-news)?)$/;

/** `<meta>`: what the page says about itself, and the addresses in it. */
export function rewriteMeta(element: HtmlElement, draft: PageDraft): void {
  const name = (findAttribute(element, "property") ?? findAttribute(element, "name") ?? "").toLowerCase();
  const content = findAttribute(element, "content") ?? "";
  const equivalent = findAttribute(element, "http-equiv")?.toLowerCase();
  if (equivalent === "refresh") rewriteRefresh(element, draft, content);
  else if (equivalent === "content-security-policy") keepElement(draft, "policy", element);
  else if (name === "imprint") keepElement(draft, "marker", element);
  else if (draft.shop.settings.noindex === true && ROBOT_NAMES.test(name)) replaceElement(draft, element, "");
  else if (name === "description") noteFact(draft, "description", content.trim());
  else if (name === "og:description") noteFact(draft, "og-description", content.trim());
  else if (name === "og:title") noteFact(draft, "og-title", content.trim());
  else if (name === "astro-view-transitions-enabled") noteFact(draft, "client-router", content || "true");
  else if (PAGE_NAMES.has(name) || META_FILE_NAMES.test(name)) rewriteContent(element, draft, content);
}

function rewriteRefresh(element: HtmlElement, draft: PageDraft, content: string): void {
  const refresh = parseMetaRefresh(content);
  if (refresh === undefined) return;
  const address = linkTo(draft, element, resolveTarget(draft, element, refresh.address));
  if (address === undefined) return;
  setAttribute(draft, element, { name: "content", value: refresh.before + address + refresh.after });
}

function rewriteContent(element: HtmlElement, draft: PageDraft, content: string): void {
  const target = resolveTarget(draft, element, content);
  const value =
    target.kind === "file"
      ? placeFile(draft, element, { ...target, optimize: "same-type" })
      : absoluteLinkTo(draft, target);
  if (value !== undefined) setAttribute(draft, element, { name: "content", value });
}

import { findAttribute } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { rewriteMedia } from "./media.ts";
import { removeAttribute, setAttribute, warn, type PageDraft } from "./page-draft.ts";
import { absoluteLinkTo, findTarget, isHeldPage, linkTo, placeFile, resolveTarget } from "./targets.ts";

/** `a[href]`, `area[href]`, `iframe[src]` and the like: to a page by its slug, to a file in the library. */
export function rewriteLink(element: HtmlElement, draft: PageDraft): void {
  for (const name of ["href", "xlink:href", "src"]) {
    const address = findAttribute(element, name);
    if (address === undefined) continue;
    const target = resolveTarget(draft, element, address);
    const value = linkTo(draft, element, target);
    if (value !== undefined) setAttribute(draft, element, { name, value });
    // A link without an address is read as text, and leads nobody to a page that is not there.
    else if (isHeldPage(draft, target)) removeAttribute(draft, element, name);
  }
}

/** `<base>` keeps its meaning for links that are only a fragment. */
export function rewriteBase(element: HtmlElement, draft: PageDraft): void {
  const address = findAttribute(element, "href");
  const target = address === undefined ? undefined : draft.shop.addresses.resolve(address, draft.page.file);
  if (target?.kind !== "page") return;
  const slug = draft.shop.settings.slugs.get(target.page.route);
  if (slug !== undefined) setAttribute(draft, element, { name: "href", value: draft.shop.settings.pageHref(slug) });
}

/** Menus that go to `option.value` by script want a path; any other value is left alone. */
export function rewriteOption(element: HtmlElement, draft: PageDraft): void {
  const address = findAttribute(element, "value");
  if (address === undefined || !address.startsWith(draft.shop.site.base)) return;
  const target = findTarget(draft, address);
  if (target.kind !== "page") return;
  const value = linkTo(draft, element, target);
  if (value !== undefined) setAttribute(draft, element, { name: "value", value });
}

/** An `<input>` may load a picture, send a form elsewhere, or say where a visitor is led after it is sent. */
export function rewriteInput(element: HtmlElement, draft: PageDraft): void {
  rewriteMedia(element, draft);
  rewriteForm(element, draft);
  if (findAttribute(element, "name") === "_next") rewriteNext(element, draft);
}

function rewriteNext(element: HtmlElement, draft: PageDraft): void {
  const address = findAttribute(element, "value");
  const target = address === undefined ? undefined : resolveTarget(draft, element, address);
  const value = target?.kind === "page" ? linkTo(draft, element, target) : undefined;
  if (value !== undefined) setAttribute(draft, element, { name: "value", value });
}

/** A form that asks a page (`method="get"`) is a link; one that sends into the site has nobody to receive it. */
export function rewriteForm(element: HtmlElement, draft: PageDraft): void {
  const name = element.tagName === "form" ? "action" : "formaction";
  const address = findAttribute(element, name);
  if (address === undefined || address.trim() === "") return;
  const method = findAttribute(element, element.tagName === "form" ? "method" : "formmethod");
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "page") return;
  if (method?.toLowerCase() === "post" && /[?&]_action=/.test(address)) {
    const message = `The form calls the action ${address}, which needs a running Astro server.`;
    warn(draft, element, { code: "action", message });
    return;
  }
  if (method?.toLowerCase() === "post") {
    const message = `The form sends to ${address}. A published form sends to its own page: leave "${name}" out.`;
    warn(draft, element, { code: "form-action", message });
    return;
  }
  const value = linkTo(draft, element, target);
  if (value !== undefined) setAttribute(draft, element, { name, value });
}

/** Attributes that hold what a copy button copies. */
const COPIED = new Set(["data-code", "data-clipboard-text"]);

/** A `data-` attribute whose whole value is the address of a built file, or of a page where its name says so. */
export function rewriteDataAttribute(
  element: HtmlElement,
  draft: PageDraft,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  if (COPIED.has(name) || !/^(?:\/|https?:)[^\s<>"{}]*$/.test(value)) return;
  const target = findTarget(draft, value);
  if (target.kind === "file") {
    const placed = placeFile(draft, element, { ...target, optimize: "same-type" });
    if (placed !== undefined) setAttribute(draft, element, { name, value: placed });
  } else if (target.kind === "page" && /url|href|link/.test(name)) {
    // What is whole is for others to open, as the address behind a share button.
    const link = value.startsWith("/") ? linkTo(draft, element, target) : absoluteLinkTo(draft, target);
    if (link !== undefined) setAttribute(draft, element, { name, value: link });
  }
}

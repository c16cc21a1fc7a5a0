import { posix } from "node:path";
import { ownText } from "../../base/own-text.ts";
import { findAttribute } from "../../html/attributes.ts";
import { findSrcsetAddresses } from "../../html/address-texts.ts";
import { applyEdits } from "../../html/edits.ts";
import type { HtmlElement } from "../../html/tree.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf } from "../content-type.ts";
import { isData } from "./data-files.ts";
import {
  noteFact,
  lineOf,
  passWarnings,
  removeAttribute,
  setAttribute,
  useAssets,
  warn,
  type AttributePlace,
  type PageDraft,
} from "./page-draft.ts";
import { isUnpublished } from "./script-asks.ts";
import { absoluteLinkTo, findTarget, isHeldPage, linkTo, placeFile, resolveTarget, type FileWish } from "./targets.ts";

/** Images, video, audio and whatever else an element loads by itself: from the library. */
export function rewriteFile(address: string, { element, draft }: AttributePlace): string | undefined {
  const target = resolveTarget(draft, element, address);
  return target.kind === "file" ? placeFile(draft, element, { ...target, ...wishOf(element) }) : undefined;
}

export function rewriteSrcset(srcset: string, { element, draft, name }: AttributePlace): string | undefined {
  const wish: FileWish = name === "data-srcset" ? { optimize: "same-type" } : wishOf(element);
  const edits = findSrcsetAddresses(srcset).flatMap(({ address, start, end }) => {
    const target = resolveTarget(draft, element, address);
    const text = target.kind === "file" ? placeFile(draft, element, { ...target, ...wish }) : undefined;
    return text === undefined ? [] : [{ start, end, text }];
  });
  return edits.length === 0 ? undefined : applyEdits(srcset, edits);
}

function wishOf(element: HtmlElement): FileWish {
  return {
    // The type that `<source type>` names has to be kept when a file is re-encoded.
    optimize: element.tagName === "link" || findAttribute(element, "type") === undefined ? "any-type" : "same-type",
    alt: element.tagName === "img" ? findAttribute(element, "alt") : undefined,
  };
}

/** `a[href]`, `area[href]`, `iframe[src]` and the like: to a page by its slug, to a file in the library. */
export function rewriteLink(address: string, { element, draft, name }: AttributePlace): string | undefined {
  const { context, baseFile, page } = draft;
  // The same menu stands on every page.
  const isShared = address.startsWith("/") && baseFile === page.file;
  const known = isShared ? context.links.get(address) : undefined;
  if (known !== undefined) return known;
  const target = resolveTarget(draft, element, address);
  const value = linkTo(draft, element, target);
  // The library gives files names of its own; readers get one by the name that it has in the site.
  if (value !== undefined && target.kind === "file" && findAttribute(element, "download") === "")
    setAttribute(draft, element, { name: "download", value: posix.basename(target.path) });
  if (isShared && target.kind === "page" && value !== undefined) context.links.set(ownText(address), value);
  // A link without an address is read as text, and leads nobody to a page that is not there.
  if (value === undefined && isHeldPage(draft, target)) removeAttribute(draft, element, name);
  return value;
}

/** `iframe[srcdoc]`: a page in a page, whose addresses are relative to the same place. */
export function rewriteDocument(html: string, { element, draft }: AttributePlace): string | undefined {
  const part = draft.context.rewritePart(draft.page, html);
  const line = lineOf(draft, element);
  useAssets(draft, part.assets);
  passWarnings(
    draft,
    part.warnings.map((warning) =>
      warning.file === draft.page.file && line !== undefined ? { ...warning, line } : warning,
    ),
  );
  draft.inlineTexts.push(...part.inlineTexts);
  for (const hash of part.fetched) draft.fetched.add(hash);
  for (const name of ["route-map", "inline-data"] as const) noteFact(draft, name, part.facts.get(name) ?? "");
  return part.html === html ? undefined : part.html;
}

/** `<base>` keeps its meaning for links that are only a fragment. */
export function rewriteBase(address: string, { draft: { context, page } }: AttributePlace): string | undefined {
  const target = context.addresses.resolve(address, page.file);
  const slug = target.kind === "page" ? context.settings.slugs.get(target.page.route) : undefined;
  return slug === undefined ? undefined : context.settings.pageHref(slug);
}

/** Menus that go to `option.value` by script want a path; any other value is left alone. */
export function rewriteOption(address: string, { element, draft }: AttributePlace): string | undefined {
  const isAddress = address.startsWith(draft.context.site.base) || RELATIVE_PATH.test(address) || isGoneTo(element);
  // What is only a query or a fragment stays on the page by itself.
  const target = isAddress && /^[^?#\s]/.test(address) ? findTarget(draft, address) : undefined;
  return target?.kind === "page" ? linkTo(draft, element, target) : undefined;
}

const RELATIVE_PATH = /^\.{1,2}\/[^\s<>"{}]*$/;
const GOES_TO_VALUE =
  /(?:\blocation(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\(|\b(?:open|navigate)\()\s*[\w$.[\]()]+\.val(?:ue\b|\(\))(?!\s*\+)/;

/** Whether the menu of an option leads to the chosen value, as `location = this.value` does: then each is an address. */
function isGoneTo({ parent }: HtmlElement): boolean {
  if (parent?.tagName === "optgroup") return isGoneTo(parent);
  return parent?.tagName === "select" && GOES_TO_VALUE.test(findAttribute(parent, "onchange") ?? "");
}

/** `<input name="_next">` says where a visitor is led after a form is sent. */
export function rewriteNext(address: string, { element, draft }: AttributePlace): string | undefined {
  if (findAttribute(element, "name") !== "_next") return undefined;
  const target = resolveTarget(draft, element, address);
  return target.kind === "page" ? linkTo(draft, element, target) : undefined;
}

/** A form that asks a page (`method="get"`) is a link; one that sends into the site has nobody to receive it. */
export function rewriteForm(address: string, { element, draft, name }: AttributePlace): string | undefined {
  if (address.trim() === "") return undefined;
  const method = findAttribute(element, name === "action" ? "method" : "formmethod");
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "page") return undefined;
  if (method?.toLowerCase() !== "post") return linkTo(draft, element, target);
  if (/[?&]_action=/.test(address)) {
    const message = `The form calls the action ${address}, which needs a running Astro server.`;
    warn(draft, element, { code: "action", message });
  } else {
    warn(draft, element, { code: "form-action", message: `The form sends to ${address}.`, target: address });
  }
  return undefined;
}

/** Attributes that hold what a copy button copies. */
const COPIED = new Set(["data-code", "data-clipboard-text"]);

/** An attribute for scripts whose whole value is the address of a built file, or of a page where its name says so. */
export function rewriteDataAttribute(value: string, { element, draft, name }: AttributePlace): string | undefined {
  if (COPIED.has(name) || !/^(?:\/|https?:)[^\s<>"{}]*$/.test(value)) return undefined;
  const target = findTarget(draft, value);
  if (isForScripts(draft, target)) {
    const { file } = draft.page;
    draft.asks.push({ address: value, isComputed: false, isFetched: true, file, line: lineOf(draft, element) ?? 1 });
    return undefined;
  }
  if (target.kind === "file") return placeFile(draft, element, { ...target, optimize: "same-type" });
  if (target.kind !== "page") return undefined;
  if (!/url|href|link/.test(name)) {
    // Whether it is an address only the page's scripts know, and they may lead there.
    if (value !== "/") noteFact(draft, "data-names-pages", name);
    return undefined;
  }
  // What is whole is for others to open, as the address behind a share button.
  return value.startsWith("/") ? linkTo(draft, element, target) : absoluteLinkTo(draft, target);
}

/** Whether only scripts can use it: data that the library doesn't take, or HTML that is no page. */
function isForScripts({ context: { settings } }: PageDraft, target: Target): boolean {
  if (target.kind === "file") return settings.placement.files === "keep" && isData(contentTypeOf(target.path));
  return target.kind === "page" && isUnpublished(target.page.route, settings);
}

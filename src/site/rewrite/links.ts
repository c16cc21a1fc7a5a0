import { posix } from "node:path";
import { ownText } from "../../base/own-text.ts";
import { findAttribute } from "../../html/attributes.ts";
import { findSrcsetAddresses } from "../../html/address-texts.ts";
import { applyEdits } from "../../html/edits.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { rewriteValueForScripts } from "./data-attributes.ts";
import {
  recordFact,
  lineOf,
  passWarnings,
  removeAttribute,
  setAttribute,
  useAssets,
  warn,
  type AttributePlace,
} from "./page-draft.ts";
import { findTarget, isHeldPage, isUnknown, linkTo, placeFile, resolveTarget, type FileWish } from "./targets.ts";

/** Rewrites what an element loads by itself, such as images, video, and audio: from the library. */
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
    // If `<source type>` specifies a type, re-encoding must keep it.
    optimize: element.tagName === "link" || findAttribute(element, "type") === undefined ? "any-type" : "same-type",
    alt: element.tagName === "img" ? findAttribute(element, "alt") : undefined,
  };
}

/** Rewrites `a[href]`, `area[href]`, `iframe[src]`, and the like: to a page by its slug, to a file in the library. */
export function rewriteLink(address: string, { element, draft, name }: AttributePlace): string | undefined {
  const { context, baseFile, page } = draft;
  // The same menu occurs on every page.
  const isShared = /^\/[^?]*$/.test(address) && baseFile === page.file;
  const known = isShared ? context.links.get(address) : undefined;
  if (known !== undefined) return known;
  const target = resolveTarget(draft, element, address);
  const value = linkTo(draft, element, target);
  // The library renames files; readers get the file under its name in the site.
  if (value !== undefined && target.kind === "file" && findAttribute(element, "download") === "")
    setAttribute(draft, element, { name: "download", value: posix.basename(target.path) });
  if (isShared && target.kind === "page" && value !== undefined) context.links.set(ownText(address), value);
  // A link without an address is shown as text and doesn't lead to a missing page.
  if (value === undefined && isHeldPage(draft, target)) removeAttribute(draft, element, name);
  return value;
}

/** Rewrites `iframe[srcdoc]`, a page within a page that has the same base address. */
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
  for (const file of part.contained) draft.contained.add(file);
  for (const name of ["route-map", "inline-data"] as const) recordFact(draft, name, part.facts.get(name) ?? "");
  return part.html === html ? undefined : part.html;
}

/** Rewrites `<base>`, so that links with only a fragment keep working. */
export function rewriteBase(address: string, { draft: { context, page } }: AttributePlace): string | undefined {
  const target = context.addresses.resolve(address, page.file);
  const slug = target.kind === "page" ? context.settings.slugs.get(target.page.route) : undefined;
  return slug === undefined ? undefined : context.settings.pageHref(slug);
}

/** Rewrites `option.value` for menus that navigate to it by script; any value that isn't a path stays unchanged. */
export function rewriteOption(address: string, { element, draft }: AttributePlace): string | undefined {
  const isAddress = address.startsWith(draft.context.site.base) || RELATIVE_PATH.test(address) || isGoneTo(element);
  // A query or fragment alone stays on the page anyway.
  const target = isAddress && /^[^?#\s]/.test(address) ? findTarget(draft, address) : undefined;
  return target?.kind === "page" ? linkTo(draft, element, target) : undefined;
}

const RELATIVE_PATH = /^\.{1,2}\/[^\s<>"{}]*$/;
const GOES_TO_VALUE =
  /(?:\blocation(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\(|\b(?:open|navigate)\()\s*[\w$.[\]()]+\.val(?:ue\b|\(\))(?!\s*\+)/;

/**
 * Whether the menu of an option navigates to the selected value, as with `location = this.value`: then each is an
 * address.
 */
function isGoneTo({ parent }: HtmlElement): boolean {
  if (parent?.tagName === "optgroup") return isGoneTo(parent);
  return parent?.tagName === "select" && GOES_TO_VALUE.test(findAttribute(parent, "onchange") ?? "");
}

/**
 * Rewrites `<input name="_next">`, the page that visitors are redirected to after submitting a form, and addresses of
 * images for scripts.
 */
export function rewriteInput(address: string, { element, draft }: AttributePlace): string | undefined {
  if (findAttribute(element, "name") !== "_next") return rewriteValueForScripts(address, { element, draft });
  const target = resolveTarget(draft, element, address);
  return target.kind === "page" ? linkTo(draft, element, target) : undefined;
}

/** Rewrites a form that requests a page (`method="get"`) like a link; one that posts to the site has no recipient. */
export function rewriteForm(address: string, { element, draft, name }: AttributePlace): string | undefined {
  if (address.trim() === "") return undefined;
  const method = findAttribute(element, name === "action" ? "method" : "formmethod");
  if (method?.toLowerCase() !== "post") {
    const target = resolveTarget(draft, element, address);
    return target.kind === "page" ? linkTo(draft, element, target) : undefined;
  }
  if (findTarget(draft, address).kind !== "page" && !isUnknown(draft, address)) {
    resolveTarget(draft, element, address);
    return undefined;
  }
  if (/[?&]_action=|\/_actions\//.test(address)) {
    const message = `The form calls the action ${address}, which needs a running Astro server.`;
    warn(draft, element, { code: "action", message });
  } else {
    warn(draft, element, { code: "form-action", message: `The form submits to ${address}.`, target: address });
  }
  return undefined;
}

import { decodeComponent } from "../../base/decode-component.ts";
import { ImprintError } from "../../base/error.ts";
import type { HtmlElement } from "../../html/tree.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, SiteAsset } from "../model.ts";
import { describeKept, MAX_INLINE_BYTES } from "./data-limits.ts";
import {
  lineOf,
  recordFact,
  passWarnings,
  useAsset,
  useAssets,
  warn,
  warnOfSite,
  type PageDraft,
} from "./page-draft.ts";
import { hasParts } from "./file-parts.ts";
import { FRAMES, warnOfDrawing } from "./framed-drawings.ts";
import { fileDataAddress } from "./text-context.ts";

/** How a file may be changed where it is used. */
export interface FileWish {
  readonly optimize: SiteAsset["optimize"];
  readonly alt?: string | undefined;
}

/** Resolves an address in this page. Warns, or throws with `strict`, if its target is missing. */
export function resolveTarget(draft: PageDraft, element: HtmlElement, address: string): Target {
  const target = findTarget(draft, address);
  if (target.kind !== "missing" || !isLacking(draft, address, target.path)) return target;
  const { code, message } = describeMissing(address, {
    path: target.path,
    tag: element.tagName,
    site: draft.context.site,
  });
  if (draft.context.settings.strict === true) {
    const line = lineOf(draft, element);
    throw new ImprintError("ASSET_MISSING", `${draft.page.file}: ${message}`, {
      location: { file: draft.page.file, ...(line === undefined ? {} : { line }) },
    });
  }
  warn(draft, element, { code, message, target: target.path });
  return target;
}

function isHeldFile({ context: { settings, site } }: PageDraft, path: string): boolean {
  return settings.heldFiles?.some((file) => path === `/${file}` || path === `${site.base}${file}`) === true;
}

/** Like `resolveTarget`, but for texts that may not be addresses: a missing target isn't an error. */
export function findTarget(draft: PageDraft, address: string): Target {
  if (draft.baseFile !== undefined) return draft.context.addresses.resolve(address, draft.baseFile);
  return /^https?:/i.test(address.trim())
    ? draft.context.addresses.resolve(address, draft.page.file)
    : { kind: "foreign" };
}

/** Whether the site lacks an address, and neither has it on hold, nor renders it on demand, nor published it before. */
export function isUnknown(draft: PageDraft, address: string): boolean {
  const target = findTarget(draft, address);
  if (target.kind !== "missing" || !isLacking(draft, address, target.path)) return false;
  return findOnDemand(target.path, draft.context.site) === undefined;
}

// A file on hold is reported once, not per page.
function isLacking(draft: PageDraft, address: string, path: string): boolean {
  return !isHeldFile(draft, path) && !draft.context.publishedHrefs.has(address.replace(/[?#].*$/s, ""));
}

function findOnDemand(path: string, { onDemand }: BuiltSite) {
  return onDemand.find(({ regex }) => regex !== undefined && new RegExp(regex).test(path));
}

/** Returns the address of a link in the published page; `undefined` if it stays unchanged. */
export function linkTo(draft: PageDraft, element: HtmlElement, target: Target): string | undefined {
  switch (target.kind) {
    case "page":
      return linkToPage(draft, element, target);
    case "file":
      return placeFile(draft, element, { ...target, optimize: "same-type" });
    case "moved":
      return target.address;
    default:
      return undefined;
  }
}

function linkToPage(draft: PageDraft, element: HtmlElement, target: Target & { kind: "page" }): string | undefined {
  const slug = draft.context.settings.slugs.get(target.page.route);
  if (slug !== undefined)
    return draft.context.settings.pageHref(slug) + placeFilesOfQuery(draft, element, target.suffix);
  const { route, file } = target.page;
  const message = draft.context.settings.heldPages?.[route];
  const does = FRAMES.has(element.tagName) ? `The <${element.tagName}> shows` : "The link points to";
  const unpublished = { code: "unpublished-page", message: `${does} ${file}, which isn't published.` };
  warn(draft, element, message === undefined ? unpublished : { code: "held-link", message });
  return undefined;
}

/** Rewrites files of the site that a query names from the root, as for a viewer: `/viewer.html?file=/guide.pdf`. */
function placeFilesOfQuery(draft: PageDraft, element: HtmlElement, suffix: string): string {
  return suffix.replace(/(?<=[?&][\w-]+=)(?:\/|%2F)(?!\/)[^&#]+\.[a-z0-9]{2,11}(?=[&#]|$)/gi, (written) => {
    const target = findTarget(draft, decodeComponent(written));
    const isFile = target.kind === "file" && /^(?:file|image)$/.test(kindOf(contentTypeOf(target.path)));
    const placed = isFile ? placeFile(draft, element, { ...target, optimize: "same-type" }) : undefined;
    return placed === undefined || placed.startsWith("data:") ? written : placed;
  });
}

/** Whether an address leads to a page that is left out because its post isn't published. */
export function isHeldPage({ context }: PageDraft, target: Target): boolean {
  return target.kind === "page" && context.settings.heldPages?.[target.page.route] !== undefined;
}

/** Returns the absolute address of a page, for readers outside the site; `undefined` if it stays unchanged. */
export function absoluteLinkTo(draft: PageDraft, target: Target): string | undefined {
  if (target.kind === "moved") return target.address;
  const slug = target.kind === "page" ? draft.context.settings.slugs.get(target.page.route) : undefined;
  const address = slug === undefined ? undefined : draft.context.settings.pageUrl?.(slug);
  return address === undefined || target.kind !== "page" ? undefined : address + target.suffix;
}

/** Returns the address from which a file is loaded in the published page; `undefined` if it stays unchanged. */
export function placeFile(
  draft: PageDraft,
  element: HtmlElement,
  { path, suffix, optimize, alt }: FileWish & { readonly path: string; readonly suffix: string },
): string | undefined {
  const { context, page } = draft;
  const { placement } = context.settings;
  warnOfDrawing(draft, element, path);
  const kind = kindOf(contentTypeOf(path));
  const [fragment = ""] = /#.*$/s.exec(suffix) ?? [];
  if (kind === "font" && placement.fonts === "inline") {
    return fileDataAddress(path, context);
  }
  if (kind === "script" || (kind === "style" && placement.files === "library")) return placeText(draft, path, kind);
  const whole = hasParts(contentTypeOf(path)) ? context.data.place(path, page.file) : undefined;
  if (whole !== undefined) {
    useAssets(draft, whole.assets);
    passWarnings(draft, whole.warnings ?? []);
    if (whole.address.startsWith("data:")) recordFact(draft, "inline-media", path);
    return whole.address + fragment;
  }
  if (kind !== "image" && kind !== "font" && placement.files === "keep") {
    if (isSmallMedia(element, context.site.files.get(path)?.bytes)) {
      recordFact(draft, "inline-media", path);
      return fileDataAddress(path, context) + fragment;
    }
    warnOfSite(draft, element, describeKept(path));
    return undefined;
  }
  const [feed, ...named] = kind === "file" ? (context.feeds.findAssets(path, page.file) ?? []) : [];
  if (feed !== undefined) {
    useAssets(draft, named);
    return useAsset(draft, feed);
  }
  return useAsset(draft, context.assets.fromFile(path, { usedIn: page.file, optimize, alt })) + fragment;
}

const MEDIA_ELEMENTS = new Set(["audio", "video", "source", "track"]);

/** Whether an element plays a file that is small enough to embed in the page. */
function isSmallMedia({ tagName }: HtmlElement, bytes: number | undefined): boolean {
  return MEDIA_ELEMENTS.has(tagName) && bytes !== undefined && bytes <= MAX_INLINE_BYTES;
}

/** Places a script or style sheet that is loaded by its address. */
function placeText(draft: PageDraft, path: string, kind: "script" | "style"): string {
  const { context, page } = draft;
  if (kind === "script") {
    const { address, assets } = context.scripts.addressOf(path, page.file);
    useAssets(draft, assets);
    passWarnings(draft, context.scripts.fromFile(path, page.file).warnings);
    return address;
  }
  const { address, assets, warnings } = context.styles.addressOf(path, page.file);
  useAssets(draft, assets);
  passWarnings(draft, warnings);
  return address;
}

const SERVED_BY_ASTRO: readonly (readonly [RegExp, string, string])[] = [
  [/\/_server-islands\//, "server-island", "A server island needs a running Astro server"],
  [/\/_image$/, "on-demand-image", "An on-demand image needs a running Astro server"],
  [/\/_actions\//, "action", "An action needs a running Astro server"],
];

function describeMissing(
  address: string,
  { path, tag, site }: { readonly path: string; readonly tag: string; readonly site: BuiltSite },
): { readonly code: string; readonly message: string } {
  const served = SERVED_BY_ASTRO.find(([pattern]) => pattern.test(path));
  if (served !== undefined) return { code: served[1], message: `${served[2]}: ${address}.` };
  const isLink = tag === "a" || tag === "area" || tag === "form" || tag === "option" || tag === "iframe";
  const route = findOnDemand(path, site);
  if (isLink && route !== undefined) {
    const kind = route.type === "redirect" ? "redirect that needs a server" : "route that is rendered on demand";
    return { code: "on-demand-link", message: `${address} leads to a ${kind}.` };
  }
  return isLink
    ? { code: "dangling-link", message: `Broken link: the built site has no ${address}.` }
    : { code: "missing-file", message: `<${tag}> refers to ${address}, which is missing from the built site.` };
}

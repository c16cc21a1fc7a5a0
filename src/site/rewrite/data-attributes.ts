import { parseJson } from "../../base/json.ts";
import { looksLikeAddress, replaceJsonStrings, replaceMarkup, replaceSrcset } from "../../html/address-texts.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { isData } from "./data-limits.ts";
import { lineOf, passWarnings, recordFact, useAssets, type AttributePlace, type PageDraft } from "./page-draft.ts";
import { namesNeighbors } from "./name-bases.ts";
import { isRelativeName } from "./names-in-data.ts";
import { isPattern, writeComputed } from "./patterns-in-data.ts";
import { isUnpublished } from "./script-asks.ts";
import { filesOfFolder } from "./script-folders.ts";
import type { ScriptPlace } from "./script-routes.ts";
import type { PlacedAsk } from "./scripts.ts";
import { rewriteStyleAttribute } from "./styles.ts";
import { absoluteLinkTo, findTarget, linkTo, placeFile } from "./targets.ts";

/** Attributes with the text of a copy button. */
const COPIED = new Set(["data-code", "data-clipboard-text"]);
/** Names of attributes whose markup is shown as it is. */
const SAMPLE = /code|copy|clip|snippet|source|raw|text/;

/**
 * Rewrites an attribute for scripts whose entire value is the address of a built file, or of a page if its name
 * indicates so, or that contains such addresses as JSON or as `url()` of CSS.
 */
export function rewriteDataAttribute(value: string, place: AttributePlace): string | undefined {
  const { element, draft, name } = place;
  if (COPIED.has(name)) return undefined;
  // Also declarations: `data-style="background-image: url(/photo.png)"`
  if (/^\s*(?:[\w-]+\s*:[^<>{}]*)?\burl\(/i.test(value)) return rewriteStyleAttribute(value, place);
  if (/^\s*[[{]/.test(value)) return rewriteJson(value, place);
  if (/<[a-z]/i.test(value)) return SAMPLE.test(name) ? undefined : placeMarkup(value, place);
  const list = replaceSrcset(value, (address) => placeImage(address, place));
  if (list !== undefined) return list;
  if (!/^(?:\/|https?:)[^\t\n\r<>"{}]*$/.test(value)) return askForName(value, place);
  const target = findTarget(draft, value);
  if (isForScripts(draft, target)) return askFor(value, place);
  if (target.kind === "file") return placeForScripts(value, target, place);
  if (target.kind === "missing") askForFolder(value, place);
  if (target.kind !== "page") return rewriteImageList(value, place);
  if (!/url|href|link/.test(name)) {
    // Only the page's scripts know whether it is an address, and they may navigate to it.
    if (value !== "/") recordFact(draft, "data-names-pages", name);
    return undefined;
  }
  // Absolute addresses are for others to open, such as the address behind a share button.
  return value.startsWith("/") ? linkTo(draft, element, target) : absoluteLinkTo(draft, target);
}

/**
 * Rewrites an attribute that HTML doesn't know and whose entire value names a file, from the root, or HTML that isn't a
 * page: `<redoc spec-url="/openapi.yaml">`, `<div include="/part.html">`.
 */
export function rewriteUnknownAttribute(value: string, place: AttributePlace): string | undefined {
  if (!/^\/(?!\/)[^\t\n\r<>"{}]*\.[a-z0-9]{2,11}(?:[?#]\S*)?$/i.test(value)) return undefined;
  const target = findTarget(place.draft, value);
  const isFile = target.kind === "file" || isForScripts(place.draft, target);
  return isFile ? rewriteDataAttribute(value, place) : undefined;
}

/** Rewrites the addresses of images in a list: `/one.png, /two.png`, `/one.png|/two.png`. */
function rewriteImageList(list: string, { element, draft }: DataPlace): string | undefined {
  if (!/[,|;]/.test(list)) return undefined;
  const rewritten = list.replace(/\/(?:[^\s,|;]| (?! ))*[^\s,|;]/g, (address, at: number) => {
    if (!/(?:^|[\s,|;])$/.test(list.slice(0, at))) return address;
    return placeImage(address, { element, draft }) ?? address;
  });
  return rewritten === list ? undefined : rewritten;
}

/** Rewrites images, files, and links to pages in HTML or Markdown that a text for scripts contains. */
export function placeMarkup(text: string, { element, draft }: DataPlace): string | undefined {
  return replaceMarkup(text, (address) => {
    const target = findTarget(draft, address);
    return isForScripts(draft, target) ? undefined : linkTo(draft, element, target);
  });
}

/** Places an image that a text for scripts names; `undefined` for any other address. */
export function placeImage(address: string, { element, draft }: DataPlace): string | undefined {
  const target = findTarget(draft, address);
  const isImage = target.kind === "file" && kindOf(contentTypeOf(target.path)) === "image";
  return isImage ? placeFile(draft, element, { ...target, optimize: "same-type" }) : undefined;
}

/**
 * Rewrites the address of an image in a value that scripts may read but readers or forms also use (`<meta content>`,
 * `<input value>`); that of data stays, and requests for it are redirected.
 */
export function rewriteValueForScripts(value: string, place: DataPlace): string | undefined {
  if (!/^\/(?!\/)\S+\.[a-z0-9]{2,11}$/i.test(value)) return undefined;
  const target = findTarget(place.draft, value);
  if (target.kind === "file" && isData(contentTypeOf(target.path))) return askFor(value, place);
  return placeImage(value, place);
}

function rewriteJson(json: string, place: AttributePlace): string | undefined {
  const { element, draft } = place;
  if (parseJson(json) === undefined) return undefined;
  const value = replaceJsonStrings(json, (text, key = "") => {
    const list = replaceSrcset(text, (address) => placeImage(address, place));
    const rewritten = list ?? placeMarkup(text, place);
    if (rewritten !== undefined) return rewritten;
    const target = looksLikeAddress(text) && !isPattern(text) ? findTarget(draft, text) : undefined;
    if (target === undefined) return askForName(text, place);
    if (isForScripts(draft, target)) return askFor(text, place);
    if (target.kind === "file") return placeForScripts(text, target, place);
    if (target.kind === "missing") return askForFolder(text, place);
    return target.kind === "page" && /url|href|link/i.test(key) ? linkTo(draft, element, target) : undefined;
  });
  return value === json ? undefined : value;
}

/** Places a file that a value for scripts names: what they fetch names further files. */
export function placeForScripts(
  address: string,
  target: Target & { readonly kind: "file" },
  place: DataPlace,
): string | undefined {
  const { draft, element } = place;
  const { context, page } = draft;
  const isRead = context.settings.placement.files === "library" && isData(contentTypeOf(target.path));
  const placed = isRead ? context.data.place(target.path, page.file) : undefined;
  // Other XML may be a feed, which readers open.
  const isFeed = placed?.refersToThem !== true && context.feeds.findAssets(target.path, page.file) !== undefined;
  if (placed === undefined || isFeed) return placeFile(draft, element, { ...target, optimize: "same-type" });
  if (namesNeighbors(placed)) return askFor(address, place);
  useAssets(draft, placed.assets);
  passWarnings(draft, placed.warnings ?? []);
  draft.asks.push(...(placed.named ?? []));
  if (placed.namesPages) recordFact(draft, "data-names-pages", target.path);
  return placed.address + (/#.*$/s.exec(target.suffix)?.[0] ?? "");
}

type DataPlace = Pick<AttributePlace, "element" | "draft">;

/** Treats an address like one in a script, which a request may be redirected from. */
function askFor(address: string, place: DataPlace, { isFetched = true } = {}): undefined {
  addAsk({ address, isComputed: false, isFetched, isJoined: true }, place);
}

/** Treats a folder of files like one in a script, which adds their names. */
export function askForFolder(path: string, place: DataPlace): undefined {
  const address = filesOfFolder(path, place.draft.context.site);
  if (address !== undefined) addAsk({ address, isComputed: true, isFetched: false, isGuess: true }, place);
}

/** Treats a relative name like one in a script: only the script knows what it is relative to. */
export function askForName(name: string, place: DataPlace): undefined {
  if (isPattern(name)) return askForPattern(name, place);
  if (!isRelativeName(name)) return;
  for (const address of [name, place.draft.context.site.base + name]) {
    const target = findTarget(place.draft, address);
    const kind = target.kind === "file" ? kindOf(contentTypeOf(target.path)) : undefined;
    if (kind === "image" || kind === "file") askFor(address, place, { isFetched: false });
  }
}

function askForPattern(pattern: string, place: DataPlace): undefined {
  const { draft } = place;
  if (/^https?:/i.test(pattern) && findTarget(draft, pattern).kind === "foreign") return;
  const address = writeComputed(pattern);
  const addresses = /^(?:https?:|\/)/i.test(pattern) ? [address] : [address, draft.context.site.base + address];
  for (const each of addresses) addAsk({ address: each, isComputed: true, isFetched: false }, place);
}

function addAsk(ask: Omit<PlacedAsk, keyof ScriptPlace>, { element, draft }: DataPlace): void {
  draft.asks.push({ ...ask, file: draft.page.file, line: lineOf(draft, element) ?? 1 });
}

/** Whether only scripts can use it: data that the library doesn't accept, or HTML that isn't a page. */
function isForScripts({ context: { settings } }: PageDraft, target: Target): boolean {
  if (target.kind === "file") return settings.placement.files === "keep" && isData(contentTypeOf(target.path));
  return target.kind === "page" && isUnpublished(target.page.route, settings);
}

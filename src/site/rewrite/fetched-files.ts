import { textDataAddress } from "../../html/placeholders.ts";
import { decodeComponent } from "../../base/decode-component.ts";
import { pluralize } from "../../base/pluralize.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltPage } from "../model.ts";
import type { RewriteContext } from "./context.ts";
import { placeAsset } from "./assets.ts";
import type { PlacedData } from "./data-files.ts";
import { areFew, describeTooMany, isData, isShown, MAX_INLINE_BYTES } from "./data-limits.ts";
import { listMatching, type Matching } from "./matching-files.ts";
import { joinImageParts } from "./image-parts.ts";
import { findScripts } from "./page-scripts.ts";
import { passWarnings, useAssets, type DraftWarning, type PageDraft } from "./page-draft.ts";
import { placeStyleSheet } from "./script-files.ts";
import { showAsk } from "./script-asks.ts";
import type { PlacedAsk, Script } from "./scripts.ts";

/**
 * Places the files that a page's scripts may request. Returns their addresses in the published page, by path below the
 * site's base.
 */
export function placeFetched(draft: PageDraft, scripts: readonly Script[]): Readonly<Record<string, string>> {
  const files = new Map<string, string>();
  const asks = scripts.flatMap((script) => [...script.asks, ...script.named]);
  // Without scripts, nothing reads addresses in attributes.
  const wanted = new Set(scripts.length === 0 ? [] : [...asks, ...draft.asks]);
  for (const ask of wanted) {
    for (const path of ask.isComputed ? findMatching(ask, draft) : findNamed(ask, draft)) {
      const placed = files.has(path) ? undefined : placePath(path, ask, draft);
      if (placed === undefined) continue;
      files.set(path, placed.address);
      for (const named of placed.named ?? []) wanted.add(named);
    }
  }
  const parts = scripts.map(({ imageParts }) => imageParts);
  for (const [path, file] of joinImageParts(parts, draft, (name) => pathOf(name, draft))) {
    if (files.has(path)) continue;
    const { address, assets } = placeAsset(file, { assets: draft.context.assets, usedIn: draft.page.file });
    useAssets(draft, assets);
    files.set(path, address);
  }
  const isImageLed = [...files.keys()].some((path) => kindOf(contentTypeOf(path)) === "image");
  if (isImageLed) warnOfStyles(draft, scripts);
  return Object.fromEntries([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Adds the modules in folders that a page's scripts name, if one of them imports from a folder in a variable. */
export function addModulesOfFolders(draft: PageDraft): void {
  const scripts = findScripts(draft);
  if (!scripts.some(({ importsByAddress }) => importsByAddress)) return;
  for (const ask of [...scripts.flatMap(({ asks }) => asks), ...draft.asks]) {
    if (!ask.isComputed || ask.isFetched) continue;
    for (const path of findMatching(ask, draft)) {
      if (kindOf(contentTypeOf(path)) !== "script") continue;
      draft.modules.add(path);
      draft.modulesByAddress.add(path);
    }
  }
}

function warnOfAsk({ file, line, isGuess }: PlacedAsk, draft: PageDraft, warning: DraftWarning): void {
  passWarnings(draft, [{ ...warning, ...(isGuess === true && { isNotice: true }), file, line }]);
}

/** The route map redirects what elements load, but not what styles show. */
function warnOfStyles(draft: PageDraft, scripts: readonly Script[]): void {
  const message =
    "A script builds the address of an image in a style, url(…). If the image belongs to the site, it won't be found where the page is published. Use style sheet classes, or show it with <img>.";
  const places = scripts.flatMap(({ computedStyle }) => computedStyle ?? []);
  passWarnings(
    draft,
    places.map((place) => ({ ...place, code: "computed-address", message, isNotice: true })),
  );
}

/** Paths are request paths: a file's own path is one, and `/part` may be that of `part.html`. */
function findNamed({ address, isFetched, startsWorker, isJoined }: PlacedAsk, draft: PageDraft): readonly string[] {
  const { addresses, settings } = draft.context;
  const target = draft.baseFile === undefined ? undefined : addresses.resolve(address, draft.baseFile);
  if (target?.kind === "file")
    return isFetched || startsWorker || isJoined || isData(contentTypeOf(target.path)) ? [target.path] : [];
  if (target?.kind !== "page" || settings.slugs.has(target.page.route)) return [];
  const path = pathOf(address, draft);
  return path === undefined ? [] : [path];
}

function pathOf(address: string, { context, baseFile }: PageDraft): string | undefined {
  const { addresses, site } = context;
  const url = URL.parse(address, addresses.ownAddress(baseFile ?? ""));
  if (url === null) return undefined;
  const path = decodeComponent(url.pathname);
  return path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1);
}

const matchings = new WeakMap<RewriteContext, Map<string, Matching>>();

function findMatching(ask: PlacedAsk, draft: PageDraft): readonly string[] {
  const { context } = draft;
  const path = pathOf(ask.address.replace(/[?#].*$/, ""), draft);
  if (path === undefined || !/[^*/.]/.test(path)) return [];
  const known = matchings.get(context) ?? new Map<string, Matching>();
  matchings.set(context, known);
  const key = `${path} ${ask.isFetched}`;
  const { named, kept } = known.get(key) ?? listMatching(path, ask, context);
  known.set(key, { named, kept });
  if (kept.length > 0) {
    const how = ask.isGuess === true ? "may build" : "builds";
    const message = `A script ${how} the address of ${kept[0]}, as ${showAsk(ask)}. The library of this service doesn't accept such files, so it won't be found where the page is published.`;
    warnOfAsk(ask, draft, { code: "computed-address", message });
  }
  if (areFew(named, ask, context)) return named;
  const files = pluralize(named.length, "file");
  const { why, advice } = describeTooMany(named, ask, context);
  const message =
    ask.isGuess === true
      ? `A script names a folder of ${files}, as ${showAsk(ask)}, ${why}: those whose addresses it builds won't be found. ${advice}`
      : `A script requests ${files}, as ${showAsk(ask)}, ${why}, so none of them will be found. ${advice}`;
  warnOfAsk(ask, draft, { code: "fetched-file", message });
  return [];
}

function placePath(path: string, ask: PlacedAsk, draft: PageDraft): Placed | undefined {
  const { context, page } = draft;
  const target = context.addresses.resolve(context.site.base + encodeURI(path), page.file);
  const placed =
    target.kind === "file"
      ? placeFile(target.path, ask, draft)
      : target.kind === "page"
        ? placePart(target.page, draft)
        : undefined;
  if (placed === undefined) {
    const kibibytes = MAX_INLINE_BYTES / 1024;
    const how = ask.isGuess === true ? "may request" : "requests";
    const message = `A script ${how} ${path}, which is larger than ${kibibytes} KiB: too large to embed in the page. Split it into smaller files.`;
    warnOfAsk(ask, draft, { code: "fetched-file", message });
    return undefined;
  }
  if (target.kind === "page") draft.contained.add(target.page.file);
  useAssets(draft, placed.assets);
  passWarnings(draft, placed.warnings ?? []);
  for (const { hash, kind } of placed.assets) if (kind === "file") draft.fetched.add(hash);
  return placed;
}

type Placed = Omit<PlacedData, "namesPages">;

function placeFile(path: string, ask: PlacedAsk, { context, page }: PageDraft): Placed | undefined {
  const usedIn = page.file;
  if (isShown(path, ask)) return placeAsset(path, { assets: context.assets, usedIn });
  const kind = kindOf(contentTypeOf(path));
  if (kind === "style" && !ask.isFetched) return placeStyleSheet(path, usedIn, context);
  if (kind === "script" && ask.startsWorker) return context.scripts.startWorker(path, usedIn);
  if (kind === "script" && !ask.isFetched) return context.scripts.addressOf(path, usedIn);
  return context.data.place(path, usedIn, ask.cutsNames);
}

/** Embeds HTML that isn't a page of its own in the page that requests it. */
function placePart(part: BuiltPage, draft: PageDraft): Placed | undefined {
  const { html, assets, warnings } = draft.context.rewritePart(part);
  passWarnings(draft, warnings);
  if (Buffer.byteLength(html) > MAX_INLINE_BYTES) return undefined;
  return { address: textDataAddress("text/html", html), assets };
}

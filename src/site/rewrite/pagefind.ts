import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sha256 } from "../../base/hash.ts";
import { listFirstNames } from "../../base/list-names.ts";
import type { Edit } from "../../html/edits.ts";
import { renderMarker } from "../../html/marker.ts";
import { bytesDataAddress, renderOriginsPlaceholder, renderPlaceholder } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { RewrittenPage, SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { isPublished } from "../read-site.ts";
import { explainTooLarge, findSearchIndex, isInLibrary, SEARCH_MODULE, type SearchIndex } from "../search-index.ts";
import type { RewriteContext } from "./context.ts";
import type { PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";
import type { RewriteTools } from "./text-context.ts";

/** The search of a site that is published with it. */
export interface CarriedSearch extends SearchIndex {
  /** Address of the page that contains the index. */
  readonly at: string;
  /** Path of the module that scripts import to search. */
  readonly module: string;
}

/** Finds the Pagefind search that published pages can use; `undefined` if there is none. */
export function findSearch({ site, settings }: Pick<RewriteTools, "site" | "settings">): CarriedSearch | undefined {
  const index = findSearchIndex(site);
  const slug = index === undefined ? undefined : settings.slugs.get(index.page.route);
  if (index === undefined || slug === undefined) return undefined;
  return { ...index, at: settings.pageHref(slug), module: `${index.folder}${SEARCH_MODULE}` };
}

/**
 * Whether a script uses Pagefind, which loads its index from a folder of the site by computed addresses. Bundlers keep
 * the folder's name, but not always the slashes around it.
 */
export function usesPagefind(text: string): boolean {
  return text.includes("/pagefind/") || text.includes("pagefind/pagefind.js");
}

/** Returns the warning about a script that searches although the search isn't published. */
export function warnOfSearch({ site, settings }: RewriteTools): Pick<SiteWarning, "code" | "message"> | undefined {
  if (findSearch({ site, settings }) !== undefined) return undefined;
  const index = findSearchIndex(site);
  const reason =
    index === undefined
      ? "the built site has no index for it; build the index before publishing"
      : `${explainTooLarge(index, settings.placement) ?? "its index exceeds the maximum page size of this service"}; index less of each page, or publish to a service whose library accepts any file`;
  return { code: "pagefind", message: `Pagefind search won't work where the page is published: ${reason}.` };
}

/** Adapts a Pagefind file so that it finds its index; returns any other text unchanged. */
export function adaptSearchScript(path: string, text: string, tools: RewriteTools): string {
  const search = findSearch(tools);
  if (search === undefined || !path.startsWith(search.folder)) return text;
  const address = JSON.stringify(`${tools.site.base}${path}`);
  const whole = JSON.stringify(tools.addresses.ownAddress(path));
  if (path !== search.module) return text.replaceAll(/\bdocument(?:\?\.|\.)currentScript\.src\b/g, whole);
  return isInLibrary(tools.settings.placement)
    ? adaptModule(text, address, { search, tools })
    : renderStub(text, { search, tools });
}

interface SearchPlace {
  readonly search: CarriedSearch;
  readonly tools: RewriteTools;
}

function adaptModule(text: string, address: string, place: SearchPlace): string {
  const own = text.replaceAll(/\bimport\.meta\.url\b/g, address);
  return `${openSearch(place)};const{fetch,Worker}=imprintOpened;${own}`;
}

function openSearch({ search, tools: { site } }: SearchPlace): string {
  const place = JSON.stringify({ at: search.at, folder: `${site.base}${search.folder}`, origin: site.origin });
  return `${readShim()};const imprintOpened=self.imprintSearch(${place})`;
}

/** Replaces the module in pages: loads it with the index when a reader searches. */
function renderStub(text: string, place: SearchPlace): string {
  const names = findExports(text).join(",");
  return `${openSearch(place)};export const{${names}}=await import((await imprintOpened.files())["${SEARCH_MODULE}"])`;
}

function findExports(text: string): readonly string[] {
  const list = /\bexport\s*\{([^}]*)\}\s*;?\s*$/.exec(text)?.[1] ?? "";
  return list.split(",").flatMap((each) => /(?:\bas\s+)?([\w$]+)\s*$/.exec(each)?.[1] ?? []);
}

let shim: string | undefined;

function readShim(): string {
  shim ??= readFileSync(new URL("./search-shim.js", import.meta.url), "utf8")
    .trim()
    .replace(/;$/, "");
  return shim;
}

/**
 * Redirects an import with a computed address to the search if it is the search's address. That original address can't
 * be in the import map, because it is relative to another host or a `data:` address.
 */
export function redirectComputedImports(
  places: readonly Pick<Edit, "start" | "end">[],
  { text, key, search }: { readonly text: string; readonly key: string; readonly search: CarriedSearch },
): readonly Edit[] {
  const path = `/${search.module}`.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const opening = `(a=>/${path}(?:[?#]|$)/.test(a)?${JSON.stringify(key)}:a)(`;
  // Published pages may be rewritten again.
  return places.flatMap(({ start, end }) =>
    text.startsWith(opening, start)
      ? []
      : [
          { start, end: start, text: opening },
          { start: end, end, text: ")" },
        ],
  );
}

const INDEX = "data-imprint-search";

/**
 * Renders the page that contains the search index, or the addresses of its files. It is for scripts and not itself
 * searchable.
 */
export function renderSearchPage(search: CarriedSearch, context: RewriteContext): RewrittenPage {
  const title = "Search index";
  const { files, assets, warnings } = collectFiles(search, context);
  const json = JSON.stringify(files).replaceAll("<", "\\u003C");
  const render = (marker: string): string =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8">${marker}<meta name="robots" content="noindex"><title>${title}</title></head>` +
    `<body><p>The search of this site reads its index here.</p><script type="application/json" ${INDEX}>${json}</script></body></html>`;
  const hash = sha256(render(""));
  return {
    html: render(renderMarker(hash)),
    hash,
    title,
    description: undefined,
    parts: [],
    hasRouteMap: false,
    assets,
    warnings,
  };
}

interface SearchFiles {
  /** Address of each file by its path below the folder; for other indexes of the site, by its full path. */
  readonly files: Readonly<Record<string, string>>;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

function collectFiles(search: CarriedSearch, context: RewriteContext): SearchFiles {
  const { site, settings } = context;
  const files: Record<string, string> = {};
  const assets: SiteAsset[] = [];
  const hidden: string[] = [];
  for (const path of search.files) {
    const fragment = path.endsWith(".pf_fragment") ? rewriteFragment(path, { search, context }) : undefined;
    const name = path.startsWith(search.folder) ? path.slice(search.folder.length) : site.base + path;
    if (fragment?.hides !== undefined) hidden.push(fragment.hides);
    if (isInLibrary(settings.placement)) {
      const asset = placeInLibrary(path, fragment, { search, context });
      assets.push(asset, ...(fragment?.images ?? []));
      files[name] = renderPlaceholder(asset.hash);
    } else {
      assets.push(...(fragment?.images ?? []));
      files[name] = fragment?.text ?? bytesDataAddress("", readFileSync(join(site.root, path)));
    }
  }
  if (!isInLibrary(settings.placement)) {
    const address = JSON.stringify(`${site.base}${search.module}`);
    const text = adaptModule(readSiteText(site.root, search.module), address, { search, tools: context });
    files[SEARCH_MODULE] = bytesDataAddress("text/javascript", Buffer.from(text));
  }
  return { files, assets, warnings: hidden.length === 0 ? [] : [warnOfHidden(hidden, search)] };
}

/** Their text in results is removed; only Pagefind itself could change which words lead to a result. */
function warnOfHidden(pages: readonly string[], search: CarriedSearch): SiteWarning {
  const names = listFirstNames(pages.toSorted(), 3);
  const message = `The search index contains pages that aren't published (${names}). Their text is left out, but their words are still found; build the index without them.`;
  return { code: "hidden-results", file: search.page.file, message };
}

interface IndexPlace {
  readonly search: CarriedSearch;
  readonly context: RewriteContext;
}

function placeInLibrary(path: string, fragment: Fragment | undefined, { search, context }: IndexPlace): SiteAsset {
  const usedIn = search.page.file;
  return fragment === undefined
    ? context.assets.fromFile(path, { usedIn, optimize: "never" })
    : context.assets.fromText(fragment.text, { path, kind: "file", assets: fragment.images, usedIn });
}

/** Replacement for the file with a page's search result, if it must differ from the build's. */
interface Fragment {
  /** Uncompressed, which Pagefind also reads. */
  readonly text: string;
  readonly images: readonly SiteAsset[];
  /** File of an unpublished page whose text it would show. */
  readonly hides?: string;
}

const SIGNATURE = "pagefind_dcd";

/** Results reference the image of their page by its old address, and contain the text of unpublished pages. */
function rewriteFragment(path: string, { search, context }: IndexPlace): Fragment | undefined {
  const { settings, site, addresses } = context;
  const found = readFragment(readFileSync(join(site.root, path)));
  if (found === undefined) return undefined;
  const target = addresses.resolve(found.url, "index.html");
  const { file, route } = target.kind === "page" ? target.page : { file: "index.html", route: "/" };
  const usedIn = search.page.file;
  if (target.kind === "page" && isPublished(target.page) && !settings.slugs.has(route)) {
    const empty = { url: "/", content: "", word_count: 0, filters: {}, meta: { title: "…" }, anchors: [] };
    return { text: SIGNATURE + JSON.stringify(empty), images: [], hides: file };
  }
  const image = typeof found.meta?.image === "string" ? addresses.resolve(found.meta.image, file) : undefined;
  if (image?.kind !== "file" || kindOf(contentTypeOf(image.path)) !== "image") return undefined;
  const asset = context.assets.fromFile(image.path, { usedIn, optimize: "any-type" });
  const meta = { ...found.meta, image: renderPlaceholder(asset.hash) };
  return { text: SIGNATURE + JSON.stringify({ ...found, meta }), images: [asset] };
}

interface ReadFragment {
  readonly url: string;
  readonly meta?: { readonly image?: unknown };
}

/** Reads what an index file contains about a page; `undefined` if it is in another format. */
function readFragment(bytes: Buffer): ReadFragment | undefined {
  try {
    const text = gunzipSync(bytes).toString();
    const found = JSON.parse(text.slice(text.startsWith(SIGNATURE) ? SIGNATURE.length : 0));
    return typeof found.url === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

interface PolicyNeed {
  readonly directive: string;
  readonly source: string;
}

/** Sources that a content security policy must allow for a page that searches. */
export function findSearchNeeds(draft: PageDraft): readonly PolicyNeed[] {
  const { context, page } = draft;
  const search = findSearch(context);
  if (search === undefined || !findScripts(draft).includes(context.scripts.fromFile(search.module, page.file)))
    return [];
  const origin = URL.parse(search.at)?.origin ?? "'self'";
  const [asset] = context.scripts.addressOf(search.module, page.file).assets;
  return [
    { directive: "connect-src", source: origin },
    ...(asset === undefined ? [] : [{ directive: "connect-src", source: renderOriginsPlaceholder([asset.hash]) }]),
    // On the site's own host, a worker without a policy searches.
    { directive: "script-src", source: "'wasm-unsafe-eval'" },
  ];
}

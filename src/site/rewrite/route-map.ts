import { readFileSync } from "node:fs";
import { foldRoute } from "../../contract/slug.ts";
import { findAttribute } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { isIndexFile } from "../address-book.ts";
import type { RewriteContext } from "./context.ts";
import { placeFetched } from "./fetched-files.ts";
import { findSearch } from "./pagefind.ts";
import { noteFact, type PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";

/**
 * What a page's scripts need to know to find the published pages: the rule by which routes became slugs, and the routes
 * that don't follow it. A rule, so that a new page doesn't change the map in all others.
 */
interface RouteMap {
  /** The site's own origin, of which whole addresses are led to the published pages as well. */
  readonly origin: string | undefined;
  /** The site's base path, with slashes at both ends. */
  readonly root: string;
  /** What stands before and after the slug in the address of a published page. */
  readonly before: string;
  readonly after: string;
  /** What every slug begins with. */
  readonly prefix: string;
  /** First folders of the routes that the rule is for; absent: of any. */
  readonly folders?: readonly string[];
  /** Slugs of routes that the rule doesn't give, by route without slashes at its ends. */
  readonly slugs: Readonly<Record<string, string>>;
}

// Beyond this many the list would weigh more than what it protects: addresses that another program of the host answers.
const MAX_FOLDERS = 200;

function createRouteMap(context: RewriteContext): RouteMap {
  const { origin, base } = context.site;
  const { slugs, pageHref } = context.settings;
  const named = [...slugs].map(([route, slug]) => ({ name: route.slice(1, -1), slug, rule: foldRoute(route) }));
  const prefix = findPrefix(named.flatMap(({ slug, rule }) => (rule.isExact ? [[slug, rule.slug]] : [])));
  const isRegular = ({ slug, rule }: (typeof named)[number]): boolean => rule.isExact && slug === prefix + rule.slug;
  const folders = [...new Set(named.filter(isRegular).map(({ name }) => name.split("/")[0] ?? ""))].toSorted();
  const [before = "", after = ""] = pageHref(SLUG_PLACE).split(SLUG_PLACE);
  return {
    origin,
    root: base,
    before,
    after,
    prefix,
    ...(folders.length > MAX_FOLDERS ? {} : { folders }),
    slugs: Object.fromEntries([
      ...named.filter((each) => !isRegular(each)).map(({ name, slug }) => [name, slug]),
      ...nameSearch(context),
    ]),
  };
}

/** Themes ask whether the search is there before they import it. */
function nameSearch(context: RewriteContext): readonly (readonly [string, string])[] {
  const search = findSearch(context);
  const slug = search && context.settings.slugs.get(search.page.route);
  return search === undefined || slug === undefined ? [] : [[search.module, slug]];
}

const SLUG_PLACE = "slug-of-the-page";

/** What most slugs have before what their route folds to. */
function findPrefix(pairs: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const [slug = "", folded = ""] of pairs) {
    if (!slug.endsWith(folded)) continue;
    const prefix = slug.slice(0, slug.length - folded.length);
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? "";
}

const MAP = "data-imprint-map";
const SHIM = "data-imprint-shim";

/** Whether an element was put into the page by an earlier run. */
export function isRouteMap(element: HtmlElement): boolean {
  return findAttribute(element, MAP) !== undefined || findAttribute(element, SHIM) !== undefined;
}

const maps = new WeakMap<RewriteContext, RouteMap>();

/**
 * Puts the map and the script that uses it into a page whose scripts name pages of the site, before all other scripts.
 * What such scripts lead to would else be an address that only the site's own host has.
 */
export function addRouteMap(draft: PageDraft, headStart: number): void {
  const { context, page } = draft;
  const scripts = findScripts(draft);
  const files = placeFetched(draft, scripts);
  const isNeeded =
    draft.kept.has("route-map") ||
    (draft.facts.has("data-names-pages") && scripts.length > 0) ||
    Object.keys(files).length > 0 ||
    scripts.some(({ needsMap }) => needsMap);
  if (!isNeeded) return;
  noteFact(draft, "route-map", page.file);
  if (Object.values(files).some((address) => address.startsWith("data:"))) noteFact(draft, "inline-data", page.file);
  const map = maps.get(context) ?? createRouteMap(context);
  maps.set(context, map);
  const json = JSON.stringify({ at: pathOf(page, context.site), ...map, files }).replaceAll("<", "\\u003C");
  const script = readShim();
  const offset = Number.isFinite(draft.scriptStart) ? Math.min(draft.scriptStart, headStart) : headStart;
  const text = `<script type="application/json" ${MAP}>${json}</script><script ${SHIM}>${script}</script>`;
  draft.edits.push({ start: offset, end: offset, text });
  draft.inlineTexts.push({ directive: "script-src", text: script });
}

/** The path that a page has on the site's own host: `/about` for `about.html`, mostly `/about/` for `about/index.html`. */
function pathOf({ route, file }: PageDraft["page"], { base, isWithoutSlashes }: RewriteContext["site"]): string {
  const path = base + route.slice(1);
  return isIndexFile(file) && !isWithoutSlashes ? path : path.replace(/(?<=.)\/$/, "");
}

let shim: string | undefined;

/** The script that leads what other scripts do to the published pages. */
function readShim(): string {
  shim ??= readFileSync(new URL("./route-shim.js", import.meta.url), "utf8").trim();
  return shim;
}

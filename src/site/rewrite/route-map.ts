import { readFileSync } from "node:fs";
import { onceEach } from "../../base/once-each.ts";
import { foldRoute } from "../../contract/slug.ts";
import { findAttribute } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { isIndexFile } from "../address-book.ts";
import { mostFrequent } from "../page-head.ts";
import type { RewriteContext } from "./context.ts";
import { warnOfElementLookups } from "./element-lookups.ts";
import { addModulesOfFolders, placeFetched } from "./fetched-files.ts";
import { findSearch } from "./pagefind.ts";
import { recordFact, type PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";
import { warnOfSentForms } from "./sent-forms.ts";

/**
 * What a page's scripts need to find the published pages: the rule that converts routes to slugs, and the routes that
 * don't follow it. With a rule, a new page doesn't change the map in all others.
 */
interface RouteMap {
  /** The site's own origin, whose absolute addresses are also redirected to the published pages. */
  readonly origin: string | undefined;
  /** The site's base path, with leading and trailing slashes. */
  readonly root: string;
  /** The parts before and after the slug in the address of a published page. */
  readonly before: string;
  readonly after: string;
  /** Prefix of every slug. */
  readonly prefix: string;
  /** First folders of the routes that the rule applies to; absent: all. */
  readonly folders?: readonly string[];
  /** Slugs of routes that don't follow the rule, by route without leading and trailing slashes. */
  readonly slugs: Readonly<Record<string, string>>;
}

// Beyond this, the list would cost more than it protects: addresses served by another program on the host.
const MAX_FOLDERS = 200;

const findRouteMap = onceEach((context: RewriteContext): RouteMap => {
  const { origin, base } = context.site;
  const { slugs, pageHref } = context.settings;
  const named = [...slugs].map(([route, slug]) => ({ name: route.slice(1, -1), slug, rule: foldRoute(route) }));
  const followers = named.filter(({ slug, rule }) => rule.isExact && slug.endsWith(rule.slug));
  const prefix = mostFrequent(followers.map(({ slug, rule }) => slug.slice(0, slug.length - rule.slug.length))) ?? "";
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
});

/** Themes check whether the search exists before they import it. */
function nameSearch(context: RewriteContext): readonly (readonly [string, string])[] {
  const search = findSearch(context);
  const slug = search && context.settings.slugs.get(search.page.route);
  return search === undefined || slug === undefined ? [] : [[search.module, slug]];
}

const SLUG_PLACE = "slug-of-the-page";

const MAP = "data-imprint-map";
const SHIM = "data-imprint-shim";

/** Whether an element was added to the page by an earlier run. */
export function isRouteMap(element: HtmlElement): boolean {
  return findAttribute(element, MAP) !== undefined || findAttribute(element, SHIM) !== undefined;
}

/**
 * Adds the map and the script that uses it to a page whose scripts reference pages of the site, before all other
 * scripts. Otherwise such scripts would use addresses that only the site's own host has.
 */
export function addRouteMap(draft: PageDraft, headStart: number): void {
  const { context, page } = draft;
  addModulesOfFolders(draft);
  const scripts = findScripts(draft);
  const files = placeFetched(draft, scripts);
  warnOfSentForms(draft, scripts);
  warnOfElementLookups(draft, scripts);
  const isNeeded =
    draft.kept.has("route-map") ||
    (draft.facts.has("data-names-pages") && scripts.length > 0) ||
    Object.keys(files).length > 0 ||
    scripts.some(({ needsMap }) => needsMap);
  if (!isNeeded) return;
  recordFact(draft, "route-map", page.file);
  if (Object.values(files).some((address) => address.startsWith("data:"))) recordFact(draft, "inline-data", page.file);
  const json = JSON.stringify({
    at: pathOf(page, context.site),
    ...baseOf(draft),
    ...findRouteMap(context),
    files,
  }).replaceAll("<", "\\u003C");
  const script = readShim();
  const offset = Number.isFinite(draft.scriptStart) ? Math.min(draft.scriptStart, headStart) : headStart;
  const text = `<script type="application/json" ${MAP}>${json}</script><script ${SHIM}>${script}</script>`;
  draft.edits.push({ start: offset, end: offset, text });
  draft.inlineTexts.push({ directive: "script-src", text: script });
}

/** The path of a page on the site's own host: `/about` for `about.html`, usually `/about/` for `about/index.html`. */
function pathOf({ route, file }: PageDraft["page"], { base, isWithoutSlashes }: RewriteContext["site"]): string {
  const path = base + route.slice(1);
  return isIndexFile(file) && !isWithoutSlashes ? path : path.replace(/(?<=.)\/$/, "");
}

/** What the page's relative addresses are relative to, if a `<base>` says so. */
function baseOf({ baseFile, page, context }: PageDraft): { readonly base?: string } {
  return baseFile === undefined || baseFile === page.file ? {} : { base: context.site.base + encodeURI(baseFile) };
}

let shim: string | undefined;

/** The script that redirects the actions of other scripts to the published pages. */
function readShim(): string {
  shim ??= readFileSync(new URL("./route-shim.js", import.meta.url), "utf8").trim();
  return shim;
}

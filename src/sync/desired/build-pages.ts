import { setImmediate as nextTurn } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, SiteAsset, SiteWarning } from "../../site/model.ts";
import { openPageCache, pageCacheKey } from "../../site/page-cache.ts";
import { namingOf, planSlugs } from "../../site/slugs.ts";
import { desirePage, type DesiredPage } from "../desired.ts";
import type { MadePages, MakeContext } from "./make-pages.ts";
import type { HostFindings } from "./build-desired.ts";
import { decidePlacement } from "./placement.ts";
import type { Lock } from "../lock.ts";
import { findPreviewName, previewSlug } from "../preview-name.ts";
import type { Run } from "../run.ts";

export interface PagesContext {
  readonly run: Run;
  readonly host: Pick<HostFindings, "addresses" | "library">;
  readonly published: readonly BuiltPage[];
  readonly slugs: ReadonlyMap<string, string>;
  readonly heldPages: NonNullable<RewriteSettings["heldPages"]>;
}

export interface DesiredPages {
  readonly pages: readonly DesiredPage[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Rewrites every published page that changed, within the size that the service takes. */
export async function desirePages(built: BuiltSite, context: PagesContext): Promise<DesiredPages> {
  const { published, slugs, run, host } = context;
  const { projectRoot, preview, dryRun, logger, onStep } = run.request;
  const { library } = host;
  const maxPageBytes = run.capabilities.limits["maxPageBytes"];
  const settings = rewriteSettings(context);
  const canLinkStyles = library.styles.kind === "served";
  const key = await pageCacheKey(built, { ...settings, maxPageBytes, canLinkStyles });
  // Previews have a cache of their own, so that the pages of the live site stay remembered.
  const cache = openPageCache({ projectRoot, name: preview === undefined ? "pages" : "preview pages", logger }, key);
  const openMade = createOpener(built, { settings, library, maxPageBytes });
  const pages: DesiredPage[] = [];
  const assets = new Map<string, SiteAsset>();
  const warnings: SiteWarning[] = built.onDemand.map(onDemandWarning);
  const isNews = createNewsFilter();
  for (const [done, page] of published.entries()) {
    if (done % PAGES_IN_A_ROW === 0) {
      onStep({ kind: "pages", count: { done, total: published.length } });
      await nextTurn();
    }
    const facts = cache.find(page) ?? (await openMade()).make(page);
    cache.note(page, facts);
    for (const asset of facts.assets) if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
    warnings.push(...facts.warnings.filter((warning) => isNews(warning, page)));
    const place = { slug: slugs.get(page.route) ?? "", route: page.route, file: page.file };
    pages.push(desirePage(facts, { ...place, render: async () => (await openMade()).take(page) }));
  }
  if (!dryRun) cache.save();
  return { pages, assets: [...assets.values()], warnings: warnings.map(withoutScope) };
}

function withoutScope(warning: SiteWarning): SiteWarning {
  const { of: _, ...rest } = warning;
  return rest;
}

/** Keeps what was not reported before. What is wrong with a file of the site every page that uses it says. */
function createNewsFilter(): (warning: SiteWarning, page: BuiltPage) => boolean {
  const reported = new Set<string>();
  return ({ of, file, line, message }, page) => {
    if (of !== "site") return true;
    const key = file === page.file ? message : `${file}:${line ?? 0} ${message}`;
    if (reported.has(key)) return false;
    reported.add(key);
    return true;
  };
}

// The parsers take longer to load than a run in which nothing changed has to take.
function createOpener(built: BuiltSite, context: MakeContext): () => Promise<MadePages> {
  let made: Promise<MadePages> | undefined;
  return () => {
    made ??= import("./make-pages.ts").then(({ createMadePages }) => createMadePages(built, context));
    return made;
  };
}

// Between them the terminal and the signals of the process get their turn.
const PAGES_IN_A_ROW = 25;

function onDemandWarning(pattern: string): SiteWarning {
  const message = "The page is made by a server when it is asked for and can't be published; prerender it to have it.";
  return { code: "on-demand-page", file: pattern, message };
}

function rewriteSettings({ slugs, run, host, heldPages }: PagesContext): RewriteSettings {
  const { placement } = decidePlacement(host.library);
  const { href, written } = host.addresses;
  const pageUrl = written("") === undefined ? undefined : (slug: string) => written(slug) ?? href(slug);
  return { slugs, pageHref: href, pageUrl, placement, noindex: run.request.preview !== undefined, heldPages };
}

export interface NamingContext {
  readonly options: Pick<Options, "slugs">;
  /** Longest slug that the host takes, where that is known. */
  readonly maxSlugLength: number | undefined;
  /** What stands between the words of slugs, where that is not a hyphen. */
  readonly slugSeparator?: "_" | undefined;
  readonly lock: Lock;
  /** Name of the preview that the pages are published as. */
  readonly preview: string | undefined;
}

/**
 * The slug of every page by route. A preview takes those that the live site has, or would get, behind its name.
 *
 * @throws ImprintError as `planSlugs` does, and `SLUG_INVALID` for a live page that wants the slug of a preview: a later
 * run would take it for one
 */
export function namePages(
  pages: readonly BuiltPage[],
  { options, lock, preview, maxSlugLength, slugSeparator }: NamingContext,
): ReadonlyMap<string, string> {
  const routes = pages.map((page) => page.route);
  const locked = new Map(Object.entries(lock.slugs).map(([route, slug]) => [route, slug.replaceAll("_", "-")]));
  const { slugs } = planSlugs(routes, { ...namingOf(options), locked, maxLength: maxSlugLength });
  for (const [route, slug] of slugs) {
    if (findPreviewName(slug) === undefined) continue;
    throw new ImprintError("SLUG_INVALID", `The slug "${slug}" of the page ${route} has the form of a preview's.`, {
      hint: "Give the page another slug in the `slugs` option: those that begin like preview-name-- are kept for previews.",
    });
  }
  const named = preview === undefined ? slugs : mapSlugs(slugs, (slug) => previewSlug(preview, slug));
  return slugSeparator === undefined ? named : mapSlugs(named, (slug) => slug.replaceAll("-", slugSeparator));
}

function mapSlugs(slugs: ReadonlyMap<string, string>, map: (slug: string) => string): ReadonlyMap<string, string> {
  return new Map([...slugs].map(([route, slug]) => [route, map(slug)]));
}

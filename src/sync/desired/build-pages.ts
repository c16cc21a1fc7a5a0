import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { Options } from "../../options/schema.ts";
import type {
  BuiltPage,
  BuiltSite,
  RewriteSettings,
  SiteAsset,
  SiteWarning,
  UnfollowedLink,
} from "../../site/model.ts";
import { openPageCache, pageCacheKey, type PageCache } from "../../site/page-cache.ts";
import { namingOf, planSlugs, planSpareSlugs, type MovedSlug } from "../../site/slugs.ts";
import { desirePage, type DesiredPage } from "../desired.ts";
import type { MadePages, MakeContext } from "./make-pages.ts";
import type { HostFindings } from "./build-desired.ts";
import { describeTarget, type ExtraPages } from "./extra-pages.ts";
import type { HeldSite } from "../../posts/local/held-pages.ts";
import type { PageAddresses } from "./page-addresses.ts";
import { decidePlacement } from "./placement.ts";
import type { Lock } from "../lock.ts";
import { findPreviewName } from "../../contract/slug.ts";
import { previewSlug } from "../preview-name.ts";
import type { Run } from "../run.ts";

export interface PagesContext {
  readonly run: Run;
  readonly host: Pick<HostFindings, "addresses" | "library">;
  readonly published: readonly BuiltPage[];
  readonly slugs: ReadonlyMap<string, string>;
  readonly held: Pick<HeldSite, "links" | "blockedPages" | "blockedFiles">;
  /** Targets of pages that only redirect, by route. */
  readonly redirects: ExtraPages["targets"];
}

export interface DesiredPages {
  readonly pages: readonly DesiredPage[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Rewrites every published page that changed, within the service's size limit. */
export async function desirePages(built: BuiltSite, context: PagesContext): Promise<DesiredPages> {
  const { published, slugs, redirects, run, host, held } = context;
  const { projectRoot, preview, dryRun, logger, onStep } = run.request;
  const { library } = host;
  const maxPageBytes = run.capabilities.limits["maxPageBytes"];
  const settings = rewriteSettings(context);
  const canLinkStyles = library.styles.kind === "served";
  const key = pageCacheKey(built, { ...settings, maxPageBytes, canLinkStyles });
  // Previews have a separate cache, so that the live site's pages stay cached.
  const name = preview === undefined ? "pages" : "preview pages";
  const { cache, openMade } = openWork(built, key, () => ({
    cache: openPageCache({ projectRoot, name, logger }, key),
    openMade: createOpener(built, { settings, library, maxPageBytes, texts: run.texts }),
  }));
  const pages: DesiredPage[] = [];
  const assets = new Map<string, SiteAsset>();
  const uses = new Map<string, number>();
  const contained = new Set<string>();
  const warnings: SiteWarning[] = [...built.onDemand.map(onDemandWarning), ...built.links.map(linkWarning)];
  const isNews = createNewsFilter();
  for (const [done, page] of published.entries()) {
    if (done % PAGES_IN_A_ROW === 0) {
      onStep({ kind: "pages", count: { done, total: published.length } });
      await nextTurn();
    }
    const facts = cache.find(page) ?? (await (await openMade()).make(page));
    cache.note(page, facts);
    for (const asset of facts.assets) {
      if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
      uses.set(asset.hash, (uses.get(asset.hash) ?? 0) + 1);
    }
    for (const part of facts.contained ?? []) contained.add(part);
    warnings.push(...facts.warnings.filter((warning) => isNews(warning, page)));
    const { route, file } = page;
    const target = redirects.get(route);
    const redirect = target && { redirect: { kind: "built", to: describeTarget(target, page) } as const };
    const onHold = held.blockedPages.get(route);
    const place = { slug: slugs.get(route) ?? "", route, file, ...redirect, ...(onHold && { onHold }) };
    pages.push(desirePage(facts, { ...place, render: async () => await (await openMade()).read(page) }));
  }
  warnings.push(...findLeftOut(built, { assets, contained }).map(partialWarning));
  if (!dryRun) cache.save();
  const counted = [...assets.values()].map((asset) => withUses(asset, uses.get(asset.hash) ?? 1));
  return { pages, assets: counted, warnings: warnings.map(withoutScope) };
}

function withoutScope(warning: SiteWarning): SiteWarning {
  const { of: _, ...rest } = warning;
  return rest;
}

/** Drops repeated warnings: each page that uses a file of the site would report its problems. */
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

interface PageWork {
  readonly cache: PageCache;
  readonly openMade: () => Promise<MadePages>;
}

const work = new WeakMap<BuiltSite, PageWork & { readonly key: string }>();

// Planning again after the first page on a host usually results in the same pages.
function openWork(built: BuiltSite, key: string, open: () => PageWork): PageWork {
  const known = work.get(built);
  if (known?.key === key) return known;
  const opened = { ...open(), key };
  work.set(built, opened);
  return opened;
}

// Loading the parsers takes longer than a whole run in which nothing changed.
function createOpener(built: BuiltSite, context: MakeContext): () => Promise<MadePages> {
  let made: Promise<MadePages> | undefined;
  return () => {
    made ??= import("./make-pages.ts").then(({ createMadePages }) =>
      createMadePages(withoutFiles(built, context.settings.heldFiles), context),
    );
    return made;
  };
}

/** Removes files from a site, so that nothing can link to them or inline them. */
function withoutFiles(built: BuiltSite, paths: readonly string[] = []): BuiltSite {
  return paths.length === 0
    ? built
    : { ...built, files: new Map([...built.files].filter(([path]) => !paths.includes(path))) };
}

// After so many pages, the terminal and signals are handled.
const PAGES_IN_A_ROW = 25;

function onDemandWarning({ pattern, type }: BuiltSite["onDemand"][number]): SiteWarning {
  const message =
    type === "redirect"
      ? "The redirect needs a server, because the build doesn't show all of its addresses. List each address in `redirects`."
      : "The route is rendered on demand, so it can't be published. Prerender it, or run it on a server.";
  return { code: "on-demand-page", file: pattern, message };
}

function withUses(asset: SiteAsset, pages: number): SiteAsset {
  return pages === 1 ? asset : { ...asset, otherPages: pages - 1 };
}

/** Finds HTML fragments that no page loads. */
function findLeftOut(
  { pages }: BuiltSite,
  { assets, contained }: { readonly assets: ReadonlyMap<string, SiteAsset>; readonly contained: ReadonlySet<string> },
): readonly BuiltPage[] {
  const loaded = new Set(Array.from(assets.values(), ({ name }) => name));
  return pages.filter(({ kind, file }) => kind === "partial" && !contained.has(file) && !loaded.has(basename(file)));
}

function partialWarning({ file, template }: BuiltPage): SiteWarning {
  const message =
    template === undefined
      ? "This file has neither a doctype nor an <html> element, so it is not published as a page. If it is one, begin it with <!doctype html>."
      : `This HTML fragment, from ${template}, is not published, because no page contains its complete address. If a script loads it, write the complete address in the script.`;
  return { code: "partial-page", file, message, isNotice: true };
}

function linkWarning({ path, why }: UnfollowedLink): SiteWarning {
  const message = `This symbolic link is not published, because ${why}. Replace it with a copy of its target.`;
  return { code: "symbolic-link", file: path, message };
}

function rewriteSettings({ slugs, run, host, held }: PagesContext): RewriteSettings {
  const { placement } = decidePlacement(host.library);
  const { href } = host.addresses;
  const pageUrl = findPageUrl(host.addresses);
  const noindex = run.request.preview !== undefined;
  const heldFiles = held.blockedFiles.size === 0 ? {} : { heldFiles: [...held.blockedFiles.keys()] };
  return { slugs, pageHref: href, pageUrl, placement, noindex, heldPages: held.links, ...heldFiles };
}

/** Returns a function for absolute addresses in pages; `undefined` if they are unknown. */
export function findPageUrl({ href, written }: PageAddresses): RewriteSettings["pageUrl"] {
  return written("") === undefined ? undefined : (slug) => written(slug) ?? href(slug);
}

export interface NamingContext {
  readonly options: Pick<Options, "slugs">;
  /** Longest slug that the host accepts, if known. */
  readonly maxSlugLength: number | undefined;
  /** Separator of the words in slugs, if it isn't a hyphen. */
  readonly slugSeparator?: "_" | undefined;
  /** Whether slugs can't have two hyphens in a row. */
  readonly slugHyphens?: "single" | undefined;
  readonly lock: Lock;
  /** Name of the preview, if it is one. */
  readonly preview: string | undefined;
}

export interface NamedPages {
  /** Slug by route of every page, including redirects and 404 pages. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Pages whose slug was changed in the options; none in previews. */
  readonly moved: readonly MovedSlug[];
}

/**
 * Assigns a slug to every page, by route. A preview prefixes the slugs of the live site with its name. Redirects and
 * 404 pages get the remaining slugs.
 *
 * @throws ImprintError those of `planSlugs`, and `SLUG_INVALID` for a live page with the slug of a preview, which a
 * later run would mistake for one
 */
export function namePages(
  { pages, beside }: { readonly pages: readonly BuiltPage[]; readonly beside: readonly BuiltPage[] },
  { options, lock, preview, maxSlugLength, slugSeparator, slugHyphens }: NamingContext,
): NamedPages {
  const routes = pages.map((page) => page.route);
  const locked = new Map(Object.entries(lock.slugs).map(([route, slug]) => [route, slug.replaceAll("_", "-")]));
  const rules = { ...namingOf(options), maxLength: maxSlugLength };
  const own = planSlugs(routes, { ...rules, locked });
  const others = beside.map((page) => page.route);
  const slugs = new Map([...own.slugs, ...planSpareSlugs(others, { ...rules, locked, taken: own.slugs.values() })]);
  for (const [route, slug] of slugs) {
    if (findPreviewName(slug) === undefined) continue;
    throw new ImprintError(
      "SLUG_INVALID",
      `The slug "${slug}" of the page ${route} looks like the slug of a preview.`,
      {
        hint: "Give the page another slug in the `slugs` option: slugs that begin with preview-<name>-- are reserved for previews.",
      },
    );
  }
  const name = (slug: string): string => {
    const preferred = { maxLength: maxSlugLength, hyphens: slugHyphens };
    const named = preview === undefined ? slug : previewSlug(preview, slug, preferred);
    return slugSeparator === undefined ? named : named.replaceAll("-", slugSeparator);
  };
  const moved = own.moved.map(({ route, from, to }) => ({ route, from: name(from), to: name(to) }));
  return {
    slugs: new Map([...slugs].map(([route, slug]) => [route, name(slug)])),
    moved: preview === undefined ? moved : [],
  };
}

import { slug as slugOf } from "github-slugger";
import picomatch from "picomatch";
import type { LibraryFindings } from "../../client/library-findings.ts";
import { isSlug } from "../../contract/slug.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import { findSearchPage } from "../../site/search-index.ts";
import { isPublished } from "../../site/read-site.ts";
import { findExtraPages, type ExtraPages } from "./extra-pages.ts";
import { desireFormerPages, findFormerSlugs, type FormerSlugs } from "./renamed-pages.ts";
import { commonTitlePart } from "../../base/title.ts";
import { collectAssets, desirePage, type Desired, type DesiredPage, type DesiredSite } from "../desired.ts";
import type { Lock } from "../lock.ts";
import { NONE_HELD, reasonOfHold, type HeldPage, type HeldSite } from "../../posts/local/held-pages.ts";
import { recallBrand } from "../brand/memory.ts";
import type { DesiredBrand } from "../brand/desired-brand.ts";
import { desirePages, type DesiredPages, findPageUrl, namePages } from "./build-pages.ts";
import { desireBlog } from "../../posts/local/desire-blog.ts";
import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import type { TemplateSources } from "../../posts/local/hold-pages.ts";
import type { PageAddresses } from "./page-addresses.ts";
import { decidePlacement } from "./placement.ts";
import type { Run } from "../run.ts";
import { describeRootFiles } from "./root-files.ts";
import { describeUnmatchedOptions } from "./unmatched-options.ts";
import { buildPosts } from "./build-posts.ts";
import { findDoubtfulPages, rememberPostPages } from "../../posts/local/post-places.ts";

/** What has to be known about the host before the desired state can be computed. */
export interface HostFindings {
  readonly addresses: PageAddresses;
  /** Which kinds of files pages can load from the library. */
  readonly library: LibraryFindings;
  /** Why images of posts can't be sent, by hash. */
  readonly brokenImages: ReadonlyMap<string, string> | undefined;
}

export interface DesiredRun {
  readonly desired: Desired;
  /** Slug of the home page; `undefined` in a run of posts only. */
  readonly home: string | undefined;
  /** The posts as in their files. */
  readonly local: DesiredPosts;
  /** Pages of the built site that are omitted because their posts are not published. */
  readonly heldPages: readonly HeldPage[];
  /** Hashes of images that only posts use. */
  readonly postImages: ReadonlySet<string>;
  /** Slug by route, for the lock file. */
  readonly slugs: Readonly<Record<string, string>>;
  /** Routes of pages that were created for posts, for the lock file. */
  readonly postPages: Lock["postPages"];
  /** Slugs that pages had before they were renamed, for the lock file. */
  readonly redirects: Lock["redirects"];
  readonly addresses: PageAddresses;
}

/** Computes everything that should be on the service: pages, assets, posts and the brand kit. */
export async function buildDesired(asked: Run, host: HostFindings): Promise<DesiredRun> {
  const run = asked.request.preview === undefined ? asked : forPreview(asked);
  const { projectRoot, options, preview, only } = run.request;
  const { lock } = run.memory;
  const built = run.built === undefined ? withoutPages(options) : await buildSitePages(run.built, { run, host });
  const { pages, site, held, brand } = built;
  const siteSlugs = run.built === undefined ? undefined : built.slugs;
  const { posts, placed } = await buildPosts(run, { ...host, siteSlugs, parsed: held.parsed });
  const others = new Set([...built.assets, ...brand.assets].map(({ hash }) => hash));
  const images = posts.posts.flatMap((post) => post.assets.map(({ hash }) => hash));
  const templates = { held, built: run.built, projectRoot, options };
  const made = new Set(Object.values(placed.slugs));
  return {
    desired: {
      preview,
      only,
      site,
      pages: [
        ...pages.filter(({ slug, redirect }) => redirect === undefined || !made.has(slug)),
        ...placed.pages.map(({ page, ...place }) => desirePage(page, place)),
      ],
      doubtfulPages: findDoubtfulPages(lock, posts.held),
      heldPages: findHeldSlugs(held.pages, lock),
      blockedFiles: held.blockedFiles,
      assets: collectAssets([built.assets, placed.assets, ...placed.posts.map((post) => post.assets), brand.assets]),
      blog: await desireBlog(run.request, { siteName: site.name, ledgers: lock.posts, local: posts }),
      posts: placed.posts,
      brandKit: brand.kit,
      warnings: [
        ...(await nameSources(built.warnings, templates)),
        ...posts.warnings,
        ...brand.warnings,
        ...(run.built === undefined
          ? []
          : describeUnmatchedOptions(run.built, options, [...(lock.postPages ?? []), ...Object.keys(placed.slugs)])),
        ...(run.built === undefined ? [] : describeRootFiles(run.built)),
      ],
    },
    home: site.homeSlug,
    local: posts,
    heldPages: held.pages,
    postImages: new Set(images.filter((hash) => !others.has(hash))),
    slugs: withEntries(lock.slugs, [...built.slugs, ...Object.entries(placed.slugs)]),
    postPages: rememberPostPages(lock, { made: placed.slugs, siteSlugs: built.slugs }),
    redirects: built.redirects ?? lock.redirects,
    addresses: host.addresses,
  };
}

// Creating a record of thousands takes milliseconds, and spreading others takes longer.
function withEntries(
  record: Readonly<Record<string, string>>,
  entries: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const isSame = entries.every(([name, value]) => record[name] === value);
  return isSame ? record : Object.fromEntries([...Object.entries(record), ...entries]);
}

interface SitePages extends DesiredPages {
  readonly site: DesiredSite;
  /** Slugs of the site's pages, by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** `undefined` if unchanged. */
  readonly redirects: FormerSlugs | undefined;
  readonly held: HeldSite;
  readonly brand: DesiredBrand;
}

/** For a run of posts only. */
function withoutPages({ site }: Options): SitePages {
  const name = site.name ?? "Blog";
  return {
    site: { name, slug: "site", isNamed: false, hasFixedName: true },
    slugs: new Map(),
    redirects: undefined,
    pages: [],
    assets: [],
    warnings: [],
    held: NONE_HELD,
    brand: { kit: undefined, assets: [], warnings: [] },
  };
}

interface SiteContext {
  readonly run: Run;
  readonly host: HostFindings;
}

/** Builds the brand and the pages of the built site, except those of posts that are not published. */
async function buildSitePages(built: BuiltSite, { run, host }: SiteContext): Promise<SitePages> {
  const { projectRoot, options, preview, dryRun, logger, onStep } = run.request;
  const { api, dialect, memory, pinnedLogos } = run;
  const { library } = host;
  const isWanted = notExcluded(options);
  const candidates = built.pages.filter((page) => isPublished(page)).filter(isWanted);
  const held = await holdSitePages({ built, candidates }, run);
  const published = candidates.filter(({ route }) => !(route in held.links));
  const isOwnService = api.capabilities.account !== undefined;
  const notFound = isOwnService ? "shown" : (dialect.notFoundPage ?? "reported");
  const extra = findExtraPages(built, { isWanted, published, notFound });
  const maxPageBytes = run.capabilities.limits["maxPageBytes"];
  const search = findSearchPage(built, { placement: decidePlacement(library).placement, maxPageBytes });
  // The page of the search index isn't a route of the site, so it isn't in the lock file.
  const beside = search === undefined ? extra.pages : [...extra.pages, search];
  const names = namePages(
    { pages: published, beside },
    {
      options,
      lock: memory.lock,
      preview,
      maxSlugLength: api.dialect.slugMaxLength,
      slugSeparator: dialect.slugSeparator ?? api.dialect.slugSeparator,
      slugHyphens: dialect.slugHyphens ?? api.dialect.slugHyphens,
    },
  );
  const pages = await desirePages(built, {
    run,
    host,
    published: [...published, ...beside],
    slugs: names.slugs,
    held,
    redirects: extra.targets,
  });
  const redirects = await findFormerSlugs(built, {
    ...{ run, published, names, pages: pages.pages },
    ...{ targets: extra.targets, held: held.links },
  });
  const former = desireFormerPages(redirects, {
    pages: pages.pages,
    pageHref: host.addresses.href,
    pageUrl: findPageUrl(host.addresses),
  });
  const slugs = new Map(published.map(({ route }) => [route, names.slugs.get(route) ?? ""]));
  const asksForBase = api.capabilities.account?.capabilities["sites.basePath"] === true;
  const basePath = asksForBase && built.base !== "/" ? built.base.slice(0, -1) : undefined;
  const site = desireHome(pages.pages, { options, targets: extra.targets, basePath });
  if (options.brandKit !== false) onStep({ kind: "brand-kit" });
  const { href: pageHref } = host.addresses;
  const brandContext = {
    slugs,
    pageHref,
    projectRoot,
    options,
    dryRun,
    logger,
    library,
    pinnedLogos,
    published,
    siteName: site.name,
  };
  return {
    ...pages,
    pages: [...pages.pages, ...former],
    warnings: [...pages.warnings, ...extra.warnings],
    site,
    slugs,
    redirects,
    held,
    brand: await recallBrand(built, brandContext),
  };
}

// A site without posts doesn't load the code that reads them.
async function holdSitePages(
  pages: { readonly built: BuiltSite; readonly candidates: readonly BuiltPage[] },
  { request: { projectRoot, options, collected } }: Run,
): Promise<HeldSite> {
  if (options.posts === false) return NONE_HELD;
  const { holdPages } = await import("../../posts/local/hold-pages.ts");
  return holdPages(pages, { projectRoot, options, collected });
}

/** Attributes warnings about links to posts on hold to the template that lists the posts. */
async function nameSources(
  warnings: readonly SiteWarning[],
  { built, ...sources }: Omit<TemplateSources, "built"> & { readonly built: BuiltSite | undefined },
): Promise<readonly SiteWarning[]> {
  const { pages, warnings: unclear } = sources.held;
  if (pages.length === 0 || built === undefined) return [...warnings, ...unclear];
  const { nameTemplates } = await import("../../posts/local/hold-pages.ts");
  return [...(await nameTemplates(warnings, { ...sources, built })), ...unclear];
}

/** Returns why previously published pages and their redirects are now omitted, by slug. */
function findHeldSlugs(pages: readonly HeldPage[], { slugs, redirects = {} }: Lock): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(({ route, reason }) => {
      const former = Object.keys(redirects).filter((slug) => redirects[slug] === route);
      return [slugs[route] ?? [], former].flat().map((slug) => [slug, reasonOfHold(reason)] as const);
    }),
  );
}

// A post can't be undone, and a site has only one brand kit, so previews have neither.
function forPreview(run: Run): Run {
  const options: Options = { ...run.request.options, posts: false, brandKit: false };
  return { ...run, request: { ...run.request, options } };
}

function notExcluded({ exclude }: Options): (page: BuiltPage) => boolean {
  if (exclude.length === 0) return () => true;
  const isExcluded = picomatch([...exclude]);
  return ({ route }) => !isExcluded(route) && !isExcluded(route.replace(/\/$/, ""));
}

// If the home page redirects, as to a language, its target is what readers see.
function findHome(pages: readonly DesiredPage[], targets: ExtraPages["targets"]): DesiredPage | undefined {
  const target = targets.get("/");
  const route = target?.kind === "page" ? target.page.route : "/";
  return pages.find((page) => page.route === route) ?? pages[0];
}

interface HomeParts extends Pick<ExtraPages, "targets"> {
  readonly options: Options;
  /** Only for a service that supports it, as others may refuse an unknown field. */
  readonly basePath: string | undefined;
}

function desireHome(pages: readonly DesiredPage[], { options: { site }, targets, basePath }: HomeParts): DesiredSite {
  const home = findHome(pages, targets);
  const titles = pages.filter(({ redirect }) => redirect === undefined).map(({ title }) => title);
  const name = site.name ?? (home && (commonTitlePart(home.title, titles) ?? home.title)) ?? "Site";
  const folded = slugOf(name.normalize("NFKD"))
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return {
    name: name.slice(0, 200),
    slug: site.slug ?? (isSlug(folded) ? folded : "site"),
    homeSlug: home?.slug,
    ...(basePath !== undefined && { basePath }),
    isNamed: site.slug !== undefined,
    hasFixedName: site.name !== undefined,
  };
}

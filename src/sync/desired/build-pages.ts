import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import type { LibraryFindings } from "../../client/library-findings.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, SiteAsset, SiteWarning } from "../../site/model.ts";
import { openPageCache, pageCacheKey } from "../../site/page-cache.ts";
import { desirePage, type DesiredPage } from "../desired.ts";
import type { MadePages, MakeContext } from "./make-pages.ts";
import type { PageAddresses } from "./page-addresses.ts";
import type { OnStep } from "../step.ts";
import { decidePlacement } from "./placement.ts";

export interface PagesContext {
  readonly published: readonly BuiltPage[];
  readonly slugs: ReadonlyMap<string, string>;
  readonly addresses: PageAddresses;
  readonly library: LibraryFindings;
  readonly heldPages: NonNullable<RewriteSettings["heldPages"]>;
  /** Whether search engines are to leave the pages out. */
  readonly noindex: boolean;
  /** Largest page in bytes; `undefined`: any. */
  readonly maxPageBytes: number | undefined;
  readonly projectRoot: string;
  /** Whether this run writes files. */
  readonly dryRun: boolean;
  readonly logger: Logger;
  readonly onStep: OnStep;
}

export interface DesiredPages {
  readonly pages: readonly DesiredPage[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Rewrites every published page that changed, within the size that the service takes. */
export async function desirePages(built: BuiltSite, context: PagesContext): Promise<DesiredPages> {
  const { published, slugs, projectRoot, noindex, dryRun, logger, library, maxPageBytes } = context;
  const settings = rewriteSettings(context);
  const canLinkStyles = library.styles.kind === "served";
  const key = await pageCacheKey(built, { ...settings, maxPageBytes, canLinkStyles });
  // Previews have a cache of their own, so that the pages of the live site stay remembered.
  const cache = openPageCache({ projectRoot, name: noindex ? "preview pages" : "pages", logger }, key);
  const openMade = createOpener(built, { settings, library, maxPageBytes });
  const pages: DesiredPage[] = [];
  const assets = new Map<string, SiteAsset>();
  const warnings: SiteWarning[] = built.onDemand.map(onDemandWarning);
  const isNews = createNewsFilter();
  for (const [done, page] of published.entries()) {
    if (done % PAGES_IN_A_ROW === 0) {
      context.onStep({ kind: "pages", count: { done, total: published.length } });
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

function rewriteSettings({ slugs, addresses, library, noindex, heldPages }: PagesContext): RewriteSettings {
  const { placement } = decidePlacement(library);
  const { href, written } = addresses;
  const pageUrl = written("") === undefined ? undefined : (slug: string) => written(slug) ?? href(slug);
  return { slugs, pageHref: href, pageUrl, placement, noindex, heldPages };
}

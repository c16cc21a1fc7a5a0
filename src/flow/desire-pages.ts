import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "../base/log.ts";
import type { LibraryFindings } from "../client/library-findings.ts";
import { fitPage } from "../site/fit-page.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage, SiteAsset, SiteWarning } from "../site/model.ts";
import { openPageCache, pageCacheKey } from "../site/page-cache.ts";
import type { PageFacts } from "../site/page-cache.ts";
import { createRewriter } from "../site/rewrite/rewriter.ts";
import { desirePage } from "../sync/desired.ts";
import type { DesiredPage } from "../sync/desired.ts";
import type { OnStep } from "./step.ts";
import { decidePlacement } from "./placement.ts";

export interface PagesContext {
  readonly published: readonly BuiltPage[];
  readonly slugs: ReadonlyMap<string, string>;
  /** Address of published pages before `/p/`; `undefined` where it is not known for certain. */
  readonly pagesUrl: string | undefined;
  readonly pageHref: (slug: string) => string;
  readonly library: LibraryFindings;
  /** Whether search engines are to leave the pages out. */
  readonly noindex: boolean;
  /** Largest page in bytes; `undefined`: any. */
  readonly maxPageBytes: number | undefined;
  /** Absolute path of the file that remembers what pages became. */
  readonly cacheFile: string;
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
  const { published, slugs, cacheFile: file, dryRun, logger, maxPageBytes } = context;
  const settings = rewriteSettings(context);
  const key = await pageCacheKey(built, { ...settings, maxPageBytes });
  const cache = await openPageCache({ file, key, logger });
  const makePage = createPageMaker(built, { settings, ...context });
  const kept = createKeptPages(makePage);
  const pages: DesiredPage[] = [];
  const assets = new Map<string, SiteAsset>();
  const warnings: SiteWarning[] = built.onDemand.map(onDemandWarning);
  for (const [done, page] of published.entries()) {
    if (done % PAGES_IN_A_ROW === 0) {
      context.onStep({ kind: "pages", count: { done, total: published.length } });
      await nextTurn();
    }
    const facts = cache.find(page) ?? kept.make(page);
    cache.note(page, facts);
    for (const asset of facts.assets) if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
    warnings.push(...facts.warnings);
    const place = { slug: slugs.get(page.route) ?? "", route: page.route, file: page.file };
    pages.push(desirePage(facts, { ...place, render: async () => kept.take(page) }));
  }
  if (!dryRun) await cache.save();
  return { pages, assets: [...assets.values()], warnings };
}

// Between them the terminal and the signals of the process get their turn.
const PAGES_IN_A_ROW = 25;

interface KeptPages {
  make(page: BuiltPage): PageFacts;
  take(page: BuiltPage): string;
}

// What was just rewritten is most likely sent soon. Beyond this much HTML it is rewritten again instead of held.
const KEPT_LENGTH = 32 * 1024 * 1024;

function createKeptPages(makePage: MakePage): KeptPages {
  const kept = new Map<string, string>();
  let length = 0;
  return {
    make(page) {
      const { html, ...facts } = makePage(page);
      if (length + html.length <= KEPT_LENGTH) {
        kept.set(page.file, html);
        length += html.length;
      }
      return { ...facts, bytes: Buffer.byteLength(html) };
    },
    take(page) {
      const html = kept.get(page.file);
      if (html === undefined) return makePage(page).html;
      kept.delete(page.file);
      length -= html.length;
      return html;
    },
  };
}

function onDemandWarning(pattern: string): SiteWarning {
  const message = "The page is made by a server when it is asked for and can't be published; prerender it to have it.";
  return { code: "on-demand-page", file: pattern, message };
}

function rewriteSettings({ slugs, pagesUrl, pageHref, library, noindex }: PagesContext): RewriteSettings {
  const { placement } = decidePlacement(library);
  const pageUrl = pagesUrl === undefined ? undefined : (slug: string) => pagesUrl + pageHref(slug);
  return { slugs, pageHref, pageUrl, placement, noindex };
}

type MakePage = (page: BuiltPage) => RewrittenPage;

// A page that is too large first links its stylesheets, by which nothing is lost, and then does without some fonts.
function createPageMaker(
  built: BuiltSite,
  { settings, library, maxPageBytes }: PagesContext & { readonly settings: RewriteSettings },
): MakePage {
  const rewriter = createRewriter(built, settings);
  if (maxPageBytes === undefined) return rewriter.rewrite;
  let linking: ReturnType<typeof createRewriter> | undefined;

  function linkStyles(page: BuiltPage, { warnings }: RewrittenPage): RewrittenPage {
    linking ??= createRewriter(built, { ...settings, placement: { ...settings.placement, styles: "library" } });
    return { ...linking.rewrite(page), warnings };
  }

  return (page) => {
    const whole = rewriter.rewrite(page);
    if (Buffer.byteLength(whole.html) <= maxPageBytes) return whole;
    const smallest = library.styles.kind === "served" ? linkStyles(page, whole) : whole;
    return fitPage(smallest, { maxBytes: maxPageBytes, file: page.file });
  };
}

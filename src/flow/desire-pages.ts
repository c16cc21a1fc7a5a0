import type { LibraryFindings } from "../client/library-findings.ts";
import { fitPage } from "../site/fit-page.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage, SiteAsset, SiteWarning } from "../site/model.ts";
import { createRewriter } from "../site/rewrite/rewriter.ts";
import { desirePage } from "../sync/desired.ts";
import type { DesiredPage } from "../sync/desired.ts";
import { decidePlacement } from "./placement.ts";

export interface PagesContext {
  readonly published: readonly BuiltPage[];
  readonly slugs: ReadonlyMap<string, string>;
  /** Address of published pages before `/p/`; `undefined` where it is not known for certain. */
  readonly pagesUrl: string | undefined;
  readonly pageHref: (slug: string) => string;
  readonly library: LibraryFindings;
  /** Largest page in bytes; `undefined`: any. */
  readonly maxPageBytes: number | undefined;
}

export interface DesiredPages {
  readonly pages: readonly DesiredPage[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Rewrites every published page, within the size that the service takes. */
export function desirePages(built: BuiltSite, context: PagesContext): DesiredPages {
  const makePage = createPageMaker(built, context);
  const pages: DesiredPage[] = [];
  const assets = new Map<string, SiteAsset>();
  const warnings: SiteWarning[] = built.onDemand.map(onDemandWarning);
  for (const page of context.published) {
    const made = makePage(page);
    for (const asset of made.assets) if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
    warnings.push(...made.warnings);
    const slug = context.slugs.get(page.route) ?? "";
    const render = async () => makePage(page).html;
    pages.push(desirePage(made, { slug, route: page.route, file: page.file, render }));
  }
  return { pages, assets: [...assets.values()], warnings };
}

function onDemandWarning(pattern: string): SiteWarning {
  const message = "The page is made by a server when it is asked for and can't be published; prerender it to have it.";
  return { code: "on-demand-page", file: pattern, message };
}

type MakePage = (page: BuiltPage) => RewrittenPage;

// A page that is too large first links its stylesheets, by which nothing is lost, and then does without some fonts.
function createPageMaker(built: BuiltSite, context: PagesContext): MakePage {
  const { slugs, pagesUrl, pageHref, library, maxPageBytes } = context;
  const { placement } = decidePlacement(library);
  const settings: RewriteSettings = {
    slugs,
    pageHref,
    pageUrl: pagesUrl === undefined ? undefined : (slug) => pagesUrl + pageHref(slug),
    placement,
  };
  const rewriter = createRewriter(built, settings);
  if (maxPageBytes === undefined) return rewriter.rewrite;
  let linking: ReturnType<typeof createRewriter> | undefined;

  function linkStyles(page: BuiltPage, { warnings }: RewrittenPage): RewrittenPage {
    linking ??= createRewriter(built, { ...settings, placement: { ...placement, styles: "library" } });
    return { ...linking.rewrite(page), warnings };
  }

  return (page) => {
    const whole = rewriter.rewrite(page);
    if (Buffer.byteLength(whole.html) <= maxPageBytes) return whole;
    const smallest = library.styles.kind === "served" ? linkStyles(page, whole) : whole;
    return fitPage(smallest, { maxBytes: maxPageBytes, file: page.file });
  };
}

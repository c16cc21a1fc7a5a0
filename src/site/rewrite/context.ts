import { createInserts } from "../../html/page-html.ts";
import { createAddressBook } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "../model.ts";
import { createAssetRegistry } from "./assets.ts";
import { createDataFiles, type DataFiles } from "./data-files.ts";
import { createFeeds, type Feeds } from "./feeds.ts";
import type { PageDraft } from "./page-draft.ts";
import { findSearch } from "./pagefind.ts";
import { createScripts, type Scripts } from "./scripts.ts";
import { createStyleSheets, type StyleSheets } from "./style-sheets.ts";
import type { RewriteTools } from "./text-context.ts";

/** State that all pages of a site share during rewriting, so that nothing is read or computed once per page. */
export interface RewriteContext extends RewriteTools {
  readonly styles: StyleSheets;
  readonly data: DataFiles;
  readonly scripts: Scripts;
  readonly feeds: Feeds;
  /** Rewrites HTML embedded in a page: that of an endpoint, or an `iframe srcdoc`. */
  readonly rewritePart: RewritePart;
  /** Files of all modules of the build, including search, which any page may import. */
  readonly builtModules: readonly string[];
  /** Addresses of published pages, which occur in pages that were already rewritten. */
  readonly publishedHrefs: ReadonlySet<string>;
  /** Published links by their original address in the site. */
  readonly links: Map<string, string>;
}

export type RewritePart = (page: BuiltPage, html?: string) => RewrittenPart;

export type RewrittenPart = Pick<RewrittenPage, "html" | "assets" | "warnings"> &
  Pick<PageDraft, "inlineTexts" | "facts" | "fetched" | "contained">;

export function createRewriteContext(site: BuiltSite, settings: RewriteSettings): Omit<RewriteContext, "rewritePart"> {
  const [addresses, assets, inserts] = [createAddressBook(site), createAssetRegistry(site), createInserts()];
  const shared = { site, settings, addresses, assets, inserts };
  const tools = { ...shared, styles: createStyleSheets(shared), data: createDataFiles(shared) };
  const search = findSearch(tools);
  return {
    ...tools,
    scripts: createScripts(tools),
    feeds: createFeeds(tools),
    builtModules: [...site.files.keys()].filter(
      (path) =>
        kindOf(contentTypeOf(path)) === "script" && (path.startsWith(`${site.assetsDir}/`) || path === search?.module),
    ),
    publishedHrefs: new Set([...settings.slugs.values()].map((slug) => settings.pageHref(slug))),
    links: new Map(),
  };
}

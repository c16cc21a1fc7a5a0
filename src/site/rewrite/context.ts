import { createAddressBook } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, RewriteSettings } from "../model.ts";
import { createAssetRegistry } from "./assets.ts";
import { createFeeds, type Feeds } from "./feeds.ts";
import { createScripts, type Scripts } from "./scripts.ts";
import { createStyleSheets, type StyleSheets } from "./style-sheets.ts";
import type { RewriteTools } from "./text-context.ts";

/** What all pages of a site share while they are rewritten, so that nothing is read or computed once per page. */
export interface RewriteContext extends RewriteTools {
  readonly styles: StyleSheets;
  readonly scripts: Scripts;
  readonly feeds: Feeds;
  /** Files of all modules that the build made. */
  readonly builtModules: readonly string[];
  /** Addresses of published pages, which a page that was rewritten before names already. */
  readonly publishedHrefs: ReadonlySet<string>;
}

export function createRewriteContext(site: BuiltSite, settings: RewriteSettings): RewriteContext {
  const tools = { site, settings, addresses: createAddressBook(site), assets: createAssetRegistry(site) };
  return {
    ...tools,
    styles: createStyleSheets(tools),
    scripts: createScripts(tools),
    feeds: createFeeds(tools),
    builtModules: [...site.files.keys()].filter(
      (path) => path.startsWith(`${site.assetsDir}/`) && kindOf(contentTypeOf(path)) === "script",
    ),
    publishedHrefs: new Set([...settings.slugs.values()].map((slug) => settings.pageHref(slug))),
  };
}

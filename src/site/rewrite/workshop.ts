import { createAddressBook, type AddressBook } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, RewriteSettings } from "../model.ts";
import { createAssetShelf, type AssetShelf } from "./asset-shelf.ts";
import { createFeeds, type Feeds } from "./feeds.ts";
import { createScripts, type Scripts } from "./scripts.ts";
import { createStyleSheets, type StyleSheets } from "./style-sheets.ts";

/** What all pages of a site share while they are rewritten, so that nothing is read or worked out once per page. */
export interface Workshop {
  readonly site: BuiltSite;
  readonly settings: RewriteSettings;
  readonly addresses: AddressBook;
  readonly assets: AssetShelf;
  readonly styles: StyleSheets;
  readonly scripts: Scripts;
  readonly feeds: Feeds;
  /** Files of all modules that the build made. */
  readonly builtModules: readonly string[];
  /** Addresses of published pages, which a page that was rewritten before names already. */
  readonly publishedHrefs: ReadonlySet<string>;
}

export function createWorkshop(site: BuiltSite, settings: RewriteSettings): Workshop {
  const addresses = createAddressBook(site);
  const assets = createAssetShelf(site);
  const tools = { site, addresses, assets, placement: settings.placement };
  return {
    site,
    settings,
    addresses,
    assets,
    styles: createStyleSheets(tools),
    scripts: createScripts(tools),
    feeds: createFeeds({ ...tools, settings }),
    builtModules: [...site.files.keys()].filter(
      (path) => path.startsWith(`${site.assetsDir}/`) && kindOf(contentTypeOf(path)) === "script",
    ),
    publishedHrefs: new Set([...settings.slugs.values()].map((slug) => settings.pageHref(slug))),
  };
}

import { renderPlaceholder } from "../../html/placeholders.ts";
import type { AddressBook } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, RewriteSettings, SiteAsset } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { AssetShelf } from "./asset-shelf.ts";
import { dropFeedItems } from "./feed-items.ts";

export interface Feeds {
  /** The assets of a feed, itself first; `undefined` for a file that is none. */
  findAssets(path: string, usedIn: string): readonly SiteAsset[] | undefined;
}

export interface FeedTools {
  readonly site: BuiltSite;
  readonly addresses: AddressBook;
  readonly assets: AssetShelf;
  readonly settings: RewriteSettings;
}

/** RSS and Atom files, whose whole addresses of pages become those of the published pages. */
export function createFeeds(tools: FeedTools): Feeds {
  const feeds = new Map<string, readonly SiteAsset[]>();
  return {
    findAssets(path, usedIn) {
      if (!/\bxml\b/.test(contentTypeOf(path)) || kindOf(contentTypeOf(path)) !== "file") return undefined;
      const assets = feeds.get(path) ?? makeFeed(path, usedIn, tools);
      feeds.set(path, assets);
      return assets;
    },
  };
}

function makeFeed(path: string, usedIn: string, tools: FeedTools): readonly SiteAsset[] {
  const { site, addresses, assets, settings } = tools;
  const original = readSiteText(site.root, path);
  const { heldPages = {} } = settings;
  const source = dropFeedItems(original, (address) => {
    const target = addresses.resolve(address, path);
    return target.kind === "page" && target.page.route in heldPages;
  });
  const named: SiteAsset[] = [];
  const text = source.replace(/https?:\/\/[^\s<>"'\]]+/g, (written) => {
    const target = addresses.resolve(written.replaceAll("&amp;", "&"), path);
    if (target.kind === "page") {
      const slug = settings.slugs.get(target.page.route);
      const address = slug === undefined ? undefined : settings.pageUrl?.(slug);
      return address === undefined ? written : address + target.suffix.replaceAll("&", "&amp;");
    }
    if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "image") return written;
    const image = assets.fromFile(target.path, { usedIn, optimize: "same-type" });
    named.push(image);
    return renderPlaceholder(image.hash);
  });
  if (text === original) return [assets.fromFile(path, { usedIn, optimize: "never" })];
  return [assets.fromText(text, { path, kind: "file", assets: named, usedIn }), ...named];
}

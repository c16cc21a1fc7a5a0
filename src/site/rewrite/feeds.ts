import sax from "sax";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { RewriteTools } from "./text-context.ts";

export interface Feeds {
  /** Returns the assets of a feed, the feed itself first; `undefined` for other files. */
  findAssets(path: string, usedIn: string): readonly SiteAsset[] | undefined;
}

/** Creates the RSS and Atom feeds, with addresses of the site replaced by those of published pages and images. */
export function createFeeds(tools: RewriteTools): Feeds {
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

// Browsers load a feed's style sheet only from the same origin, and show nothing if they can't.
const STYLE_SHEET = /<\?xml-stylesheet\b[^>]*?\bhref=["']([^"']+)["'][^>]*\?>\s*/g;

// A feed's published address depends on its content, so no feed can state it. Readers would subscribe to this one.
const SELF =
  /<(?:[\w-]+:)?link\b(?=[^>]*?\brel=["']self["'])[^>]*?\bhref=["']([^"']+)["'][^>]*>(?:\s*<\/[\w:-]+>)?\s*/g;

// Whole addresses anywhere, and those from the root of the site in the HTML of texts, which may be escaped. A reader
// would resolve these against the library's host.
const ADDRESS =
  /https?:\/\/(?:(?!&(?:quot|apos|lt|gt|#34|#39|#60|#62);)[^\s<>"'\]])+|(?<=\b(?:href|src)=(?:["']|&quot;|&#34;|&#39;|&apos;))\/(?!\/)[^\s<>"'\]]*?(?=["']|&(?:quot|#34|#39|apos);)/g;

function makeFeed(path: string, usedIn: string, tools: RewriteTools): readonly SiteAsset[] {
  const { site, addresses, assets, settings } = tools;
  const original = readSiteText(site.root, path);
  const { heldPages = {} } = settings;
  const source = dropFeedItems(original, (address) => {
    const target = addresses.resolve(address, path);
    return target.kind === "page" && target.page.route in heldPages;
  });
  const named: SiteAsset[] = [];
  const shown = source
    .replace(STYLE_SHEET, (written, address: string) =>
      addresses.resolve(address, path).kind === "file" ? "" : written,
    )
    .replace(SELF, (written, address: string) => {
      const target = addresses.resolve(address, path);
      return target.kind === "file" && target.path === path ? "" : written;
    });
  const text = shown.replace(ADDRESS, (written) => {
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

/** Elements that represent a page in RSS, Atom, and sitemaps. */
const ITEMS = new Set(["item", "entry", "url"]);
/** Child elements whose text is the page's address; Atom has it in `link[href]`. */
const ADDRESSES = new Set(["link", "loc", "guid", "id"]);

interface OpenItem {
  readonly start: number;
  readonly depth: number;
  readonly addresses: string[];
}

/**
 * Removes items with an `unwanted` address from an RSS or Atom feed or a sitemap. Everything else is unchanged.
 * Malformed XML is returned unchanged.
 */
export function dropFeedItems(xml: string, unwanted: (address: string) => boolean): string {
  const parser = sax.parser(true, { position: true });
  const edits: Edit[] = [];
  let item: OpenItem | undefined;
  let [depth, text] = [0, ""];
  const addText = (part: string): void => void (text += part);
  Object.assign(parser, {
    ontext: addText,
    oncdata: addText,
    onerror(error: Error) {
      throw error;
    },
    onopentag({ name, attributes }: sax.Tag) {
      [depth, text] = [depth + 1, ""];
      if (item === undefined && ITEMS.has(name)) item = { start: parser.startTagPosition - 1, depth, addresses: [] };
      const { href } = attributes;
      if (name === "link" && href !== undefined) item?.addresses.push(href);
    },
    onclosetag(name: string) {
      if (item !== undefined && depth === item.depth + 1 && ADDRESSES.has(name)) item.addresses.push(text.trim());
      if (item !== undefined && depth === item.depth) {
        const isUnwanted = item.addresses.some((address) => address !== "" && unwanted(address));
        if (isUnwanted) edits.push({ start: item.start, end: parser.position, text: "" });
        item = undefined;
      }
      [depth, text] = [depth - 1, ""];
    },
  });
  try {
    parser.write(xml).close();
  } catch {
    return xml;
  }
  return applyEdits(xml, edits);
}

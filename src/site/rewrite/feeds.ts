import sax from "sax";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset } from "../model.ts";
import { placeAsset } from "./assets.ts";
import { publishAddresses, type FeedRules } from "./feed-rules.ts";
import { isJsonFeed, writeJsonFeed } from "./json-feeds.ts";
import { readSiteText } from "../read-file.ts";
import type { RewriteTools } from "./text-context.ts";

export interface Feeds {
  /** Returns the assets of a feed, the feed itself first; `undefined` for other files. */
  findAssets(path: string, usedIn: string): readonly SiteAsset[] | undefined;
}

/** Creates the RSS, Atom, and JSON feeds, with addresses of the site replaced by those of published pages and images. */
export function createFeeds(tools: RewriteTools): Feeds {
  const feeds = new Map<string, readonly SiteAsset[] | undefined>();
  return {
    findAssets(path, usedIn) {
      if (!feeds.has(path)) feeds.set(path, readFeed(path, usedIn, tools));
      return feeds.get(path);
    },
  };
}

function readFeed(path: string, usedIn: string, tools: RewriteTools): readonly SiteAsset[] | undefined {
  const type = contentTypeOf(path);
  if (!/\b(?:xml|json)\b/.test(type) || kindOf(type) !== "file") return undefined;
  const text = readSiteText(tools.site.root, path);
  const isJson = type.endsWith("json");
  if (isJson && !isJsonFeed(text)) return undefined;
  return makeFeed({ path, usedIn, text, write: isJson ? writeJsonFeed : writeXmlFeed }, tools);
}

// Browsers load a feed's style sheet only from the same origin, and show nothing if they can't.
const STYLE_SHEET = /<\?xml-stylesheet\b[^>]*?\bhref=["']([^"']+)["'][^>]*\?>\s*/g;

// A feed's published address depends on its content, so no feed can state it. Readers would subscribe to this one.
const SELF =
  /<(?:[\w-]+:)?link\b(?=[^>]*?\brel=["']self["'])[^>]*?\bhref=["']([^"']+)["'][^>]*>(?:\s*<\/[\w:-]+>)?\s*/g;

interface Feed {
  readonly path: string;
  readonly usedIn: string;
  readonly text: string;
  readonly write: (text: string, rules: FeedRules) => string;
}

function makeFeed({ path, usedIn, text: original, write }: Feed, tools: RewriteTools): readonly SiteAsset[] {
  const { addresses, assets, settings } = tools;
  const { heldPages = {} } = settings;
  const named: SiteAsset[] = [];
  const text = write(original, {
    isHeld(address) {
      const target = addresses.resolve(address, path);
      return target.kind === "page" && target.page.route in heldPages;
    },
    fileOf(address) {
      const target = addresses.resolve(address, path);
      return target.kind === "file" ? target.path : undefined;
    },
    isOwn(address) {
      const target = addresses.resolve(address, path);
      return target.kind === "file" && target.path === path;
    },
    publish(address) {
      const target = addresses.resolve(address, path);
      if (target.kind === "page") {
        const slug = settings.slugs.get(target.page.route);
        const published = slug === undefined ? undefined : settings.pageUrl?.(slug);
        return published && published + target.suffix;
      }
      if (target.kind !== "file" || !isEnclosed(target.path, tools)) return undefined;
      const placed = placeAsset(target.path, { assets, usedIn });
      named.push(...placed.assets);
      return placed.address + (/#.*$/.exec(target.suffix)?.[0] ?? "");
    },
  });
  if (text === original) return [assets.fromFile(path, { usedIn, optimize: "never" })];
  return [assets.fromText(text, { path, kind: "file", assets: named, usedIn }), ...named];
}

/** Whether a feed's readers load or download it: images, episodes, their chapters, documents, but not other feeds. */
function isEnclosed(path: string, { site }: RewriteTools): boolean {
  const type = contentTypeOf(path);
  const kind = kindOf(type);
  if (kind === "image") return true;
  if (kind !== "file" || /\b(?:xml|html)\b/.test(type)) return false;
  return !type.endsWith("json") || !isJsonFeed(readSiteText(site.root, path));
}

function writeXmlFeed(xml: string, { isHeld, fileOf, isOwn, publish }: FeedRules): string {
  const shown = dropFeedItems(xml, isHeld)
    .replace(STYLE_SHEET, (written, address: string) => (fileOf(address) === undefined ? written : ""))
    .replace(SELF, (written, address: string) => (isOwn(address) ? "" : written));
  return publishAddresses(shown, publish);
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

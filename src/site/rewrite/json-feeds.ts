import { parseJson } from "../../base/json.ts";
import { replaceJsonStrings } from "../../html/address-texts.ts";
import { publishAddresses, type FeedRules } from "./feed-rules.ts";

/** Fields of a JSON Feed that hold an address. An `id` stays, because readers recognize an item by it. */
const ADDRESS_FIELDS = new Set([
  "home_page_url",
  "icon",
  "favicon",
  "url",
  "external_url",
  "image",
  "banner_image",
  "avatar",
]);

/** Whether a JSON text is a feed, see https://jsonfeed.org/version/1.1. */
export function isJsonFeed(json: string): boolean {
  return json.includes("jsonfeed.org") && parseFeed(json) !== undefined;
}

/** Replaces the addresses of a JSON Feed. Its own, and items of pages that aren't published, are left out. */
export function writeJsonFeed(json: string, { isHeld, isOwn, publish }: FeedRules): string {
  const feed = parseFeed(json);
  if (feed === undefined) return json;
  const { feed_url: own, ...others } = feed;
  const isNamed = typeof own === "string" && isOwn(own);
  const items = feed.items.filter(({ url }) => typeof url !== "string" || !isHeld(url));
  const isSame = !isNamed && items.length === feed.items.length;
  const shown = isSame ? json : JSON.stringify({ ...(isNamed ? others : feed), items }, undefined, 2);
  return replaceJsonStrings(shown, (value, key = "") => {
    if (ADDRESS_FIELDS.has(key)) return publish(value);
    return key === "content_html" ? publishAddresses(value, publish) : undefined;
  });
}

interface JsonFeed {
  readonly version: string;
  readonly feed_url?: unknown;
  readonly items: readonly { readonly url?: unknown }[];
}

function parseFeed(json: string): JsonFeed | undefined {
  const feed = parseJson(json);
  return isFeed(feed) ? feed : undefined;
}

function isFeed(value: unknown): value is JsonFeed {
  const { version, items } = Object(value);
  if (typeof version !== "string" || !Array.isArray(items)) return false;
  return (
    version.includes("://jsonfeed.org/version/") && items.every((item) => typeof item === "object" && item !== null)
  );
}

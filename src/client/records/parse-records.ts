import type { Asset, Blog, Page, Post, Site } from "../api.ts";
import { idOfLocation } from "../find-created.ts";
import { countOf, dateOf, fieldOf, hashOf, idOf, textOf, type JsonRecord } from "./fields.ts";
import { findRecord, saysFailure, saysNothing, unreadable, type RecordContext } from "./unwrap.ts";

// The specification shows few fields and no wrappers, so each parser takes what it can find under any usual name and
// refuses only what the rest of the program could not work without.

export function parsePage(json: unknown, context: RecordContext): Page {
  const found = findRecord(json, { record: "page", fits: (record) => readPage(record, undefined) });
  if (found === undefined) throw unreadable("page with a slug", { ...context, json });
  return found;
}

/**
 * The page that an answer to a write tells of. The slug is the one that was sent where the answer does not say it; an
 * answer that speaks of an error in spite of its status is refused.
 */
export function parseWrittenPage(json: unknown, context: RecordContext & { readonly sentSlug: string }): Page {
  const { sentSlug } = context;
  const named = findRecord(json, { record: "page", fits: (record) => readPage(record, undefined) });
  if (named !== undefined) return named;
  const isPage = (record: JsonRecord) => fieldOf(record, "id", "pageId", "url", "publicUrl", "editUrl") !== undefined;
  const fits = (record: JsonRecord) => (isPage(record) ? readPage(record, sentSlug) : undefined);
  const found = saysFailure(json) ? undefined : findRecord(json, { record: "page", fits });
  // A page that was only said to be written is one; what speaks of something else is not.
  if (found === undefined && !saysNothing(json)) throw unreadable("page", { ...context, json });
  return found ?? { slug: sentSlug };
}

function readPage(record: JsonRecord, sentSlug: string | undefined): Page | undefined {
  const slug = textOf(record, "slug") ?? sentSlug;
  if (slug === undefined) return undefined;
  return {
    slug,
    id: idOf(record, "id", "pageId"),
    url: textOf(record, "url", "href"),
    publicUrl: webAddress(textOf(record, "publicUrl", "publishedUrl", "liveUrl")),
    editUrl: webAddress(textOf(record, "editUrl", "editorUrl")),
    title: textOf(record, "title", "name"),
    status: textOf(record, "status", "state"),
    siteId: idOf(record, "siteId"),
    version: countOf(record, "version"),
    contentHash: hashOf(record, "contentHash", "hash"),
    createdAt: dateOf(record, "createdAt", "created"),
    updatedAt: dateOf(record, "updatedAt", "modifiedAt", "updated"),
  };
}

export function parseSite(json: unknown, context: RecordContext): Site {
  const found = findRecord(json, { record: "site", fits: readSite });
  if (found === undefined) throw unreadable("site with an id", { ...context, json });
  return found;
}

function readSite(record: JsonRecord): Site | undefined {
  const id = idOf(record, "id", "siteId");
  if (id === undefined) return undefined;
  return {
    id,
    name: textOf(record, "name", "title"),
    slug: textOf(record, "slug"),
    url: textOf(record, "url", "href"),
    homeSlug: textOf(record, "homeSlug"),
    brandKitId: idOf(record, "brandKitId", "kitId"),
    domain: textOf(record, "domain", "customDomain"),
    pageCount: countOf(record, "pageCount", "pagesCount"),
    version: countOf(record, "version"),
    createdAt: dateOf(record, "createdAt", "created"),
  };
}

export function parseAsset(json: unknown, context: RecordContext): Asset {
  const fits = (record: JsonRecord) => readAsset(record, context.baseUrl);
  const found = findRecord(json, { record: "asset", fits }) ?? findRecord(json, { record: "file", fits });
  if (found === undefined) {
    throw unreadable("asset with an id and an address", { ...context, json });
  }
  return found;
}

/** What an answer to an upload tells of the file: the address may also stand in `Location`, or be missing. */
export function findAssetParts(
  json: unknown,
  { headers, context }: { readonly headers: ReadonlyMap<string, string>; readonly context: RecordContext },
): Partial<Asset> {
  const { baseUrl } = context;
  const fits = (record: JsonRecord) => {
    const parts = readAssetParts(record, baseUrl);
    return parts.id === undefined && parts.url === undefined ? undefined : parts;
  };
  const found = findRecord(json, { record: "asset", fits }) ?? findRecord(json, { record: "file", fits }) ?? {};
  const location = headers.get("location");
  if (location === undefined || found.url !== undefined) return found;
  const id = idOfLocation({ headers });
  // An address of the API names the record, any other one the file.
  return id === undefined ? { ...found, url: completeAddress(location, baseUrl) } : { ...found, id: found.id ?? id };
}

function completeAddress(address: string | undefined, baseUrl: string): string | undefined {
  return address === undefined ? undefined : webAddress(URL.parse(address, `${baseUrl}/`)?.href);
}

function readAsset(record: JsonRecord, baseUrl: string): Asset | undefined {
  const { id, url, ...asset } = readAssetParts(record, baseUrl);
  return id === undefined || url === undefined ? undefined : { id, url, ...asset };
}

const ADDRESSES = ["url", "href", "src", "publicUrl", "cdnUrl", "fileUrl", "downloadUrl", "link", "path", "location"];

function readAssetParts(record: JsonRecord, baseUrl: string): Partial<Asset> {
  const id = idOf(record, "id", "assetId", "fileId");
  // Pages are served from another host than the API, so an address in them has to be complete.
  const url = completeAddress(textOf(record, ...ADDRESSES), baseUrl);
  return {
    id,
    url,
    name: textOf(record, "name", "fileName", "filename", "originalName", "title"),
    contentType: contentTypeOf(record),
    size: countOf(record, "size", "bytes", "fileSize", "contentLength"),
    hash: hashOf(record, "hash", "sha256", "contentHash", "checksum"),
    width: countOf(record, "width"),
    height: countOf(record, "height"),
    alt: textOf(record, "alt", "altText"),
    usedBy: countOf(record, "usedBy"),
    createdAt: dateOf(record, "createdAt", "uploadedAt", "created"),
  };
}

function contentTypeOf(record: JsonRecord): string | undefined {
  return [textOf(record, "contentType"), textOf(record, "mimeType", "mimetype", "mime"), textOf(record, "type")].find(
    (type) => type?.includes("/"),
  );
}

export function parseBlog(json: unknown, context: RecordContext): Blog {
  const found = findRecord(json, { record: "blog", fits: readBlog });
  if (found === undefined) throw unreadable("blog with an id", { ...context, json });
  return found;
}

function readBlog(record: JsonRecord): Blog | undefined {
  const id = idOf(record, "id", "blogId");
  if (id === undefined) return undefined;
  return {
    id,
    name: textOf(record, "name", "title"),
    slug: textOf(record, "slug"),
    url: textOf(record, "url", "href"),
  };
}

export function parsePost(json: unknown, context: RecordContext): Post {
  const found = findRecord(json, { record: "post", fits: readPost });
  if (found === undefined) {
    throw unreadable("post with an id, a slug or an address", { ...context, json });
  }
  return found;
}

function readPost(record: JsonRecord): Post | undefined {
  const id = idOf(record, "id", "postId");
  const slug = textOf(record, "slug");
  const url = textOf(record, "url", "href", "link", "publicUrl");
  if (id === undefined && slug === undefined && url === undefined) return undefined;
  return {
    id,
    slug,
    url,
    title: textOf(record, "title", "name"),
    status: textOf(record, "status", "state"),
    html: textOf(record, "html", "content", "body"),
    excerpt: textOf(record, "excerpt", "description", "summary"),
    author: textOf(record, "author"),
    canonicalUrl: textOf(record, "canonicalUrl", "canonical"),
    contentHash: hashOf(record, "contentHash", "hash"),
    publishedAt: dateOf(record, "publishedAt", "published", "date"),
    updatedAt: dateOf(record, "updatedAt", "modifiedAt", "updated"),
  };
}

function webAddress(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

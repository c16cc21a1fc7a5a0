import type { Asset, Blog, Page, Post, Site } from "../api.ts";
import { countOf, dateOf, fieldOf, hashOf, idOf, isRecord, textOf } from "./fields.ts";
import type { JsonRecord } from "./fields.ts";
import { findRecord, unreadable } from "./unwrap.ts";
import type { RecordContext } from "./unwrap.ts";

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
  const hasId = (record: JsonRecord) => idOf(record, "id", "pageId") !== undefined;
  const fits = (record: JsonRecord) => (hasId(record) ? readPage(record, sentSlug) : undefined);
  const found = findRecord(json, { record: "page", fits });
  if (found === undefined && saysFailure(json)) throw unreadable("page", { ...context, json });
  return found ?? { slug: sentSlug };
}

function saysFailure(json: unknown): boolean {
  if (!isRecord(json)) return false;
  return fieldOf(json, "error", "errors") !== undefined || json.success === false || json.ok === false;
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

function readAsset(record: JsonRecord, baseUrl: string): Asset | undefined {
  const id = idOf(record, "id", "assetId", "fileId");
  const address = textOf(record, "url", "href", "src", "publicUrl", "cdnUrl", "link");
  // Pages are served from another host than the API, so an address in them has to be complete.
  const url = address === undefined ? undefined : webAddress(URL.parse(address, `${baseUrl}/`)?.href);
  if (id === undefined || url === undefined) return undefined;
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

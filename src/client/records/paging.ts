import { isJsonObject, parseJson } from "../../base/json.ts";
import { asCount, asText, countOf, fieldOf, foldName, isNull, type JsonRecord } from "./fields.ts";

// The specification shows no pagination, so a list is read on in the ways of the common frameworks.

/** How to request the rest of a list. */
export type NextPart =
  /** The service reports that nothing follows. */
  | { readonly kind: "end" }
  /** The service doesn't report whether more follows. */
  | { readonly kind: "unsaid" }
  /** The service reports the whole query, in a link. */
  | { readonly kind: "query"; readonly query: Readonly<Record<string, string>> }
  /** The service reports where the next part begins, and not by which parameter it is requested: the likeliest first. */
  | { readonly kind: "place"; readonly value: string; readonly parameters: readonly string[] }
  /** The service reports that more follows, but not how to request it. */
  | { readonly kind: "more" };

/** What one response to a list request shows about the others. */
export interface ListPaging {
  readonly next: NextPart;
  /** The total count, if the service reports it. */
  readonly total: number | undefined;
}

export interface PagingContext {
  readonly headers: ReadonlyMap<string, string>;
  /** The query that was sent. */
  readonly query: Readonly<Record<string, string>>;
  /** Number of entries read before this response. */
  readonly before: number;
  /** Number of entries in this response. */
  readonly count: number;
}

/** Reads the paging data in the objects that surround a list, and in the headers. */
export function parsePaging(frames: readonly JsonRecord[], context: PagingContext): ListPaging {
  const paging = [...frames.flatMap((frame) => nestedIn(frame, DEPTH)), ...framesOfHeaders(context.headers)];
  const total = totalOf(paging, context.headers);
  return { next: nextOf(paging, { ...context, total }), total };
}

const PAGING_NAMES = [
  ...["pagination", "paging", "pageInfo", "resultInfo", "responseMetadata", "meta", "page"],
  ...["links", "_links", "view", "cursor", "cursors"],
];
// Ghost and Strapi have `meta.pagination`.
const DEPTH = 2;

function nestedIn(frame: JsonRecord, depth: number): readonly JsonRecord[] {
  const nested = depth === 0 ? [] : PAGING_NAMES.map((name) => fieldOf(frame, name)).filter(isJsonObject);
  return [frame, ...nested.flatMap((each) => nestedIn(each, depth - 1))];
}

/** The headers as fields: `X-Next-Cursor` as `next-cursor`; and the JSON in `X-Pagination`, as ASP.NET sends it. */
function framesOfHeaders(headers: ReadonlyMap<string, string>): readonly JsonRecord[] {
  const fields = Object.fromEntries([...headers].map(([name, value]) => [name.replace(/^x-(?:wp-)?/, ""), value]));
  return [fields, parseJson(headers.get("x-pagination") ?? "")].filter(isJsonObject);
}

const TOTAL_NAMES = ["total", "totalCount", "totalItems", "totalResults", "totalElements", "totalRecords", "totalDocs"];

function totalOf(paging: readonly JsonRecord[], headers: ReadonlyMap<string, string>): number | undefined {
  return first(paging, ...TOTAL_NAMES) ?? asCount(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1]);
}

interface NextContext extends PagingContext {
  readonly total: number | undefined;
}

function nextOf(paging: readonly JsonRecord[], context: NextContext): NextPart {
  const ways = [byCursor, byLinkHeader, byPageNumber, byOffset, byFlag, byTotal];
  for (const way of ways) {
    const next = way(paging, context);
    if (next !== undefined) return next;
  }
  return { kind: "unsaid" };
}

const CURSOR_NAMES = [
  ...["nextCursor", "nextPageToken", "nextToken", "nextContinuationToken", "continuationToken", "nextMarker"],
  ...["nextPage", "nextPageUrl", "nextLink", "nextUrl", "nextOffset", "next", "endCursor", "cursor"],
];

function byCursor(paging: readonly JsonRecord[], { query }: NextContext): NextPart | undefined {
  if (paging.some((frame) => reportsEnd(frame))) return { kind: "end" };
  let isEnd = false;
  for (const name of CURSOR_NAMES) {
    for (const frame of paging) {
      if (isNothing(frame, name)) isEnd = isEnd || name !== "cursor";
      const key = Object.keys(frame).find((each) => foldName(each) === name.toLowerCase()) ?? name;
      const found = placeIn(fieldOf(frame, name), { key, query });
      if (found !== undefined) return found;
    }
  }
  return isEnd ? { kind: "end" } : undefined;
}

const MORE_NAMES = ["hasMore", "hasNext", "hasNextPage", "more", "isTruncated"];

function reportsEnd(frame: JsonRecord): boolean {
  return MORE_NAMES.some((name) => fieldOf(frame, name) === false) || fieldOf(frame, "last", "isLast") === true;
}

function isNothing(frame: JsonRecord, name: string): boolean {
  return isNull(frame, name) || ["", false].some((nothing) => fieldOf(frame, name) === nothing);
}

function placeIn(
  value: unknown,
  { key, query }: { readonly key: string; readonly query: NextContext["query"] },
): NextPart | undefined {
  if (isJsonObject(value)) return placeInObject(value, { key, query });
  if (typeof value === "number") return { kind: "place", value: String(value), parameters: parametersFor(key, PAGES) };
  const text = asText(value);
  if (text === undefined) return undefined;
  if (/^(?:https?:)?\/|^\?/.test(text)) return byAddress(text);
  // WordPress.com
  const parameters = parametersFor(key, foldName(key) === "nextpage" ? [...CURSORS, "page_handle"] : CURSORS);
  // A service may repeat the cursor of the request.
  if (key === "cursor" && parameters.some((name) => query[name] === text)) return undefined;
  return { kind: "place", value: text, parameters };
}

// HubSpot has `next: {after, link}`: without a link, the name of the only field is the parameter.
function placeInObject(value: JsonRecord, context: Parameters<typeof placeIn>[1]): NextPart | undefined {
  const address = fieldOf(value, "href", "url", "link", "cursor");
  const [[key, place] = ["", undefined], ...others] = Object.entries(value);
  if (address !== undefined || others.length > 0) return placeIn(address, context);
  return isJsonObject(place) ? undefined : placeIn(place, { ...context, key });
}

// JSON:API and Strapi have `page[number]` and `pagination[page]`.
const PAGES = ["page", "pagination[page]", "page[number]", "pageNumber"];
const CURSORS = ["cursor", "after", "start_cursor", "page"];
const OFFSETS = ["pagination[start]", "page[offset]"];

/** `next_page_token` is sent as `page_token`, or under its own name, or under a usual one. */
function parametersFor(key: string, usual: readonly string[]): readonly string[] {
  const own = key.replace(/^.*[:.]/, "");
  const bare = own.replace(/^next[-_]?(?=.)/i, "");
  const short = /^[a-z]/.test(own) ? `${bare.slice(0, 1).toLowerCase()}${bare.slice(1)}` : bare;
  const named = /^(?:next|(?:next_?)?page)$/i.test(own) ? [] : own === "endCursor" ? ["after"] : [short, own];
  return [...new Set([...named, ...usual])];
}

// Only the query of a link is used: a link must not send the key to another host, and behind a proxy its host often
// differs from the one that we reached.
function byAddress(address: string): NextPart {
  const url = URL.parse(address, "http://service.invalid/");
  return url === null || url.search === ""
    ? { kind: "more" }
    : { kind: "query", query: Object.fromEntries(url.searchParams) };
}

function byLinkHeader(_paging: readonly JsonRecord[], { headers }: NextContext): NextPart | undefined {
  const header = headers.get("link");
  if (header === undefined) return undefined;
  const links = [...header.matchAll(/<([^>]*)>([^<]*)/g)];
  const next = links.find(([, , parameters]) =>
    /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? ""),
  );
  if (next?.[1] !== undefined) return byAddress(next[1]);
  return /rel\s*=\s*"?(?:prev|first|last)\b/i.test(header) ? { kind: "end" } : undefined;
}

function byPageNumber(paging: readonly JsonRecord[], { total, before, count }: NextContext): NextPart | undefined {
  const page = first(paging, "page", "currentPage", "pageNumber", "number");
  if (page === undefined) return undefined;
  const pages = first(paging, "totalPages", "pageCount", "lastPage", "pages");
  if (pages === undefined && total === undefined) return undefined;
  // Where pages are counted from zero, as Spring does, the part after the last one is empty.
  const isOnly = before === 0 && page === 0 && (pages ?? 0) <= 1;
  const isLast = pages === undefined ? before + count >= (total ?? 0) : isOnly || page >= pages;
  return isLast ? { kind: "end" } : { kind: "place", value: String(page + 1), parameters: PAGES };
}

// Jira has `startAt`; SCIM and OpenSearch have `startIndex`, which begins at 1; Elasticsearch has `from`.
const OFFSET_NAMES = ["offset", "skip", "start", "startAt", "startIndex", "from"];

function byOffset(paging: readonly JsonRecord[], { total, count }: NextContext): NextPart | undefined {
  const name = OFFSET_NAMES.find((each) => first(paging, each) !== undefined);
  if (name === undefined || total === undefined) return undefined;
  const next = (first(paging, name) ?? 0) + count;
  const end = name === "startIndex" ? total + 1 : total;
  return next >= end ? { kind: "end" } : { kind: "place", value: String(next), parameters: [name, ...OFFSETS] };
}

function byFlag(paging: readonly JsonRecord[]): NextPart | undefined {
  const describesMore = (frame: JsonRecord) => MORE_NAMES.some((name) => fieldOf(frame, name) === true);
  return paging.some(describesMore) ? { kind: "more" } : undefined;
}

function byTotal(_paging: readonly JsonRecord[], { total, before, count }: NextContext): NextPart | undefined {
  if (total === undefined) return undefined;
  return before + count >= total ? { kind: "end" } : { kind: "more" };
}

function first(paging: readonly JsonRecord[], ...names: readonly string[]): number | undefined {
  return paging.map((frame) => countOf(frame, ...names)).find((number) => number !== undefined);
}

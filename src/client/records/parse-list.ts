import { isJsonObject } from "../../base/json.ts";
import { countOf, fieldOf, isNull, snakeCase, type JsonRecord } from "./fields.ts";
import { ENVELOPE_NAMES, reportsFailure } from "./read-record.ts";

/** How to request the rest of a list. */
export type NextPart =
  /** The service reports that nothing follows. */
  | { readonly kind: "end" }
  /** The service doesn't report whether more follows. */
  | { readonly kind: "unsaid" }
  | { readonly kind: "query"; readonly query: Readonly<Record<string, string>> }
  /** The service reports that more follows, but not how to request it. */
  | { readonly kind: "more" };

/** One response to a list request. */
export interface ListPart {
  readonly items: readonly unknown[];
  readonly next: NextPart;
  /** The total count, if the service reports it. */
  readonly total: number | undefined;
}

export interface ListContext {
  /** Names that a service may use for the list in its response, likeliest first: `pages`. */
  readonly names: readonly string[];
  readonly headers: ReadonlyMap<string, string>;
  /** The query that was sent. */
  readonly query: Readonly<Record<string, string>>;
  /** Number of items read before this response. */
  readonly before: number;
}

const LIST_NAMES = [...ENVELOPE_NAMES, "items", "results", "records", "entries", "list"];
const PAGING_NAMES = [
  "pagination",
  "paging",
  "pageInfo",
  "resultInfo",
  "meta",
  "page",
  "links",
  "_links",
  "cursor",
  "cursors",
];

/**
 * Parses one part of a list in any common shape: a bare list, or one under `data`, `items`, or its own name; with the
 * next part given by a cursor, a link, a page number, an offset, or a `Link` header. Returns `undefined` if it contains
 * no list. `null` is an empty one, as Go encodes a nil slice.
 */
export function parseListPart(json: unknown, context: ListContext): ListPart | undefined {
  const frames = framesOf(json);
  const isEmpty = json === null || hasNull(frames, context.names);
  const items: readonly unknown[] | undefined = Array.isArray(json)
    ? json
    : (findItems(frames, context.names) ?? (isEmpty ? [] : undefined));
  if (items === undefined) return undefined;
  const paging = frames.flatMap((frame) => [
    frame,
    ...PAGING_NAMES.map((name) => fieldOf(frame, name)).filter(isJsonObject),
  ]);
  const total = totalOf(paging, context.headers);
  return { items, next: nextOf(paging, { ...context, total, count: items.length }), total };
}

/** Returns the JSON of a response to a list request; `null` for a response without content. */
export function contentOf({ status, json }: { readonly status: number; readonly json: unknown }): unknown {
  return status === 204 ? null : json;
}

// {data: {items: […], nextCursor}} is an envelope within an envelope.
function framesOf(json: unknown): readonly JsonRecord[] {
  return isJsonObject(json) ? [json, ...ENVELOPE_NAMES.map((name) => fieldOf(json, name)).filter(isJsonObject)] : [];
}

function hasNull(frames: readonly JsonRecord[], names: readonly string[]): boolean {
  return !frames.some(reportsFailure) && frames.some((frame) => isNull(frame, ...LIST_NAMES, ...names));
}

function findItems(frames: readonly JsonRecord[], names: readonly string[]): readonly unknown[] | undefined {
  for (const frame of frames) {
    const named = [...LIST_NAMES, ...names].map((name) => fieldOf(frame, name)).find((value) => Array.isArray(value));
    if (Array.isArray(named)) return named;
  }
  const lists = frames
    .flatMap((frame) => Object.entries(frame))
    .filter(([name]) => !/^(?:errors?|warnings|messages|links)$/.test(name))
    .flatMap(([, value]) => (Array.isArray(value) ? [value] : []));
  return lists.length === 1 ? lists[0] : undefined;
}

function totalOf(paging: readonly JsonRecord[], headers: ReadonlyMap<string, string>): number | undefined {
  const range = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const header = headers.get("x-total-count") ?? headers.get("total-count") ?? headers.get("x-wp-total") ?? range;
  const totals = paging.map((frame) =>
    countOf(frame, "total", "totalCount", "totalItems", "totalResults", "totalElements"),
  );
  return totals.find((total) => total !== undefined) ?? countOf({ header }, "header");
}

interface NextContext extends ListContext {
  readonly total: number | undefined;
  readonly count: number;
}

function nextOf(paging: readonly JsonRecord[], context: NextContext): NextPart {
  const ways = [byCursor, byLinkHeader, byPageNumber, byOffset, byFlag, byTotal];
  for (const way of ways) {
    const next = way(paging, context);
    if (next !== undefined) return next;
  }
  return { kind: "unsaid" };
}

const CURSOR_NAMES = ["nextCursor", "nextPageToken", "nextToken", "nextPage", "nextUrl", "next", "endCursor", "cursor"];

function byCursor(paging: readonly JsonRecord[], { query }: NextContext): NextPart | undefined {
  if (paging.some((frame) => reportsEnd(frame))) return { kind: "end" };
  let isEnd = false;
  for (const name of CURSOR_NAMES) {
    for (const frame of paging) {
      if (isNothing(frame, name)) isEnd = isEnd || name !== "cursor";
      const found = queryFrom(fieldOf(frame, name), { name, query });
      if (found !== undefined) return found;
    }
  }
  return isEnd ? { kind: "end" } : undefined;
}

function reportsEnd(frame: JsonRecord): boolean {
  return (
    ["hasMore", "hasNext", "hasNextPage"].some((name) => fieldOf(frame, name) === false) ||
    fieldOf(frame, "last", "isLast") === true
  );
}

function isNothing(frame: JsonRecord, name: string): boolean {
  const names = [name, snakeCase(name)];
  return names.some((key) => Object.hasOwn(frame, key) && [null, "", false].some((nothing) => frame[key] === nothing));
}

function queryFrom(
  value: unknown,
  { name, query }: { readonly name: string; readonly query: NextContext["query"] },
): NextPart | undefined {
  if (isJsonObject(value)) return queryFrom(fieldOf(value, "href", "url", "cursor"), { name, query });
  const page = typeof value === "number" ? value : undefined;
  if (page !== undefined) return { kind: "query", query: { ...query, page: String(page) } };
  if (typeof value !== "string" || value === "") return undefined;
  if (/^(?:https?:)?\/|^\?/.test(value)) return byAddress(value);
  // A service may repeat the cursor of the request.
  if (name === "cursor" && value === query.cursor) return undefined;
  return { kind: "query", query: { ...query, [PARAMETERS.get(name) ?? "cursor"]: value } };
}

const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ["nextPageToken", "pageToken"],
  ["nextPage", "page"],
  ["endCursor", "after"],
]);

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

function byPageNumber(
  paging: readonly JsonRecord[],
  { query, total, before, count }: NextContext,
): NextPart | undefined {
  const page = first(paging, "page", "currentPage", "pageNumber", "number");
  if (page === undefined) return undefined;
  const pages = first(paging, "totalPages", "pageCount", "lastPage", "pages");
  if (pages === undefined && total === undefined) return undefined;
  // Where pages are counted from zero, as Spring does, the part after the last one is empty.
  const isOnly = before === 0 && page === 0 && (pages ?? 0) <= 1;
  const isLast = pages === undefined ? before + count >= (total ?? 0) : isOnly || page >= pages;
  return isLast ? { kind: "end" } : { kind: "query", query: { ...query, page: String(page + 1) } };
}

function byOffset(paging: readonly JsonRecord[], { query, total, count }: NextContext): NextPart | undefined {
  const name = ["offset", "skip"].find((each) => first(paging, each) !== undefined);
  if (name === undefined || total === undefined) return undefined;
  const next = (first(paging, name) ?? 0) + count;
  return next >= total ? { kind: "end" } : { kind: "query", query: { ...query, [name]: String(next) } };
}

function byFlag(paging: readonly JsonRecord[]): NextPart | undefined {
  const describesMore = (frame: JsonRecord) =>
    ["hasMore", "hasNext", "hasNextPage"].some((name) => fieldOf(frame, name) === true);
  return paging.some(describesMore) ? { kind: "more" } : undefined;
}

function byTotal(_paging: readonly JsonRecord[], { total, before, count }: NextContext): NextPart | undefined {
  if (total === undefined) return undefined;
  return before + count >= total ? { kind: "end" } : { kind: "more" };
}

function first(paging: readonly JsonRecord[], ...names: readonly string[]): number | undefined {
  return paging.map((frame) => countOf(frame, ...names)).find((number) => number !== undefined);
}

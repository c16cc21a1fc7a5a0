import { pluralize } from "../base/pluralize.ts";
import { ImprintError } from "../base/error.ts";
import type { OperationName } from "../contract/operations.ts";
import { LISTS_COMPLETE } from "../contract/dialect.ts";
import { USUAL_PAGE_SIZES } from "../contract/limits.ts";
import type { CallOptions, Listing } from "./api.ts";
import { isJsonObject } from "../base/json.ts";
import { ID_NAMES, idOf } from "./records/fields.ts";
import { contentOf, parseListPart, type ListPart } from "./records/parse-list.ts";
import { unreadable, type RecordContext } from "./records/read-record.ts";
import type { Session, SessionReply } from "./session.ts";
import { failureOf } from "./transport/outcome.ts";

export interface ListRequest<Item> {
  readonly operation: OperationName;
  readonly parameters?: readonly string[];
  /** Filters that a service may not support; everything is then requested. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** Names that a service may use for the list in its response. */
  readonly names: readonly string[];
  readonly parse: (json: unknown, context: RecordContext) => Item;
  /** Whether a record is to be kept in place of one of the same id that was listed before. Default: the first is. */
  readonly replaces?: (record: Item, other: Item) => boolean;
  /** A length at which the service is known to truncate the list, in addition to the usual ones. */
  readonly pageSize?: number | undefined;
  readonly options?: CallOptions;
}

const ITEMS_PER_REQUEST = "100";
const MAX_REQUESTS = 10_000;
/** Parts without anything new in a row: a service may leave out what the key may not see. */
const MOST_EMPTY = 20;

/**
 * Reads a complete list. A list that is cyclic or too long to request is an error, never a short list: a caller might
 * create what is missing.
 */
export async function readList<Item>(session: Session, request: ListRequest<Item>): Promise<Listing<Item>> {
  const items = new Map<string, Item>();
  const asked = new Set<string>();
  let [total, empty]: [number | undefined, number] = [undefined, 0];
  // The user may know that the list ends where nothing new follows.
  const end = (from: string): Listing<Item> => {
    if (session.dialect().lists !== LISTS_COMPLETE) throw endless(from, { read: items.size, total });
    return { items: [...items.values()], total: undefined, end: "said" };
  };
  const first: Query = { limit: ITEMS_PER_REQUEST, ...definedOnly(request.filters ?? {}) };
  let read = addPart(await requestPart(session, request, first), { items, request });
  for (let sent = 1; sent < MAX_REQUESTS; sent++) {
    const { query, from, part } = read;
    const { next } = part;
    total = part.total ?? total;
    if (next.kind !== "query" && next.kind !== "place") {
      // If a service returned a next page before and now doesn't, this was the last part.
      const isSaid = next.kind === "end" || (next.kind === "unsaid" && sent > 1);
      const isAnnounced = next.kind === "more";
      const before = { items, query, size: part.items.length, last: part.items.at(-1), isAnnounced };
      const isWhole = isSaid || (await readOn(session, request, before));
      if (!isWhole && isAnnounced) return end(from);
      return { items: [...items.values()], total, end: isWhole ? "said" : "assumed" };
    }
    asked.add(describeQuery(query));
    const following = await readFollowing(session, request, { items, query, next, asked });
    empty = following?.added === 0 ? empty + 1 : 0;
    if (following === undefined || empty > MOST_EMPTY) return end(from);
    read = following;
  }
  throw endless(request.operation, { read: items.size, total });
}

interface Announced<Item> extends Pick<ReadPart<Item>, "items" | "query"> {
  readonly next: Extract<ListPart["next"], { kind: "query" | "place" }>;
  /** The queries that were sent before. */
  readonly asked: ReadonlySet<string>;
}

/** Requests the part that follows; returns `undefined` if it brings nothing new, whatever parameter is used. */
async function readFollowing<Item>(
  session: Session,
  request: ListRequest<Item>,
  { items, query, next, asked }: Announced<Item>,
): Promise<AddedPart | undefined> {
  const isNew = (wanted: Query) => !asked.has(describeQuery(wanted));
  if (next.kind === "query") {
    const whole = withOwnLimit(next.query, query);
    const reply = whole !== undefined && isNew(whole) ? await requestUnannounced(session, request, whole) : undefined;
    const own = reply && addPart(reply, { items, request });
    if (own !== undefined && !isRepeated(own)) return own;
    if (!isNew(next.query)) return undefined;
    const read = addPart(await requestNext(session, request, next.query), { items, request });
    return isRepeated(read) ? undefined : read;
  }
  const { lists = "" } = session.dialect();
  const [usual] = next.parameters;
  const learned = next.parameters.filter((parameter) => parameter === lists);
  for (const parameter of new Set([...learned, ...next.parameters])) {
    const wanted = { ...query, [parameter]: next.value };
    const reply = isNew(wanted) ? await requestUnannounced(session, request, wanted) : undefined;
    const read = reply && addPart(reply, { items, request });
    if (read === undefined || isRepeated(read)) continue;
    if (parameter !== usual && parameter !== lists) learnWay(parameter, session);
    return read;
  }
  return undefined;
}

// The next page of an address without our limit may have another size, and begin before or after the end of this one.
function withOwnLimit(next: Query, { limit }: Query): Query | undefined {
  const names = Object.keys(next);
  const isNumbered = names.some((name) => /^page(?:_?(?:no|number))?$/i.test(name) && /^\d+$/.test(next[name] ?? ""));
  const hasSize = names.some((name) => /limit|size|per_?page|count/i.test(name));
  return limit === undefined || !isNumbered || hasSize ? undefined : { ...next, limit };
}

// A service sends its first part again if it doesn't know a parameter.
function isRepeated({ part, added }: AddedPart): boolean {
  return added === 0 && part.items.length > 0;
}

interface ReadPart<Item> {
  /** What was read so far; the rest is added to it. */
  readonly items: Map<string, Item>;
  readonly query: Query;
  /** Number of entries in the last part, and the last of them. */
  readonly size: number;
  readonly last: unknown;
  /** Whether the service reports that more follows. */
  readonly isAnnounced: boolean;
}

const USUAL_WAYS_ON = ["page", "offset"];
const WAYS_BY_ID = ["starting_after", "after"];
const WAYS_ON = [...USUAL_WAYS_ON, "skip", ...WAYS_BY_ID];

/**
 * Continues reading a list if the service doesn't report how to request its next part: where it reports that more
 * follows, or where the list ends at a length at which services commonly truncate. Returns whether the list is then
 * known to be complete.
 */
async function readOn<Item>(
  session: Session,
  request: ListRequest<Item>,
  { items, query, size, last, isAnnounced }: ReadPart<Item>,
): Promise<boolean> {
  const { pageSize = Number.POSITIVE_INFINITY } = request;
  if (!isAnnounced && !USUAL_PAGE_SIZES.has(size) && size < pageSize) return false;
  const { lists } = session.dialect();
  const usual = isAnnounced ? WAYS_ON : USUAL_WAYS_ON;
  const learned = WAYS_ON.filter((way) => way === lists);
  const ways = learned.length === 0 ? usual : isAnnounced ? new Set([...learned, ...WAYS_ON]) : learned;
  for (const way of ways) {
    let [parts, before] = [1, last];
    for (let read = items.size; parts < MAX_REQUESTS; parts++) {
      const place = way === "page" ? parts + 1 : WAYS_BY_ID.includes(way) ? idIn(before) : read;
      if (place === undefined) break;
      const reply = await requestUnannounced(session, request, { ...query, [way]: String(place) });
      if (reply === undefined) break;
      const { part, added } = addPart(reply, { items, request });
      if (part.items.length === 0 && (!isAnnounced || parts > 1)) return true;
      // A repeated part may also contain records added in the meantime.
      if (part.items.length === 0 || added * 2 < part.items.length) break;
      if (parts === 1 && learned.length === 0) learnWay(way, session);
      if (part.next.kind === "end" || (!isAnnounced && part.items.length < size)) return true;
      read += part.items.length;
      before = part.items.at(-1);
    }
    if (parts > 1) return !isAnnounced;
  }
  return false;
}

function learnWay(lists: string, session: Session): void {
  if (session.dialect().lists !== LISTS_COMPLETE) session.learn({ lists }, undefined);
}

async function requestUnannounced<Item>(
  session: Session,
  request: ListRequest<Item>,
  query: Query,
): Promise<SessionReply | undefined> {
  try {
    return await requestNext(session, request, query);
  } catch (error) {
    if (isUnknownQuery(error)) return undefined;
    throw error;
  }
}

function requestNext<Item>(
  session: Session,
  { operation, parameters, options }: ListRequest<Item>,
  query: Query,
): Promise<SessionReply> {
  return session.call(operation, { parameters, query, signal: options?.signal });
}

/** Returns the first entry of a list, or `undefined` if it is empty. */
export async function readFirst<Item>(session: Session, request: ListRequest<Item>): Promise<Item | undefined> {
  const query = { limit: "1", ...definedOnly(request.filters ?? {}) };
  const reply = await requestPart(session, request, query);
  const [first] = readPart(reply, { names: request.names, before: 0 }).items;
  return first === undefined ? undefined : request.parse(first, reply.context);
}

type Query = Readonly<Record<string, string>>;

/** Requests the first part of a list, without the parameters that the service rejects. */
async function requestPart<Item>(
  session: Session,
  { operation, parameters, options }: ListRequest<Item>,
  query: Query,
): Promise<SessionReply> {
  return await session.call(operation, { parameters, query, optional: Object.keys(query), signal: options?.signal });
}

function isUnknownQuery(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return status === 400 || status === 404 || status === 422;
}

function readPart(
  reply: SessionReply,
  { names, before }: { readonly names: readonly string[]; readonly before: number },
): ListPart {
  const part = parseListPart(contentOf(reply), { names, headers: reply.headers, query: reply.query, before });
  if (part !== undefined) return part;
  throw unreadable(`list of ${names[0]}`, { ...reply.context, json: reply.json });
}

interface AddedPart {
  readonly part: ListPart;
  /** Number of entries that no part before had. */
  readonly added: number;
  /** The query that it was requested with. */
  readonly query: Query;
  /** The request: `GET /api/pages`. */
  readonly from: string;
}

interface Adding<Item> extends Pick<ReadPart<Item>, "items"> {
  readonly request: Pick<ListRequest<Item>, "names" | "parse" | "replaces">;
}

/** Adds the entries of a part of a list to those read before. */
function addPart<Item>(reply: SessionReply, { items, request: { names, parse, replaces } }: Adding<Item>): AddedPart {
  const before = items.size;
  const { query, context } = reply;
  const part = readPart(reply, { names, before });
  // Parts may overlap if records are added in the meantime. Two records that only share a slug are both kept. Addresses
  // that are signed anew make a record look new, so an id counts by whatever name the host gives it.
  for (const item of part.items) {
    const parsed = idIn(item) === undefined ? parse(item, context) : undefined;
    const id = idIn(item) ?? idIn(parsed);
    const key = id === undefined ? JSON.stringify(item) : `id ${id}`;
    const known = items.get(key);
    if (known !== undefined && replaces === undefined) continue;
    const record = parsed ?? parse(item, context);
    if (known === undefined || replaces?.(record, known) === true) items.set(key, record);
  }
  return { part, added: items.size - before, query, from: context.from };
}

function idIn(item: unknown): string | undefined {
  return isJsonObject(item) ? idOf(item, ...ID_NAMES) : undefined;
}

function definedOnly(filters: Readonly<Record<string, string | undefined>>): Query {
  const entries = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(entries);
}

function describeQuery(query: Query): string {
  return new URLSearchParams(Object.entries(query).sort()).toString();
}

interface ReadSoFar {
  /** Number of entries. */
  readonly read: number;
  /** Number of all entries, as the service reports it. */
  readonly total: number | undefined;
}

function endless(from: string, { read, total = 0 }: ReadSoFar): ImprintError {
  const count = pluralize(read, "entry", "entries");
  const message = `The list of ${from} announces more after ${count}, but the next request returns nothing new.`;
  const hint = `The service reports ${pluralize(total, "entry", "entries")}. If only that number is wrong, and the list has everything, set \`dialect: { lists: "${LISTS_COMPLETE}" }\` in the options. Otherwise, ask the service how to read the rest.`;
  return new ImprintError("RESPONSE_UNREADABLE", message, total > read ? { hint } : {});
}

import { isJsonObject } from "../../base/json.ts";
import { ENVELOPE_NAMES, fieldOf, ID_NAMES, isNull, type JsonRecord } from "./fields.ts";
import { parsePaging, type ListPaging, type PagingContext } from "./paging.ts";
import { reportsFailure } from "./reported-failure.ts";

/** One response to a list request. */
export interface ListPart extends ListPaging {
  readonly items: readonly unknown[];
}

export interface ListContext extends Omit<PagingContext, "count"> {
  /** Names that a service may use for the list in its response, likeliest first: `pages`. */
  readonly names: readonly string[];
}

const USUAL_NAMES = ["items", "results", "records", "entries", "list"];
const LIST_NAMES = [...ENVELOPE_NAMES, ...USUAL_NAMES];

/**
 * Parses one part of a list in any common shape: a bare list, or one under `data`, `items`, or its own name. Returns
 * `undefined` if it contains no list. `null` is an empty one, as Go encodes a nil slice. An object whose records are
 * named by their index or ID is a list, as PHP encodes an array with gaps.
 */
export function parseListPart(json: unknown, context: ListContext): ListPart | undefined {
  const frames = framesOf(json);
  const isEmpty = json === null || hasNull(frames, context.names);
  const items: readonly unknown[] | undefined = Array.isArray(json)
    ? json
    : (findItems(frames, context.names) ?? findKeyedItems(frames, context.names) ?? (isEmpty ? [] : undefined));
  return items && { items, ...parsePaging(frames, { ...context, count: items.length }) };
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

function findKeyedItems(frames: readonly JsonRecord[], names: readonly string[]): readonly unknown[] | undefined {
  if (frames.some(reportsFailure)) return undefined;
  const named = frames.flatMap((frame) => [...USUAL_NAMES, ...names].map((name) => fieldOf(frame, name)));
  // Nothing may be in an envelope for other reasons.
  return named.map(keyedItems).find(isDefined) ?? frames.map(keyedItems).find((items) => items?.length);
}

const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;

function keyedItems(value: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const isKeyed = ([key, item]: readonly [string, unknown]) =>
    isJsonObject(item) && (/^\d+$/.test(key) || ID_NAMES.some((name) => String(item[name]) === key));
  return Object.entries(value).every(isKeyed) ? Object.values(value) : undefined;
}

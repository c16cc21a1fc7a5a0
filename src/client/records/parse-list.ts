import { isJsonObject } from "../../base/json.ts";
import { ENVELOPE_NAMES, fieldOf, isNull, type JsonRecord } from "./fields.ts";
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

const LIST_NAMES = [...ENVELOPE_NAMES, "items", "results", "records", "entries", "list"];

/**
 * Parses one part of a list in any common shape: a bare list, or one under `data`, `items`, or its own name. Returns
 * `undefined` if it contains no list. `null` is an empty one, as Go encodes a nil slice.
 */
export function parseListPart(json: unknown, context: ListContext): ListPart | undefined {
  const frames = framesOf(json);
  const isEmpty = json === null || hasNull(frames, context.names);
  const items: readonly unknown[] | undefined = Array.isArray(json)
    ? json
    : (findItems(frames, context.names) ?? (isEmpty ? [] : undefined));
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

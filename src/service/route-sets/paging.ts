import { ProblemError } from "../resources/problem-error.ts";
import type { Context } from "../resources/context.ts";
import { formatCursor, parseCursor } from "../store/keyset.ts";
import type { Slice, Window } from "../store/keyset.ts";
import type { Reply } from "./reply.ts";

interface PagingQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The part of a list that a request asks for; throws `invalid_query` for a cursor that no list gave out. */
export function windowOf({ limit, cursor }: PagingQuery, { limits, quirks, now }: Context): Window {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ProblemError("invalid_query", {
      errors: [{ pointer: "/query/cursor", detail: "is not a cursor of this list" }],
    });
  }
  return {
    after,
    limit: quirks.lists === "unpaged" ? Number.MAX_SAFE_INTEGER - 1 : (limit ?? limits.defaultListLimit),
    visibleUntil: quirks.listLagMs === 0 ? Number.POSITIVE_INFINITY : now.getTime() - quirks.listLagMs,
  };
}

export interface ListOptions<Item> {
  readonly context: Context;
  readonly fields?: readonly string[] | undefined;
  view(item: Item): Readonly<Record<string, unknown>>;
}

export function listReply<Item>({ items, next }: Slice<Item>, { context, fields, view }: ListOptions<Item>): Reply {
  const list = { kind: "list", status: 200, items: items.map((item) => view(item)), fields } as const;
  if (context.quirks.lists !== "paged") return list;
  return { ...list, nextCursor: next === undefined ? null : formatCursor(next) };
}

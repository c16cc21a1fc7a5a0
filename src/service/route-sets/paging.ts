import { ProblemError } from "../resources/problem-error.ts";
import type { Context } from "../resources/context.ts";
import { formatCursor, parseCursor, type Slice, type Window } from "../store/keyset.ts";
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
    limit: limitOf(limit, { limits, quirks }),
    visibleUntil: quirks.listLagMs === 0 ? Number.POSITIVE_INFINITY : now.getTime() - quirks.listLagMs,
  };
}

// A list that is cut without a word is cut at the same place whatever was asked for.
function limitOf(asked: number | undefined, { limits, quirks }: Pick<Context, "limits" | "quirks">): number {
  if (quirks.lists === "unpaged") return Number.MAX_SAFE_INTEGER - 1;
  return quirks.lists === "cut" ? limits.defaultListLimit : (asked ?? limits.defaultListLimit);
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

import { sql, type RawBuilder, type SelectQueryBuilder, type Simplify } from "kysely";
import type { Tables } from "./tables.ts";

/** Where a list continues: after the record with this time and id, newest first. */
export interface Position {
  readonly createdAt: number;
  readonly id: string;
}

/** The requested page of a list. */
export interface Window {
  readonly after: Position | undefined;
  readonly limit: number;
  /** Records created later than this, in milliseconds since 1970, are not listed yet. */
  readonly visibleUntil: number;
}

/** A page of a list. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly next: Position | undefined;
}

export function formatCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

/** Parses a cursor of `formatCursor`; returns `undefined` for any other text. */
export function parseCursor(cursor: string): Position | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
  const [createdAt, id]: readonly unknown[] = parsed;
  return Number.isSafeInteger(createdAt) && typeof createdAt === "number" && typeof id === "string"
    ? { createdAt, id }
    : undefined;
}

/**
 * Reads one page of a list, newest first by `(created_at, id)`. Keyset pagination neither skips nor repeats rows when
 * others are added or deleted meanwhile.
 */
export async function readSlice<Table extends keyof Tables, Row extends ListedItem>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  window: Window,
): Promise<Slice<Simplify<Row>>> {
  const rows = await query
    .where(inWindow(window))
    .orderBy(sql.ref("createdAt"), "desc")
    .orderBy(sql.ref("id"), "desc")
    // One more row shows whether there is a next page.
    .limit(window.limit + 1)
    .execute();
  return toSlice(rows, window.limit);
}

export interface ListedItem {
  readonly createdAt: Date;
  readonly id: string;
}

/** A value, or its placeholder in a prebuilt statement. */
export type Given<Value> = Value | RawBuilder<Value>;

/** Bounds of the rows in a window. */
export interface Bounds extends Pick<Window, "visibleUntil"> {
  readonly after: { readonly createdAt: Given<number>; readonly id: Given<string> } | undefined;
}

/** SQL condition for the rows of a window. */
export function inWindow({ after, visibleUntil }: Bounds): RawBuilder<boolean> {
  const visible = Number.isFinite(visibleUntil) ? sql<boolean>`created_at <= ${visibleUntil}` : sql<boolean>`true`;
  return after === undefined ? visible : sql`(created_at, id) < (${after.createdAt}, ${after.id}) and ${visible}`;
}

/** Cuts off the extra row and returns the position after the last one. */
export function toSlice<Item extends ListedItem>(rows: readonly Item[], limit: number): Slice<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, next: hasMore ? { createdAt: last.createdAt.getTime(), id: last.id } : undefined };
}

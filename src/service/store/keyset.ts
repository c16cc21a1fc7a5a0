import { sql, type RawBuilder, type SelectQueryBuilder, type Simplify } from "kysely";
import { likePattern, textsIn } from "./database.ts";
import type { Database, Tables } from "./tables.ts";

/** The order of a list. It needs an index that starts with the account and this column. */
export interface Sort {
  /** A non-null column or expression. */
  readonly by: RawBuilder<string | number>;
  readonly kind: "text" | "number";
  readonly direction: "asc" | "desc";
}

const CREATED = sql.ref<number>("createdAt");

/** The default order, and the only one of the API. */
export const NEWEST: Sort = { by: CREATED, kind: "number", direction: "desc" };

/** Where a list continues: after the record with this id, whose column has this value. */
export interface Position {
  readonly key: string | number;
  readonly id: string;
}

/** The requested page of a list. */
export interface Window {
  /** @default NEWEST */
  readonly sort?: Sort | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Records created later than this, in milliseconds since 1970, are not listed yet. */
  readonly visibleUntil?: number | undefined;
}

/** A page of a list. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly next: Position | undefined;
}

export function formatCursor({ key, id }: Position): string {
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

/** Parses a cursor of `formatCursor`; returns `undefined` for any other text, and for a cursor of another order. */
export function parseCursor(cursor: string, kind: Sort["kind"] = "number"): Position | undefined {
  try {
    const [key, id, ...others]: readonly unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (typeof id !== "string" || others.length > 0) return undefined;
    if (kind === "text") return typeof key === "string" ? { key, id } : undefined;
    return typeof key === "number" && Number.isFinite(key) ? { key, id } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads one page of a list. Keyset pagination neither skips nor repeats rows when others are added or deleted
 * meanwhile.
 */
export async function readSlice<Table extends keyof Tables, Row extends ListedItem>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { sort = NEWEST, limit, ...bounds }: Window,
): Promise<Slice<Simplify<Row>>> {
  const { by, direction } = sort;
  const rows = await query
    .where(inWindow({ sort, ...bounds }))
    .$if(by !== CREATED, (all) => all.select(by.as("sortKey")))
    .orderBy(by, direction)
    .orderBy(sql.ref("id"), direction)
    // One more row shows whether there is a next page.
    .limit(limit + 1)
    .execute();
  return toSlice<Simplify<Row> & Sorted>(rows, limit);
}

export interface ListedItem {
  readonly createdAt: Date;
  readonly id: string;
}

/** A value, or its placeholder in a prebuilt statement. */
export type Given<Value> = Value | RawBuilder<Value>;

export interface Bounds extends Pick<Window, "sort" | "visibleUntil"> {
  readonly after?: { readonly key: Given<string | number>; readonly id: Given<string> } | undefined;
}

/** SQL condition for the rows of a window. */
export function inWindow({ sort = NEWEST, after, visibleUntil = Number.POSITIVE_INFINITY }: Bounds) {
  const { by, direction } = sort;
  const sign = sql.raw(direction === "asc" ? ">" : "<");
  const visible = Number.isFinite(visibleUntil) ? sql<boolean>`created_at <= ${visibleUntil}` : sql<boolean>`true`;
  if (after === undefined) return visible;
  // Implied by the next condition, for which SQLite can't use an index on an expression.
  const first = by === CREATED ? sql`true` : sql`${by} ${sign}= ${after.key}`;
  return sql<boolean>`${first} and (${by}, id) ${sign} (${after.key}, ${after.id}) and ${visible}`;
}

interface Sorted {
  readonly id: string;
  readonly createdAt?: Date;
  /** The value of the column that the list is sorted by, if that isn't `createdAt`. */
  readonly sortKey?: string | number | Date;
}

/** Cuts off the extra row and returns the position after the last one. */
export function toSlice<Item extends Sorted>(rows: readonly Item[], limit: number): Slice<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, next: undefined };
  const { sortKey: key = last.createdAt ?? 0, id } = last;
  return { items, next: { key: key instanceof Date ? key.getTime() : key, id } };
}

/** Search criteria for a list; an absent one doesn't narrow it down. */
export interface Sought {
  readonly ids?: readonly string[] | undefined;
  /** Part of one of the searched columns. */
  readonly text?: string | undefined;
  readonly window: Window;
}

/** Reads one page of search results. For lists short enough to scan. */
export async function readSought<Table extends keyof Tables, Row extends ListedItem>(
  database: Database,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { ids, text, window, columns }: Sought & { readonly columns: readonly string[] },
) {
  const pattern = likePattern(text ?? "");
  const matches = columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`);
  return await readSlice(
    query
      .$if(ids !== undefined, (all) => all.where(sql<boolean>`id in ${textsIn(database, ids ?? [])}`))
      .$if(text !== undefined, (all) => all.where(sql<boolean>`(${sql.join(matches, sql` or `)})`)),
    window,
  );
}

// Orders of the dashboard's lists.
const byText = (by: RawBuilder<string>): Sort => ({ by, kind: "text", direction: "asc" });
const byNumber = (by: RawBuilder<number>): Sort => ({ by, kind: "number", direction: "desc" });

export const OLDEST: Sort = { ...NEWEST, direction: "asc" };
export const CHANGED = byNumber(sql`updated_at`);
export const BY_TITLE = byText(sql`lower(title)`);
export const BY_NAME = byText(sql`lower(name)`);
export const BY_URL = byText(sql`lower(url)`);
export const BY_CLIENT = byText(sql`lower(client_name)`);
export const BY_DURATION = byNumber(sql`ms`);
export const BY_SIZE = byNumber(sql`size`);
export const LAST_SUBMISSION = byNumber(sql`coalesce((select max(created_at) from submission
  where submission.form_id = form.id and submission.spam = 0), 0)`);

import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely";
import { likePattern, textsIn } from "./database.ts";
import type { Database, Tables } from "./tables.ts";

// Lists that users can sort. The API's lists are always newest first, see `keyset.ts`.

/** The sort order of a list. It needs an index that starts with the account and this column. */
export interface Sort {
  /** A non-null column or expression. */
  readonly by: RawBuilder<string | number>;
  readonly kind: "text" | "number";
  readonly direction: "asc" | "desc";
}

/** The requested page of a sorted list. */
export interface SortedWindow {
  readonly sort: Sort;
  /** Cursor of the previous page. A cursor of another order starts from the top. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of a sorted list; `next` is the cursor of the next page. */
export interface SortedSlice<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

export const NEWEST: Sort = { by: sql<number>`created_at`, kind: "number", direction: "desc" };
export const OLDEST: Sort = { ...NEWEST, direction: "asc" };
export const CHANGED: Sort = { by: sql<number>`updated_at`, kind: "number", direction: "desc" };
export const BY_TITLE: Sort = { by: sql<string>`lower(title)`, kind: "text", direction: "asc" };
export const BY_NAME: Sort = { by: sql<string>`lower(name)`, kind: "text", direction: "asc" };
export const BY_URL: Sort = { by: sql<string>`lower(url)`, kind: "text", direction: "asc" };
export const BY_CLIENT: Sort = { by: sql<string>`lower(client_name)`, kind: "text", direction: "asc" };
export const BY_DURATION: Sort = { by: sql<number>`ms`, kind: "number", direction: "desc" };
export const LAST_SUBMISSION: Sort = {
  by: sql<number>`coalesce((select max(created_at) from submission
    where submission.form_id = form.id and submission.spam = 0), 0)`,
  kind: "number",
  direction: "desc",
};
export const BY_SIZE: Sort = { by: sql<number>`size`, kind: "number", direction: "desc" };

/** Reads one page of a list in a given order, with keyset pagination like `readSlice`. */
export async function readSorted<Table extends keyof Tables, Row extends { readonly id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { sort, after, limit }: SortedWindow,
): Promise<SortedSlice<Row>> {
  const { by, direction } = sort;
  const position = after === undefined ? undefined : parsePosition(after, sort.kind);
  const sign = sql.raw(direction === "asc" ? ">" : "<");
  const rows = await query
    .$if(position !== undefined, (all) =>
      all
        // Implied by the next condition, for which SQLite can't use an index on an expression.
        .where(sql<boolean>`${by} ${sign}= ${position?.key}`)
        .where(sql<boolean>`(${by}, id) ${sign} (${position?.key}, ${position?.id})`),
    )
    .select(by.as("sortKey"))
    .orderBy(by, direction)
    .orderBy(sql.ref("id"), direction)
    // One more row shows whether there is a next page.
    .limit(limit + 1)
    .execute();
  const items: readonly (Row & { readonly sortKey: unknown })[] = rows.slice(0, limit).map((row) => Object(row));
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: last && formatPosition(last) };
}

/** Search criteria for a list; an absent one doesn't narrow it down. */
export interface Sought {
  readonly ids?: readonly string[] | undefined;
  /** Part of one of the searched columns. */
  readonly text?: string | undefined;
  readonly window: SortedWindow;
}

/** Reads one page of search results. For lists short enough to scan. */
export async function readSought<Table extends keyof Tables, Row extends { readonly id: string }>(
  database: Database,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { ids, text, window, columns }: Sought & { readonly columns: readonly string[] },
): Promise<SortedSlice<Row>> {
  const pattern = likePattern(text ?? "");
  const matches = columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`);
  return await readSorted(
    query
      .$if(ids !== undefined, (all) => all.where(sql<boolean>`id in ${textsIn(database, ids ?? [])}`))
      .$if(text !== undefined, (all) => all.where(sql<boolean>`(${sql.join(matches, sql` or `)})`)),
    window,
  );
}

interface SortedPosition {
  readonly key: string | number;
  readonly id: string;
}

function formatPosition({ sortKey, id }: { readonly sortKey: unknown; readonly id: string }): string {
  const key = sortKey instanceof Date ? sortKey.getTime() : sortKey;
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

function parsePosition(cursor: string, kind: Sort["kind"]): SortedPosition | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(parsed)) return undefined;
    const [key, id]: readonly unknown[] = parsed;
    if (typeof id !== "string") return undefined;
    if (kind === "number" && typeof key === "number" && Number.isFinite(key)) return { key, id };
    return kind === "text" && typeof key === "string" ? { key, id } : undefined;
  } catch {
    return undefined;
  }
}

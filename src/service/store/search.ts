// Searches records of every kind by name.
import { sql } from "kysely";
import { isPostgres, likePattern } from "./database.ts";
import { isInPart, type PagesPart } from "./preview-slugs.ts";
import type { Database, Tables } from "./tables.ts";

/** A search result. */
export interface FoundRecord {
  readonly id: string;
  readonly name: string;
  /** Distinguishes records of the same name, such as a slug. */
  readonly detail: string | null;
  /** The blog's slug, for posts. */
  readonly blog: string | null;
}

interface SearchedTable {
  readonly table: keyof Tables;
  readonly name: string;
  readonly detail: string;
  /** Which pages it finds if the detail is the slug of one. Default: all. */
  readonly part?: PagesPart;
}

const SEARCHED = {
  page: { table: "page", name: "title", detail: "slug", part: "live" },
  previewPage: { table: "page", name: "title", detail: "slug", part: "previews" },
  post: { table: "post", name: "title", detail: "slug" },
  asset: { table: "asset", name: "name", detail: "alt" },
  site: { table: "site", name: "name", detail: "slug" },
  blog: { table: "blog", name: "name", detail: "slug" },
  brandKit: { table: "brandKit", name: "name", detail: "source_url" },
  form: { table: "form", name: "name", detail: "page_slug", part: "live" },
  user: { table: "accountUser", name: "name", detail: "email" },
  domain: { table: "domain", name: "name", detail: "status" },
  webhook: { table: "webhook", name: "url", detail: "description" },
} as const satisfies Readonly<Record<string, SearchedTable>>;

export type SearchedKind = keyof typeof SEARCHED;

/**
 * Searches records of a kind whose name or detail contains all words of a text, best matches first. Reads posts from an
 * index only, without their bodies.
 */
export async function searchRecords(
  database: Database,
  accountId: string,
  { kind, text, limit }: { readonly kind: SearchedKind; readonly text: string; readonly limit: number },
): Promise<readonly FoundRecord[]> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const { table, part, ...columns }: SearchedTable = SEARCHED[kind];
  const name = sql.ref(columns.name);
  const detail = sql.ref(columns.detail);
  const own =
    kind === "post"
      ? sql`blog_id in (select id from blog where account_id = ${accountId})`
      : sql`account_id = ${accountId}`;
  // SQLite's `like` ignores ASCII case; `lower` on every row would double the cost of the search.
  const like = sql.raw(isPostgres(database) ? "ilike" : "like");
  const ofPart = part === undefined ? [] : [isInPart(columns.detail, part)];
  const matches = words.map(likePattern).map((pattern) => {
    return sql`(lower(${name}) like ${pattern} escape '\\' or ${detail} ${like} ${pattern} escape '\\')`;
  });
  const start = likePattern(words.join(" ")).slice(1);
  const order = sql`case when lower(${name}) like ${start} escape '\\' then 0
    when lower(${name}) like ${`% ${start}`} escape '\\' then 1 else 2 end, lower(${name}), id`;
  const blog = kind === "post" ? sql`(select slug from blog where blog.id = blog_id)` : sql`null`;
  const { rows } = await sql<FoundRecord>`
    select id, ${name} as name, ${detail} as detail, ${blog} as blog from ${sql.table(table)}
    where id in (select id from ${sql.table(table)} where ${sql.join([own, ...ofPart, ...matches], sql` and `)}
      order by ${order} limit ${limit})
    order by ${order}`.execute(database);
  return rows;
}

// Records of every kind by what they are called, for whoever knows a name and not where it stands.
import { sql } from "kysely";
import { isPostgres, likePattern } from "./database.ts";
import type { Database, Tables } from "./tables.ts";

/** What a search shows of a record. */
export interface FoundRecord {
  readonly id: string;
  readonly name: string;
  /** What distinguishes it from others of the same name, such as its slug. */
  readonly detail: string | null;
  /** The slug of the blog of a post. */
  readonly blog: string | null;
}

interface SearchedTable {
  readonly table: keyof Tables;
  readonly name: string;
  readonly detail: string;
}

const SEARCHED = {
  page: { table: "page", name: "title", detail: "slug" },
  post: { table: "post", name: "title", detail: "slug" },
  asset: { table: "asset", name: "name", detail: "alt" },
  site: { table: "site", name: "name", detail: "slug" },
  blog: { table: "blog", name: "name", detail: "slug" },
  brandKit: { table: "brandKit", name: "name", detail: "source_url" },
  form: { table: "form", name: "name", detail: "page_slug" },
  user: { table: "accountUser", name: "name", detail: "email" },
  domain: { table: "domain", name: "name", detail: "status" },
  webhook: { table: "webhook", name: "url", detail: "description" },
} as const satisfies Readonly<Record<string, SearchedTable>>;

export type SearchedKind = keyof typeof SEARCHED;

/**
 * The records of a kind in whose name or detail all words of a text stand, the most alike first. What is looked at of posts
 * stands in an index, so that their texts are not read.
 */
export async function searchRecords(
  database: Database,
  accountId: string,
  { kind, text, limit }: { readonly kind: SearchedKind; readonly text: string; readonly limit: number },
): Promise<readonly FoundRecord[]> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const { table, ...columns } = SEARCHED[kind];
  const name = sql.ref(columns.name);
  const detail = sql.ref(columns.detail);
  const own =
    kind === "post"
      ? sql`blog_id in (select id from blog where account_id = ${accountId})`
      : sql`account_id = ${accountId}`;
  // SQLite's `like` takes capital letters for small ones; `lower` of every row would cost as much as the search.
  const like = sql.raw(isPostgres(database) ? "ilike" : "like");
  const matches = words.map(likePattern).map((pattern) => {
    return sql`(lower(${name}) like ${pattern} escape '\\' or ${detail} ${like} ${pattern} escape '\\')`;
  });
  const start = likePattern(words.join(" ")).slice(1);
  const order = sql`case when lower(${name}) like ${start} escape '\\' then 0
    when lower(${name}) like ${`% ${start}`} escape '\\' then 1 else 2 end, lower(${name}), id`;
  const blog = kind === "post" ? sql`(select slug from blog where blog.id = blog_id)` : sql`null`;
  const { rows } = await sql<FoundRecord>`
    select id, ${name} as name, ${detail} as detail, ${blog} as blog from ${sql.table(table)}
    where id in (select id from ${sql.table(table)} where ${sql.join([own, ...matches], sql` and `)}
      order by ${order} limit ${limit})
    order by ${order}`.execute(database);
  return rows;
}

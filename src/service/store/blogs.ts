import type { Selectable } from "kysely";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { countChange } from "./record-changes.ts";
import type { BlogTable, Database } from "./tables.ts";

export interface Blog {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly siteId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly postCount: number;
}

/** Finds a blog by its id or, since blogs can be listed in one route set only, by its slug. */
export async function findBlog(
  database: Database,
  { accountId, idOrSlug }: { readonly accountId: string; readonly idOrSlug: string },
): Promise<Blog | undefined> {
  const row = await selectBlogs(database, accountId)
    .where((build) => build.or([build("id", "=", idOrSlug), build("slug", "=", idOrSlug)]))
    .executeTakeFirst();
  return row && toBlog(row);
}

export async function listBlogs(database: Database, accountId: string, window: Window): Promise<Slice<Blog>> {
  const query = selectBlogs(database, accountId);
  return await readSlice(query, window, toBlog);
}

/** Inserts a blog, or replaces the record with the same id. */
export async function saveBlog(database: Database, accountId: string, blog: Blog): Promise<void> {
  const changes = {
    name: blog.name,
    slug: blog.slug,
    description: blog.description,
    site_id: blog.siteId,
    updated_at: blog.updatedAt.getTime(),
  };
  await database
    .insertInto("blog")
    .values({ id: blog.id, account_id: accountId, created_at: blog.createdAt.getTime(), ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
  await countChange(database, { accountId, kind: "blogs" }, blog.updatedAt);
}

function selectBlogs(database: Database, accountId: string) {
  return database
    .selectFrom("blog")
    .selectAll()
    .select((build) =>
      build
        .selectFrom("post")
        .select(build.fn.countAll<number>().as("count"))
        .whereRef("post.blog_id", "=", "blog.id")
        .as("post_count"),
    )
    .where("account_id", "=", accountId);
}

function toBlog(row: Selectable<BlogTable> & { readonly post_count: number | null }): Blog {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    siteId: row.site_id,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    postCount: row.post_count ?? 0,
  };
}

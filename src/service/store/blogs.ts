import type { InMemory } from "../../contract/fields.ts";
import type { BlogRecord } from "../../contract/records.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { countChange } from "./accounts.ts";
import { saveRow } from "./rows.ts";
import type { Database } from "./tables.ts";

export type Blog = InMemory<Omit<BlogRecord, "url">>;

export type BlogTable = Omit<Blog, "postCount"> & { readonly accountId: string };

/** Finds a blog by its id, or by its slug, since only one route set can list blogs. */
export async function findBlog(
  database: Database,
  { accountId, idOrSlug }: { readonly accountId: string; readonly idOrSlug: string },
): Promise<Blog | undefined> {
  return await selectBlogs(database, accountId)
    .where((build) => build.or([build("id", "=", idOrSlug), build("slug", "=", idOrSlug)]))
    .executeTakeFirst();
}

export async function listBlogs(database: Database, accountId: string, sought: Sought): Promise<Slice<Blog>> {
  return await readSought(database, selectBlogs(database, accountId), { ...sought, columns: ["name", "slug"] });
}

/** Inserts a blog or replaces the record with the same id. */
export async function saveBlog(database: Database, accountId: string, blog: Blog): Promise<void> {
  const { postCount: _, ...row } = blog;
  await saveRow(database, "blog", { ...row, accountId });
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
        .whereRef("post.blogId", "=", "blog.id")
        .$asScalar()
        .$notNull()
        .as("postCount"),
    )
    .where("accountId", "=", accountId);
}

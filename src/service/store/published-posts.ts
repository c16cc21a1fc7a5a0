import type { Asset } from "./assets.ts";
import { findBlog, type Blog } from "./blogs.ts";
import { hasText, textsIn } from "./dialect.ts";
import { findPost, SUMMARY_COLUMNS, type Post, type PostSummary } from "./posts.ts";
import type { Database } from "./tables.ts";

export interface PublishedPosts {
  readonly blog: Blog;
  readonly posts: readonly PostSummary[];
  readonly hasOlder: boolean;
}

export interface PublishedPostsKey {
  readonly accountId: string;
  readonly blogSlug: string;
}

export interface PublishedPostsRange {
  readonly offset: number;
  readonly limit: number;
  /** Only posts that have it. */
  readonly tag?: string | undefined;
}

/** What readers see of a blog: its published posts, newest first. */
export async function listPublishedPosts(
  database: Database,
  { accountId, blogSlug }: PublishedPostsKey,
  { offset, limit, tag }: PublishedPostsRange,
): Promise<PublishedPosts | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  if (blog === undefined) return undefined;
  const posts = database
    .selectFrom("post")
    .select(SUMMARY_COLUMNS)
    .where("blogId", "=", blog.id)
    .where("status", "=", "published");
  const rows = await (tag === undefined ? posts : posts.where(hasText(database, "tags", tag)))
    .orderBy("publishedAt", "desc")
    .orderBy("id", "desc")
    .offset(offset)
    .limit(limit + 1)
    .execute();
  return { blog, posts: rows.slice(0, limit), hasOlder: rows.length > limit };
}

export async function findPublishedPost(
  database: Database,
  { accountId, blogSlug, slug }: PublishedPostsKey & { readonly slug: string },
): Promise<{ readonly blog: Blog; readonly post: Post } | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  const post = blog && (await findPost(database, { blogId: blog.id, slug }));
  return blog !== undefined && post?.status === "published" ? { blog, post } : undefined;
}

/** The posts beside one in the blog's order; absent at its ends. */
export interface Neighbors {
  readonly older: PostSummary | undefined;
  readonly newer: PostSummary | undefined;
}

/** The published posts before and after a published one. */
export async function findNeighbors(database: Database, { id, blogId, publishedAt }: PostSummary): Promise<Neighbors> {
  const time = publishedAt ?? new Date(0);
  const find = async (sign: "<" | ">"): Promise<PostSummary | undefined> => {
    const order = sign === "<" ? "desc" : "asc";
    return await database
      .selectFrom("post")
      .select(SUMMARY_COLUMNS)
      .where("blogId", "=", blogId)
      .where("status", "=", "published")
      .where(({ or, and, eb }) =>
        or([eb("publishedAt", sign, time), and([eb("publishedAt", "=", time), eb("id", sign, id)])]),
      )
      .orderBy("publishedAt", order)
      .orderBy("id", order)
      .limit(1)
      .executeTakeFirst();
  };
  return { older: await find("<"), newer: await find(">") };
}

/** The bodies of posts by their ids, HTML or Markdown as it was sent. */
export async function readPostBodies(
  database: Database,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly body: string }[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("post")
    .select(["id", "html", "markdown"])
    .where("id", "in", textsIn(database, ids))
    .execute();
  return rows.map(({ id, html, markdown }) => ({ id, body: html ?? markdown ?? "" }));
}

export type ImageFacts = Pick<Asset, "id" | "width" | "height" | "alt">;

/** Sizes and descriptions of files of the library. */
export async function listImageFacts(
  database: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly ImageFacts[]> {
  if (ids.length === 0) return [];
  return await database
    .selectFrom("asset")
    .select(["id", "width", "height", "alt"])
    .where("accountId", "=", accountId)
    .where("id", "in", textsIn(database, ids))
    .execute();
}

import { findBlog } from "./blogs.ts";
import type { Blog } from "./blogs.ts";
import { findPost, toSummary, SUMMARY_COLUMNS } from "./posts.ts";
import type { Post, PostSummary } from "./posts.ts";
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

/** What readers see of a blog: its published posts, newest first. */
export async function listPublishedPosts(
  database: Database,
  { accountId, blogSlug }: PublishedPostsKey,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PublishedPosts | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  if (blog === undefined) return undefined;
  const rows = await database
    .selectFrom("post")
    .select(SUMMARY_COLUMNS)
    .where("blog_id", "=", blog.id)
    .where("status", "=", "published")
    .orderBy("published_at", "desc")
    .orderBy("id", "desc")
    .offset(offset)
    .limit(limit + 1)
    .execute();
  return { blog, posts: rows.slice(0, limit).map(toSummary), hasOlder: rows.length > limit };
}

export async function findPublishedPost(
  database: Database,
  { accountId, blogSlug, slug }: PublishedPostsKey & { readonly slug: string },
): Promise<{ readonly blog: Blog; readonly post: Post } | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  const post = blog && (await findPost(database, { blogId: blog.id, slug }));
  return blog !== undefined && post?.status === "published" ? { blog, post } : undefined;
}

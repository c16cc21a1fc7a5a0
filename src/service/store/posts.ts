import type { Selectable } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { parseTexts } from "./texts.ts";
import type { Database, PostTable } from "./tables.ts";

export interface PostSummary {
  readonly id: string;
  readonly blogId: string;
  readonly slug: string;
  /** Tells posts with one slug apart; 0 unless the service is told to duplicate. */
  readonly copy: number;
  readonly title: string;
  readonly status: "draft" | "published";
  readonly publishedAt: Date | null;
  readonly excerpt: string | null;
  readonly coverImage: string | null;
  readonly tags: readonly string[];
  readonly author: string | null;
  readonly canonicalUrl: string | null;
  readonly contentHash: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The body of a post: one of the two, as it was sent. */
export type PostContent =
  | { readonly html: string; readonly markdown: null }
  | { readonly html: null; readonly markdown: string };

export type Post = PostSummary & PostContent;

export interface PostKey {
  readonly blogId: string;
  readonly slug: string;
}

interface PostFilter {
  readonly status?: "draft" | "published" | undefined;
  readonly slug?: string | undefined;
}

export const SUMMARY_COLUMNS = [
  "id",
  "blog_id",
  "slug",
  "copy",
  "title",
  "status",
  "published_at",
  "excerpt",
  "cover_image",
  "tags",
  "author",
  "canonical_url",
  "content_hash",
  "version",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof PostTable)[];

/** The post with this slug; of several copies the newest. */
export async function findPost(database: Database, { blogId, slug }: PostKey): Promise<Post | undefined> {
  const row = await database
    .selectFrom("post")
    .selectAll()
    .where("blog_id", "=", blogId)
    .where("slug", "=", slug)
    .orderBy("copy", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toPost(row);
}

export interface PostsQuery {
  readonly filter: PostFilter;
  readonly window: Window;
}

/** Posts without their bodies. */
export async function listPosts(
  database: Database,
  blogId: string,
  { filter, window }: PostsQuery,
): Promise<Slice<PostSummary>> {
  return await readSlice(selectPosts(database, blogId, filter).select(SUMMARY_COLUMNS), window, toSummary);
}

/** Posts with their bodies. */
export async function listWholePosts(
  database: Database,
  blogId: string,
  { filter, window }: PostsQuery,
): Promise<Slice<Post>> {
  return await readSlice(selectPosts(database, blogId, filter).selectAll(), window, toPost);
}

/** Inserts a post, or replaces the record with the same id. */
export async function savePost(database: Database, post: Post): Promise<void> {
  const { id, created_at, ...changes } = fromPost(post);
  await database
    .insertInto("post")
    .values({ id, created_at, ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

export async function deletePost(database: Database, id: string): Promise<void> {
  await database.deleteFrom("post").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

function selectPosts(database: Database, blogId: string, filter: PostFilter) {
  let query = database.selectFrom("post").where("blog_id", "=", blogId);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.slug !== undefined) query = query.where("slug", "=", filter.slug);
  return query;
}

export function toSummary(row: Pick<Selectable<PostTable>, (typeof SUMMARY_COLUMNS)[number]>): PostSummary {
  return {
    id: row.id,
    blogId: row.blog_id,
    slug: row.slug,
    copy: row.copy,
    title: row.title,
    status: row.status,
    publishedAt: row.published_at === null ? null : new Date(row.published_at),
    excerpt: row.excerpt,
    coverImage: row.cover_image,
    tags: parseTexts(row.tags),
    author: row.author,
    canonicalUrl: row.canonical_url,
    contentHash: row.content_hash,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function toPost(row: Selectable<PostTable>): Post {
  const summary = toSummary(row);
  // The table's check makes sure that exactly one of the two is there.
  return row.html === null
    ? { ...summary, html: null, markdown: row.markdown ?? "" }
    : { ...summary, html: row.html, markdown: null };
}

function fromPost(post: Post): PostTable {
  return {
    id: post.id,
    blog_id: post.blogId,
    slug: post.slug,
    copy: post.copy,
    title: post.title,
    status: post.status,
    published_at: post.publishedAt?.getTime() ?? null,
    excerpt: post.excerpt,
    cover_image: post.coverImage,
    tags: JSON.stringify(post.tags),
    author: post.author,
    canonical_url: post.canonicalUrl,
    content_hash: post.contentHash,
    version: post.version,
    created_at: post.createdAt.getTime(),
    updated_at: post.updatedAt.getTime(),
    html: post.html,
    markdown: post.markdown,
  };
}

import { sql, type RawBuilder } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import { type PostRecord, postRecord } from "../../contract/records.ts";
import { type Blog, findBlog } from "./blogs.ts";
import { hasText, likePattern, textsIn } from "./database.ts";
import { readSlice, type Window } from "./keyset.ts";
import { given, selectRows } from "./rows.ts";
import type { Database } from "./tables.ts";

export type PostSummary = InMemory<Omit<PostRecord, "url" | "scheduled" | "html" | "markdown">> & {
  /** Distinguishes posts with the same slug; always 0 unless the service allows duplicates. */
  readonly copy: number;
};

/** A post with its body: HTML or Markdown, as it was sent. */
export type Post = PostSummary & {
  readonly html: string | null;
  readonly markdown: string | null;
  /** The user who saved this version; `null` for a program. */
  readonly savedBy: string | null;
};

export interface PostKey {
  readonly blogId: string;
  readonly slug: string;
}

interface PostSearch {
  /** Part of the title or slug. */
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

interface PostsQuery {
  readonly filter: {
    readonly status?: PostSummary["status"] | undefined;
    readonly slug?: string | undefined;
  } & PostSearch;
  readonly window: Window;
}

/** Columns of a post in lists: all except the body. */
export const SUMMARY_COLUMNS: readonly (keyof PostSummary)[] = [
  ...Object.keys(postRecord.full.shape).filter(isSummaryColumn),
  "copy",
];

function isSummaryColumn(field: string): field is keyof PostSummary {
  return !["url", "scheduled", "html", "markdown"].includes(field);
}

/** Returns the post with this slug; of several copies, the newest. */
export async function findPost(database: Database, { blogId, slug }: PostKey): Promise<Post | undefined> {
  const copies = selectRows(database, "post", { blogId, slug }).selectAll();
  return await copies.orderBy("copy", "desc").limit(1).executeTakeFirst();
}

/** Lists posts without their bodies. */
export async function listPosts(database: Database, blogId: string, { filter, window }: PostsQuery) {
  return await readSlice(selectPosts(database, blogId, filter).select(SUMMARY_COLUMNS), window);
}

export async function listWholePosts(database: Database, blogId: string, { filter, window }: PostsQuery) {
  return await readSlice(selectPosts(database, blogId, filter).selectAll(), window);
}

function selectPosts(database: Database, blogId: string, { status, slug, ids, tag, text }: PostsQuery["filter"]) {
  let query = selectRows(database, "post", { blogId, ...given({ status, slug }) });
  if (ids !== undefined) query = query.where("id", "in", textsIn(database, ids));
  if (tag !== undefined) query = query.where(isFound(blogId, hasText(database, "tags", tag)));
  if (text !== undefined) {
    const pattern = likePattern(text);
    const matches = sql`(lower(title) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`;
    query = query.where(isFound(blogId, matches));
  }
  return query;
}

// The subquery uses only an index; the rows contain the posts' bodies.
function isFound(blogId: string, condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`id in (select id from post where blog_id = ${blogId} and ${condition})`;
}

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
  /** Only posts with this tag. */
  readonly tag?: string | undefined;
  readonly now: Date;
}

/** Whether a post is visible to readers: a future publish date delays it. */
export function isPublic({ status, publishedAt }: Pick<Post, "status" | "publishedAt">, now: Date): boolean {
  return status === "published" && (publishedAt === null || publishedAt <= now);
}

/** SQL version of `isPublic`. */
function publicAt(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(status = 'published' and (published_at is null or published_at <= ${now}))`;
}

export async function listPublishedPosts(
  database: Database,
  { accountId, blogSlug }: PublishedPostsKey,
  { offset, limit, tag, now }: PublishedPostsRange,
): Promise<PublishedPosts | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  if (blog === undefined) return undefined;
  const posts = selectRows(database, "post", { blogId: blog.id }).select(SUMMARY_COLUMNS).where(publicAt(now));
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
  { accountId, blogSlug, slug, now }: PublishedPostsKey & { readonly slug: string; readonly now: Date },
): Promise<{ readonly blog: Blog; readonly post: Post } | undefined> {
  const blog = await findBlog(database, { accountId, idOrSlug: blogSlug });
  const post = blog && (await findPost(database, { blogId: blog.id, slug }));
  return blog !== undefined && post !== undefined && isPublic(post, now) ? { blog, post } : undefined;
}

/** The adjacent posts in the blog's order; `undefined` at its ends. */
export interface Neighbors {
  readonly older: PostSummary | undefined;
  readonly newer: PostSummary | undefined;
}

export async function findNeighbors(database: Database, { id, blogId, publishedAt }: PostSummary, now: Date) {
  const time = publishedAt ?? new Date(0);
  const find = async (sign: "<" | ">"): Promise<PostSummary | undefined> => {
    const order = sign === "<" ? "desc" : "asc";
    return await selectRows(database, "post", { blogId })
      .select(SUMMARY_COLUMNS)
      .where(publicAt(now))
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

/** Reads the bodies of posts by id, HTML or Markdown as it was sent. */
export async function readPostBodies(database: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const posts = database.selectFrom("post").select(["id", "html", "markdown"]);
  const rows = await posts.where("id", "in", textsIn(database, ids)).execute();
  return rows.map(({ id, html, markdown }) => ({ id, body: html ?? markdown ?? "" }));
}

/** Lists sizes and alternative text of library files. */
export async function listImageFacts(database: Database, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const assets = selectRows(database, "asset", { accountId }).select(["id", "width", "height", "alt"]);
  return await assets.where("id", "in", textsIn(database, ids)).execute();
}

/** A link to preview an unpublished post. */
export interface PreviewLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly postId: string;
  readonly expiresAt: Date;
}

/** Returns the post for a preview link's hash; `undefined` if the link is unknown or has expired. */
export async function findPreviewedPost(
  database: Database,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
  now: Date,
): Promise<(PostKey & Pick<PreviewLink, "expiresAt">) | undefined> {
  return await database
    .selectFrom("previewLink")
    .innerJoin("post", "post.id", "previewLink.postId")
    .innerJoin("blog", "blog.id", "post.blogId")
    .select(["post.blogId", "post.slug", "previewLink.expiresAt"])
    .where("previewLink.hash", "=", hash)
    .where("previewLink.expiresAt", ">", now)
    .where("blog.accountId", "=", accountId)
    .executeTakeFirst();
}

/** Lists the links to a post that haven't expired, the last one first. */
export async function listPreviewLinks(
  database: Database,
  postId: string,
  now: Date,
): Promise<readonly Pick<PreviewLink, "expiresAt">[]> {
  const links = selectRows(database, "previewLink", { postId }).select("expiresAt").where("expiresAt", ">", now);
  return await links.orderBy("expiresAt", "desc").execute();
}

import type { InMemory } from "../../contract/fields.ts";
import { postRecord, type PostRecord } from "../../contract/records.ts";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database } from "./tables.ts";

export type PostSummary = InMemory<Omit<PostRecord, "url" | "html" | "markdown">> & {
  /** Distinguishes posts with the same slug; 0 unless the service is set to duplicate. */
  readonly copy: number;
};

/** The body of a post: one of the two, as it was sent. */
export type PostContent =
  | { readonly html: string; readonly markdown: null }
  | { readonly html: null; readonly markdown: string };

export type Post = PostSummary & PostContent;

export type PostTable = PostSummary & { readonly html: string | null; readonly markdown: string | null };

export interface PostKey {
  readonly blogId: string;
  readonly slug: string;
}

interface PostFilter {
  readonly status?: "draft" | "published" | undefined;
  readonly slug?: string | undefined;
}

/** What a list shows of a post: all but the body. */
export const SUMMARY_COLUMNS: readonly (keyof PostSummary)[] = [
  ...Object.keys(postRecord.full.shape).filter(isSummaryColumn),
  "copy",
];

function isSummaryColumn(field: string): field is keyof PostSummary {
  return !["url", "html", "markdown"].includes(field);
}

/** The post with this slug; of several copies the newest. */
export async function findPost(database: Database, { blogId, slug }: PostKey): Promise<Post | undefined> {
  return await database
    .selectFrom("post")
    .selectAll()
    // The table's check makes sure that exactly one of the two bodies is there.
    .$castTo<Post>()
    .where("blogId", "=", blogId)
    .where("slug", "=", slug)
    .orderBy("copy", "desc")
    .limit(1)
    .executeTakeFirst();
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
  return await readSlice(selectPosts(database, blogId, filter).select(SUMMARY_COLUMNS), window);
}

/** Posts with their bodies. */
export async function listWholePosts(
  database: Database,
  blogId: string,
  { filter, window }: PostsQuery,
): Promise<Slice<Post>> {
  return await readSlice(selectPosts(database, blogId, filter).selectAll().$castTo<Post>(), window);
}

/** Inserts a post, or replaces the record with the same id. */
export async function savePost(database: Database, post: Post): Promise<void> {
  const { id, createdAt, ...changes } = post;
  await database
    .insertInto("post")
    .values({ id, createdAt, ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

export async function deletePost(database: Database, id: string): Promise<void> {
  await database.deleteFrom("post").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

function selectPosts(database: Database, blogId: string, filter: PostFilter) {
  let query = database.selectFrom("post").where("blogId", "=", blogId);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.slug !== undefined) query = query.where("slug", "=", filter.slug);
  return query;
}

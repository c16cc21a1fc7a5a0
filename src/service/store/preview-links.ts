import type { Database } from "./tables.ts";

/** A link that shows a post that is not published. */
export interface PreviewLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly postId: string;
  readonly expiresAt: Date;
}

export async function insertPreviewLink(database: Database, link: PreviewLink): Promise<void> {
  await database
    .insertInto("preview_link")
    .values({ hash: link.hash, post_id: link.postId, expires_at: link.expiresAt.getTime() })
    .execute();
}

/** Where the post of a link stands, and until when the link works. */
export interface PreviewedPost {
  readonly blogId: string;
  readonly slug: string;
  readonly expiresAt: Date;
}

/** What the link with this hash shows; `undefined` for one that has expired or is not known. */
export async function findPreviewedPost(
  database: Database,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
  now: Date,
): Promise<PreviewedPost | undefined> {
  const row = await database
    .selectFrom("preview_link")
    .innerJoin("post", "post.id", "preview_link.post_id")
    .innerJoin("blog", "blog.id", "post.blog_id")
    .select(["post.blog_id", "post.slug", "preview_link.expires_at"])
    .where("preview_link.hash", "=", hash)
    .where("preview_link.expires_at", ">", now.getTime())
    .where("blog.account_id", "=", accountId)
    .executeTakeFirst();
  return row && { blogId: row.blog_id, slug: row.slug, expiresAt: new Date(row.expires_at) };
}

export async function forgetExpiredPreviewLinks(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("preview_link").where("expires_at", "<=", now.getTime()).execute();
}

import type { Database } from "./tables.ts";

/** A link that shows a post that is not published. */
export interface PreviewLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly postId: string;
  readonly expiresAt: Date;
}

export async function insertPreviewLink(database: Database, link: PreviewLink): Promise<void> {
  await database.insertInto("previewLink").values(link).execute();
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

export async function forgetExpiredPreviewLinks(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("previewLink").where("expiresAt", "<=", now).execute();
}

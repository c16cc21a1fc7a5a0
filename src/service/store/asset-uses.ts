import { sql } from "kysely";
import { createSqlStatement, textsOfJson } from "./database.ts";
import type { Database } from "./tables.ts";

/** A kind of record that can refer to library files. */
export type AssetUserKind = "page" | "post" | "blog" | "brand-kit" | "file";

// One row per file that a record refers to, deleted with either of them.
const USES = {
  page: { table: "pageAsset", column: "pageId" },
  post: { table: "postAsset", column: "postId" },
  blog: { table: "blogAsset", column: "blogId" },
  "brand-kit": { table: "brandKitAsset", column: "brandKitId" },
  file: { table: "fileAsset", column: "fileId" },
} as const satisfies Readonly<Record<AssetUserKind, { readonly table: string; readonly column: string }>>;

export interface NotedUser {
  readonly kind: AssetUserKind;
  readonly id: string;
  readonly accountId: string;
}

/** Replaces the list of files that a record refers to. Ids that don't exist are skipped. */
export async function recordAssetUses(database: Database, user: NotedUser, assetIds: readonly string[]): Promise<void> {
  await STATEMENTS[user.kind].forget(database, { id: user.id });
  await addAssetUses(database, user, assetIds);
}

/** Adds files that a record refers to. Ids that don't exist are skipped. */
export async function addAssetUses(
  database: Database,
  { kind, id, accountId }: NotedUser,
  assetIds: readonly string[],
): Promise<void> {
  if (assetIds.length === 0) return;
  await STATEMENTS[kind].add(database, { id, accountId, assetIds: JSON.stringify(assetIds) });
}

function createStatements(kind: AssetUserKind) {
  const table = sql.table(USES[kind].table);
  const column = sql.ref(USES[kind].column);
  return {
    forget: createSqlStatement<Pick<NotedUser, "id">, unknown>(
      (_, parameter) => sql`delete from ${table} where ${column} = ${parameter("id")}`,
    ),
    add: createSqlStatement<Pick<NotedUser, "id" | "accountId"> & { readonly assetIds: string }, unknown>(
      (database, parameter) => sql`insert into ${table} (${column}, asset_id)
        select cast(${parameter("id")} as text), id from asset
        where account_id = ${parameter("accountId")} and id <> ${parameter("id")}
          and id in ${textsOfJson(database, parameter("assetIds"))}
        on conflict do nothing`,
    ),
  };
}

// Built once, since they run with every page write.
const STATEMENTS = {
  page: createStatements("page"),
  post: createStatements("post"),
  blog: createStatements("blog"),
  "brand-kit": createStatements("brand-kit"),
  file: createStatements("file"),
} as const satisfies Readonly<Record<AssetUserKind, unknown>>;

/** Column: the number of records that use the asset of the current row. */
export const USE_COUNT = sql<number>`(${sql.join(
  Object.values(USES).map(({ table }) => sql`(select count(*) from ${sql.table(table)} where asset_id = asset.id)`),
  sql` + `,
)})`;

export type AssetUser =
  | {
      readonly kind: "page";
      readonly id: string;
      readonly slug: string;
      readonly title: string;
      readonly status: "draft" | "published";
    }
  | {
      readonly kind: "post";
      readonly id: string;
      readonly blogSlug: string;
      readonly slug: string;
      readonly title: string;
      readonly status: "draft" | "published";
    }
  | { readonly kind: "blog"; readonly id: string; readonly slug: string; readonly title: string }
  | { readonly kind: "brand-kit" | "file"; readonly id: string; readonly title: string };

/**
 * Lists everything that uses an asset, published or not: pages, posts, blogs, brand kits and other files, each by name.
 */
export async function listAssetUsers(database: Database, assetId: string): Promise<readonly AssetUser[]> {
  const pages = await database
    .selectFrom("pageAsset")
    .innerJoin("page", "page.id", "pageAsset.pageId")
    .select(["page.id", "page.slug", "page.title", "page.status"])
    .where("pageAsset.assetId", "=", assetId)
    .orderBy("page.slug")
    .execute();
  const posts = await database
    .selectFrom("postAsset")
    .innerJoin("post", "post.id", "postAsset.postId")
    .innerJoin("blog", "blog.id", "post.blogId")
    .select(["post.id", "blog.slug as blogSlug", "post.slug", "post.title", "post.status"])
    .where("postAsset.assetId", "=", assetId)
    .orderBy("blog.slug")
    .orderBy("post.slug")
    .execute();
  const blogs = await database
    .selectFrom("blogAsset")
    .innerJoin("blog", "blog.id", "blogAsset.blogId")
    .select(["blog.id", "blog.slug", "blog.name as title"])
    .where("blogAsset.assetId", "=", assetId)
    .orderBy("blog.slug")
    .execute();
  const kits = await database
    .selectFrom("brandKitAsset")
    .innerJoin("brandKit", "brandKit.id", "brandKitAsset.brandKitId")
    .select(["brandKit.id", "brandKit.name as title"])
    .where("brandKitAsset.assetId", "=", assetId)
    .orderBy("brandKit.name")
    .execute();
  const files = await database
    .selectFrom("fileAsset")
    .innerJoin("asset", "asset.id", "fileAsset.fileId")
    .select(["asset.id", "asset.name as title"])
    .where("fileAsset.assetId", "=", assetId)
    .orderBy("asset.name")
    .execute();
  return [
    ...pages.map((page) => ({ kind: "page" as const, ...page })),
    ...posts.map((post) => ({ kind: "post" as const, ...post })),
    ...blogs.map((blog) => ({ kind: "blog" as const, ...blog })),
    ...kits.map((kit) => ({ kind: "brand-kit" as const, ...kit })),
    ...files.map((file) => ({ kind: "file" as const, ...file })),
  ];
}

/** A record whose use of files was never recorded. */
export type UnreadText = Pick<NotedUser, "kind" | "id">;

/** Whether any record's use of files was never recorded. */
export async function hasUnreadTexts(database: Database): Promise<boolean> {
  return (await listUnreadTexts(database, 1)).length > 0;
}

export async function listUnreadTexts(database: Database, limit: number): Promise<readonly UnreadText[]> {
  return await database.selectFrom("unreadText").select(["kind", "id"]).limit(limit).execute();
}

export async function forgetUnreadText(database: Database, { kind, id }: UnreadText): Promise<void> {
  await database.deleteFrom("unreadText").where("kind", "=", kind).where("id", "=", id).execute();
}

/** Content of a record that can refer to library files. */
export type StoredText =
  | { readonly accountId: string; readonly texts: readonly (string | null)[] }
  | { readonly accountId: string; readonly file: { readonly hash: string; readonly contentType: string } };

/** Returns the stored text of a record; `undefined` if it no longer exists. */
export async function findStoredText(database: Database, { kind, id }: UnreadText): Promise<StoredText | undefined> {
  switch (kind) {
    case "page": {
      const row = await database
        .selectFrom("page")
        .innerJoin("pageHtml", "pageHtml.pageId", "page.id")
        .select(["page.accountId", "page.description", "pageHtml.html"])
        .where("page.id", "=", id)
        .executeTakeFirst();
      // Uses by releases are recorded when the release is written.
      return row && { accountId: row.accountId, texts: [Buffer.from(row.html).toString(), row.description] };
    }
    case "post": {
      const row = await database
        .selectFrom("post")
        .innerJoin("blog", "blog.id", "post.blogId")
        .select(["blog.accountId", "post.html", "post.markdown", "post.excerpt", "post.coverImage"])
        .where("post.id", "=", id)
        .executeTakeFirst();
      return row && { accountId: row.accountId, texts: [row.html, row.markdown, row.excerpt, row.coverImage] };
    }
    case "blog": {
      const row = await database
        .selectFrom("blog")
        .select(["accountId", "description"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row && { accountId: row.accountId, texts: [row.description] };
    }
    case "brand-kit": {
      const row = await database
        .selectFrom("brandKit")
        .select(["accountId", "fonts", "logos", "frame", "sourceUrl"])
        .where("id", "=", id)
        .executeTakeFirst();
      return (
        row && { accountId: row.accountId, texts: [JSON.stringify([row.fonts, row.logos, row.frame]), row.sourceUrl] }
      );
    }
    case "file": {
      const row = await database
        .selectFrom("asset")
        .select(["accountId", "hash", "contentType"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row && { accountId: row.accountId, file: { hash: row.hash, contentType: row.contentType } };
    }
  }
}

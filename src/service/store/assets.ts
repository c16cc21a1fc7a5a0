import { sql, type Selectable } from "kysely";
import { USE_COUNT } from "./asset-uses.ts";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { likePattern } from "./like.ts";
import { parseTexts } from "./texts.ts";
import type { AssetTable, Database } from "./tables.ts";

export interface Asset {
  readonly id: string;
  /** File name, safe to stand in an address. */
  readonly name: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, which is also the name of the blob. */
  readonly hash: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** How many records use it: pages, posts, blogs, brand kits and other files. */
  readonly usedBy: number;
}

export interface AssetFilter {
  /** Part of the name or of the text that describes it. */
  readonly text?: string | undefined;
  /** A content type, or its first part: `image/png`, `image`. */
  readonly type?: string | undefined;
  readonly hash?: string | undefined;
}

export async function findAsset(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Asset | undefined> {
  const row = await selectAssets(database).where("account_id", "=", accountId).where("id", "=", id).executeTakeFirst();
  return row && toAsset(row);
}

export async function findAssetByHash(
  database: Database,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
): Promise<Asset | undefined> {
  const row = await selectAssets(database)
    .where("account_id", "=", accountId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row && toAsset(row);
}

/** Where to find the bytes of an asset and how to serve them, without anything else. */
export async function findAssetFile(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<{ readonly hash: string; readonly contentType: string; readonly size: number } | undefined> {
  return await database
    .selectFrom("asset")
    .select(["hash", "content_type as contentType", "size"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function listAssets(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: AssetFilter; readonly window: Window },
): Promise<Slice<Asset>> {
  let query = selectAssets(database).where("account_id", "=", accountId);
  if (filter.hash !== undefined) query = query.where("hash", "=", filter.hash);
  if (filter.type !== undefined) {
    query = filter.type.includes("/")
      ? query.where("content_type", "=", filter.type)
      : query.where(sql<boolean>`content_type like ${`${filter.type.replaceAll(/[\\%_]/g, "")}/%`}`);
  }
  if (filter.text !== undefined) {
    const pattern = likePattern(filter.text);
    query = query.where(
      sql<boolean>`(lower(name) like ${pattern} escape '\\' or lower(alt) like ${pattern} escape '\\')`,
    );
  }
  return await readSlice(query, window, toAsset);
}

/** Inserts an asset, or replaces what may change of the record with the same id. */
export async function saveAsset(database: Database, accountId: string, asset: Asset): Promise<void> {
  const changes = {
    name: asset.name,
    alt: asset.alt,
    tags: JSON.stringify(asset.tags),
    updated_at: asset.updatedAt.getTime(),
  };
  await database
    .insertInto("asset")
    .values({
      id: asset.id,
      account_id: accountId,
      content_type: asset.contentType,
      size: asset.size,
      hash: asset.hash,
      width: asset.width,
      height: asset.height,
      created_at: asset.createdAt.getTime(),
      ...changes,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

export async function deleteAsset(database: Database, id: string): Promise<void> {
  await database.deleteFrom("asset").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

/** The assets that a page uses, by name. */
export async function listPageAssets(database: Database, pageId: string): Promise<readonly Asset[]> {
  const rows = await selectAssets(database)
    .innerJoin("page_asset", "page_asset.asset_id", "asset.id")
    .where("page_asset.page_id", "=", pageId)
    .orderBy("asset.name")
    .orderBy("asset.id")
    .execute();
  return rows.map(toAsset);
}

/** Whether any account has an asset with these bytes. */
export async function isStoredHash(database: Database, hash: string): Promise<boolean> {
  const row = await database.selectFrom("asset").select("id").where("hash", "=", hash).limit(1).executeTakeFirst();
  return row !== undefined;
}

function selectAssets(database: Database) {
  return database.selectFrom("asset").selectAll("asset").select(USE_COUNT.as("used_by"));
}

function toAsset(row: Selectable<AssetTable> & { readonly used_by: number | null }): Asset {
  return {
    id: row.id,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    hash: row.hash,
    width: row.width,
    height: row.height,
    alt: row.alt,
    tags: parseTexts(row.tags),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    usedBy: row.used_by ?? 0,
  };
}

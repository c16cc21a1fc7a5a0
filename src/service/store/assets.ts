import type { InMemory } from "../../contract/fields.ts";
import type { AssetRecord } from "../../contract/records.ts";
import { sql } from "kysely";
import { USE_COUNT } from "./asset-uses.ts";
import { forgetAnswersNaming } from "./requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { likePattern } from "./database.ts";
import type { Database } from "./tables.ts";

/** A file; its name is safe in an address, and its hash is also the name of the blob. */
export type Asset = InMemory<Omit<AssetRecord, "url">> & { readonly updatedAt: Date };

export type AssetTable = Omit<Asset, "usedBy"> & { readonly accountId: string };

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
  return await selectAssets(database).where("accountId", "=", accountId).where("id", "=", id).executeTakeFirst();
}

export async function findAssetByHash(
  database: Database,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
): Promise<Asset | undefined> {
  return await selectAssets(database).where("accountId", "=", accountId).where("hash", "=", hash).executeTakeFirst();
}

/** Where to find the bytes of an asset and how to serve them, without anything else. */
export async function findAssetFile(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<{ readonly hash: string; readonly contentType: string; readonly size: number } | undefined> {
  return await database
    .selectFrom("asset")
    .select(["hash", "contentType", "size"])
    .where("accountId", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function listAssets(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: AssetFilter; readonly window: Window },
): Promise<Slice<Asset>> {
  let query = selectAssets(database).where("accountId", "=", accountId);
  if (filter.hash !== undefined) query = query.where("hash", "=", filter.hash);
  if (filter.type !== undefined) {
    query = filter.type.includes("/")
      ? query.where("contentType", "=", filter.type)
      : query.where(sql<boolean>`content_type like ${`${filter.type.replaceAll(/[\\%_]/g, "")}/%`}`);
  }
  if (filter.text !== undefined) {
    const pattern = likePattern(filter.text);
    query = query.where(
      sql<boolean>`(lower(name) like ${pattern} escape '\\' or lower(alt) like ${pattern} escape '\\')`,
    );
  }
  return await readSlice(query, window);
}

/** Inserts an asset, or replaces what may change of the record with the same id. */
export async function saveAsset(database: Database, accountId: string, asset: Asset): Promise<void> {
  const { usedBy: _, ...columns } = asset;
  const { name, alt, tags, updatedAt } = asset;
  await database
    .insertInto("asset")
    .values({ ...columns, accountId })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name, alt, tags, updatedAt }))
    .execute();
}

export async function deleteAsset(database: Database, id: string): Promise<void> {
  await database.deleteFrom("asset").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

/** The assets that a page uses, by name. */
export async function listPageAssets(database: Database, pageId: string): Promise<readonly Asset[]> {
  return await selectAssets(database)
    .innerJoin("pageAsset", "pageAsset.assetId", "asset.id")
    .where("pageAsset.pageId", "=", pageId)
    .orderBy("asset.name")
    .orderBy("asset.id")
    .execute();
}

/** Whether any account has an asset with these bytes. */
export async function isStoredHash(database: Database, hash: string): Promise<boolean> {
  const row = await database.selectFrom("asset").select("id").where("hash", "=", hash).limit(1).executeTakeFirst();
  return row !== undefined;
}

function selectAssets(database: Database) {
  return database.selectFrom("asset").selectAll("asset").select(USE_COUNT.as("usedBy"));
}

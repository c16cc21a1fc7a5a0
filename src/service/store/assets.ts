import type { InMemory } from "../../contract/fields.ts";
import type { AssetRecord } from "../../contract/records.ts";
import { sql } from "kysely";
import { USE_COUNT } from "./asset-uses.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { hasText, likePattern, textsIn } from "./database.ts";
import { matching } from "./rows.ts";
import type { Database } from "./tables.ts";

/** A file. Its name is safe in URLs, and its hash is also the name of its blob. */
export type Asset = InMemory<Omit<AssetRecord, "url">> & { readonly updatedAt: Date };

export type AssetTable = Omit<Asset, "usedBy"> & { readonly accountId: string };

export interface AssetFilter {
  /** Words in the name or the alternative text. */
  readonly text?: string | undefined;
  /** A content type or its first part: `image/png`, `image`. */
  readonly type?: string | undefined;
  readonly hash?: string | undefined;
  readonly tag?: string | undefined;
  /** Whether anything uses the file. */
  readonly used?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
}

export async function findAsset(
  database: Database,
  match: { readonly accountId: string } & ({ readonly id: string } | { readonly hash: string }),
): Promise<Asset | undefined> {
  return await selectAssets(database).where(matching(match)).executeTakeFirst();
}

export async function listAssets(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: AssetFilter; readonly window: Window },
): Promise<Slice<Asset>> {
  return await readSlice(selectFiltered(database, accountId, filter), window);
}

function selectFiltered(database: Database, accountId: string, filter: AssetFilter) {
  let query = selectAssets(database).where("accountId", "=", accountId);
  if (filter.hash !== undefined) query = query.where("hash", "=", filter.hash);
  if (filter.type !== undefined) {
    query = filter.type.includes("/")
      ? query.where("contentType", "=", filter.type)
      : query.where(sql<boolean>`content_type like ${`${filter.type.replaceAll(/[\\%_]/g, "")}/%`}`);
  }
  if (filter.ids !== undefined) query = query.where("id", "in", textsIn(database, filter.ids));
  // Its words are found in any order, because "paper fan" is often the file paper-fan.jpg.
  for (const word of filter.text?.split(/\s+/) ?? []) {
    const pattern = likePattern(word);
    query = query.where(
      sql<boolean>`(lower(name) like ${pattern} escape '\\' or lower(alt) like ${pattern} escape '\\')`,
    );
  }
  if (filter.tag !== undefined) query = query.where(hasText(database, "tags", filter.tag));
  if (filter.used !== undefined) query = query.where(sql<boolean>`(${USE_COUNT} > 0) = ${sql.raw(`${filter.used}`)}`);
  return query;
}

/** Lists the assets that a page uses, by name. */
export async function listPageAssets(database: Database, pageId: string): Promise<readonly Asset[]> {
  return await selectAssets(database)
    .innerJoin("pageAsset", "pageAsset.assetId", "asset.id")
    .where("pageAsset.pageId", "=", pageId)
    .orderBy("asset.name")
    .orderBy("asset.id")
    .execute();
}

function selectAssets(database: Database) {
  return database.selectFrom("asset").selectAll("asset").select(USE_COUNT.as("usedBy"));
}

import type { InMemory } from "../../contract/fields.ts";
import type { BrandFont, BrandKitRecord } from "../../contract/records.ts";
import { forgetAnswersNaming } from "./requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { countChange } from "./accounts.ts";
import type { Database } from "./tables.ts";

export type BrandKit = InMemory<Omit<BrandKitRecord, "kitId" | "fonts">> & { readonly fonts: readonly BrandFont[] };

export type BrandKitTable = BrandKit & { readonly accountId: string };

export interface BrandKitKey {
  readonly accountId: string;
  readonly id: string;
}

export async function findBrandKit(database: Database, { accountId, id }: BrandKitKey): Promise<BrandKit | undefined> {
  return await database
    .selectFrom("brandKit")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function listBrandKits(database: Database, accountId: string, window: Window): Promise<Slice<BrandKit>> {
  const query = database.selectFrom("brandKit").selectAll().where("accountId", "=", accountId);
  return await readSlice(query, window);
}

/** Inserts a brand kit, or replaces the record with the same id. */
export async function saveBrandKit(database: Database, accountId: string, kit: BrandKit): Promise<void> {
  const { id, createdAt, ...changes } = kit;
  await database
    .insertInto("brandKit")
    .values({ ...changes, id, createdAt, accountId })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
  await countChange(database, { accountId, kind: "brandKits" }, kit.updatedAt);
}

/** Deletes a brand kit; sites that used it have none afterwards. */
export async function deleteBrandKit(database: Database, { accountId, id }: BrandKitKey, now: Date): Promise<void> {
  await database.deleteFrom("brandKit").where("accountId", "=", accountId).where("id", "=", id).execute();
  await countChange(database, { accountId, kind: "brandKits" }, now);
  await countChange(database, { accountId, kind: "sites" }, now);
  await forgetAnswersNaming(database, id);
}

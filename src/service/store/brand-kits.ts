import type { BrandFont } from "../../contract/brand-parts.ts";
import type { InMemory } from "../../contract/fields.ts";
import type { BrandKitRecord } from "../../contract/records.ts";
import { countChange } from "./accounts.ts";
import { deleteRecord, saveRow, selectRows } from "./rows.ts";
import { readSought, type Sought, type Slice } from "./keyset.ts";
import type { Database } from "./tables.ts";

export type BrandKit = InMemory<Omit<BrandKitRecord, "kitId" | "fonts">> & { readonly fonts: readonly BrandFont[] };

export type BrandKitTable = BrandKit & { readonly accountId: string };

export async function listBrandKits(database: Database, accountId: string, sought: Sought): Promise<Slice<BrandKit>> {
  const query = selectRows(database, "brandKit", { accountId }).selectAll();
  return await readSought(database, query, { ...sought, columns: ["name", "sourceUrl"] });
}

/** Inserts a brand kit or replaces the record with the same id. */
export async function saveBrandKit(database: Database, accountId: string, kit: BrandKit): Promise<void> {
  await saveRow(database, "brandKit", { ...kit, accountId });
  await countChange(database, { accountId, kind: "brandKits" }, kit.updatedAt);
}

/** Deletes a brand kit. Sites that used it have none afterwards. */
export async function deleteBrandKit(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  await deleteRecord(database, "brandKit", { accountId, id });
  await countChange(database, { accountId, kind: "brandKits" }, now);
  await countChange(database, { accountId, kind: "sites" }, now);
}

import * as z from "zod";
import type { Selectable } from "kysely";
import {
  brandColorSchema,
  brandFontSchema,
  brandLogoSchema,
  type BrandColor,
  type BrandFont,
  type BrandLogo,
} from "../../contract/records.ts";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { countChange } from "./record-changes.ts";
import type { BrandKitTable, Database } from "./tables.ts";

export interface BrandKit {
  readonly id: string;
  readonly name: string;
  readonly colors: readonly BrandColor[];
  readonly fonts: readonly BrandFont[];
  readonly logos: readonly BrandLogo[];
  readonly sourceUrl: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BrandKitKey {
  readonly accountId: string;
  readonly id: string;
}

const colorsSchema = z.array(brandColorSchema);
const fontsSchema = z.array(brandFontSchema);
const logosSchema = z.array(brandLogoSchema);

export async function findBrandKit(database: Database, { accountId, id }: BrandKitKey): Promise<BrandKit | undefined> {
  const row = await database
    .selectFrom("brand_kit")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toBrandKit(row);
}

export async function listBrandKits(database: Database, accountId: string, window: Window): Promise<Slice<BrandKit>> {
  const query = database.selectFrom("brand_kit").selectAll().where("account_id", "=", accountId);
  return await readSlice(query, window, toBrandKit);
}

/** Inserts a brand kit, or replaces the record with the same id. */
export async function saveBrandKit(database: Database, accountId: string, kit: BrandKit): Promise<void> {
  const changes = {
    name: kit.name,
    colors: JSON.stringify(kit.colors),
    fonts: JSON.stringify(kit.fonts),
    logos: JSON.stringify(kit.logos),
    source_url: kit.sourceUrl,
    version: kit.version,
    updated_at: kit.updatedAt.getTime(),
  };
  await database
    .insertInto("brand_kit")
    .values({ id: kit.id, account_id: accountId, created_at: kit.createdAt.getTime(), ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
  await countChange(database, { accountId, kind: "brandKits" }, kit.updatedAt);
}

/** Deletes a brand kit; sites that used it have none afterwards. */
export async function deleteBrandKit(database: Database, { accountId, id }: BrandKitKey, now: Date): Promise<void> {
  await database.deleteFrom("brand_kit").where("account_id", "=", accountId).where("id", "=", id).execute();
  await countChange(database, { accountId, kind: "brandKits" }, now);
  await countChange(database, { accountId, kind: "sites" }, now);
  await forgetAnswersNaming(database, id);
}

function toBrandKit(row: Selectable<BrandKitTable>): BrandKit {
  return {
    id: row.id,
    name: row.name,
    colors: colorsSchema.parse(JSON.parse(row.colors)),
    fonts: fontsSchema.parse(JSON.parse(row.fonts)),
    logos: logosSchema.parse(JSON.parse(row.logos)),
    sourceUrl: row.source_url,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

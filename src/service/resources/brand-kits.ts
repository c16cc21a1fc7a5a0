import { isDeepStrictEqual } from "node:util";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { deleteBrandKit, saveBrandKit, type BrandKit } from "../store/brand-kits.ts";
import { findRow } from "../store/rows.ts";
import { recordTextUses } from "./asset-uses.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { found } from "./fields.ts";
import { checkPreconditions, type Preconditions } from "../http/messages.ts";

export async function getBrandKit({ database, accountId }: Context, id: string): Promise<BrandKit> {
  return found(await findRow(database, "brandKit", { accountId, id }), "kit_not_found");
}

export async function createBrandKit(context: Context, body: BrandKitBody): Promise<BrandKit> {
  const { newId, now } = context;
  const kit: BrandKit = { id: newId("bk"), ...fieldsOf(body), version: 1, createdAt: now, updatedAt: now };
  await storeKit(context, kit);
  return kit;
}

export interface BrandKitReplacement {
  readonly id: string;
  readonly body: BrandKitBody;
  readonly preconditions: Preconditions;
}

/** Replaces a brand kit; missing fields become empty. */
export async function replaceBrandKit(
  context: Context,
  { id, body, preconditions }: BrandKitReplacement,
): Promise<BrandKit> {
  const kit = await getBrandKit(context, id);
  checkPreconditions(preconditions, kit);
  const replaced = { ...kit, ...fieldsOf(body) };
  if (isDeepStrictEqual(replaced, kit)) return kit;
  const changed = { ...replaced, version: kit.version + 1, updatedAt: context.now };
  await storeKit(context, changed);
  return changed;
}

export async function removeBrandKit(context: Context, id: string, preconditions: Preconditions): Promise<void> {
  const kit = await getBrandKit(context, id);
  checkPreconditions(preconditions, kit);
  const { database, accountId, now } = context;
  await deleteBrandKit(database, { accountId, id }, now);
  await audit(context, { action: "brandKit.deleted", subject: kit.name, subjectId: id });
}

async function storeKit(context: Context, kit: BrandKit): Promise<void> {
  await saveBrandKit(context.database, context.accountId, kit);
  const texts = [JSON.stringify(kit.fonts), JSON.stringify(kit.logos), kit.sourceUrl, JSON.stringify(kit.frame)];
  await recordTextUses(context, { kind: "brand-kit", id: kit.id }, texts);
}

function fieldsOf(body: BrandKitBody) {
  const { name, colors = [], fonts = [], logos = [], sourceUrl = null, design = null, frame = null } = body;
  return { name, colors, fonts, logos, sourceUrl, design, frame };
}

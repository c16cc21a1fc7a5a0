import type { SheetFile } from "../../../../brand/render/sheet-input.ts";
import { libraryPath } from "../../../look/library-path.ts";
import { findAssetIds } from "../../../resources/asset-uses.ts";
import { getBrandKit } from "../../../resources/brand-kits.ts";
import type { Context } from "../../../resources/context.ts";
import { findAssetFile } from "../../../store/assets.ts";
import type { BrandKit } from "../../../store/brand-kits.ts";
import type { DashboardContext } from "../../scene.ts";
import { bodyOfKit } from "./kit-body.ts";

/** `/brand-kits/:kitId/sheet`: the kit as a page to look at, which loads nothing and runs nothing. */
export async function showSheet(context: DashboardContext): Promise<Response> {
  const { records } = context.var.scene;
  const kit = await getBrandKit(records, context.req.param("kitId") ?? "");
  const { renderSheet } = await import("../../../../brand/render/sheet.ts");
  const sheet = renderSheet(bodyOfKit(kit), { files: await readFiles(records, kit) });
  return new Response(sheet, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "sandbox; script-src 'none'; frame-ancestors 'self'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
    },
  });
}

/** What the library holds of a kit's files. Others are shown by name: their hosts learn nothing of who looks. */
async function readFiles(context: Context, kit: BrandKit): Promise<ReadonlyMap<string, SheetFile>> {
  const { database, accountId, addresses, blobs } = context;
  const files = new Map<string, SheetFile>();
  for (const { url } of [...kit.logos, ...kit.fonts]) {
    const path = libraryPath(url, addresses.pagesUrl);
    const [id] = path === undefined ? [] : findAssetIds([path]);
    const file = id === undefined ? undefined : await findAssetFile(database, { accountId, id });
    if (file === undefined || typeof url !== "string") continue;
    files.set(url, { bytes: await blobs.read(file.hash), contentType: file.contentType });
  }
  return files;
}

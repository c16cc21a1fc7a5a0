import { postPatchBody } from "../../contract/operations/blogs.ts";
import { listAssetUsers } from "../store/asset-uses.ts";
import type { Asset } from "../store/assets.ts";
import { addAsset, patchAsset, type AcceptedFile } from "./library.ts";
import type { Context } from "./context.ts";
import { fieldProblem } from "./fields.ts";
import { getPost, patchPost } from "./posts.ts";

/**
 * Replaces a file with another one, which gets its tags, and its description unless it has one, and replaces it in
 * posts. The content at a
 * file's URL never changes, so the former file and other references to it stay. See decision 0024. Call
 * `readUnreadTexts` before the transaction, so that all uses are known.
 */
export async function replaceAsset(context: Context, former: Asset, file: AcceptedFile): Promise<Asset> {
  const { asset: added } = await addAsset(context, file, {});
  if (added.id === former.id) throw fieldProblem("invalid_body", "file", "is the same as before");
  const tags = [...new Set([...added.tags, ...former.tags])];
  const asset = await patchAsset(context, added.id, { alt: added.alt ?? former.alt, tags });
  const address = new RegExp(String.raw`/library/${former.id}/[^\s"'<>()\\?#]+`, "g");
  for (const user of await listAssetUsers(context.database, former.id)) {
    if (user.kind !== "post") continue;
    const names = { blogName: user.blogSlug, slug: user.slug };
    const { post } = await getPost(context, names);
    const renamed = Object.entries(post).flatMap(([field, value]) =>
      typeof value === "string" && value.search(address) !== -1
        ? [[field, value.replaceAll(address, `/library/${asset.id}/${asset.name}`)] as const]
        : [],
    );
    const patch = postPatchBody.parse(Object.fromEntries(renamed));
    await patchPost(context, { ...names, patch, preconditions: {} });
  }
  return asset;
}

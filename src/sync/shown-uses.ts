import { isAreaRefusal } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi, ListedAsset } from "../client/api.ts";
import { assetHashPrefix } from "./asset-name.ts";

const AT_ONCE = 16;

/**
 * Adds the pages and posts that show a file to its uses, for a service that doesn't count them. What the service
 * doesn't show isn't counted.
 */
export async function countShownUses(
  assets: readonly ListedAsset[],
  api: Pick<ImprintApi, "pages" | "blogs" | "posts" | "capabilities">,
): Promise<readonly ListedAsset[]> {
  if (assets.length === 0) return [];
  const texts = [...(await readPages(api)), ...(await readPosts(api))];
  return assets.map((asset) => {
    const names = namesOf(asset);
    const uses = texts.filter((text) => names.some((name) => text.includes(name))).length;
    return { ...asset, usedBy: Math.max(uses, asset.usedBy ?? 0) };
  });
}

// A name that imprint gave is like no other, and is also in the addresses of an image server.
function namesOf({ url, name = "" }: ListedAsset): readonly string[] {
  const path = URL.parse(url ?? "")?.pathname ?? "/";
  return [...(path === "/" ? [] : [path]), ...(assetHashPrefix(name) === undefined ? [] : [name])];
}

async function readPages({ pages }: Pick<ImprintApi, "pages">): Promise<readonly string[]> {
  const { items } = await pages.list({}, { content: true });
  return await mapPool(items, AT_ONCE, async ({ slug, json = "" }) => `${json} ${(await pages.readHtml(slug)) ?? ""}`);
}

async function readPosts({ blogs, posts, capabilities }: Pick<ImprintApi, "blogs" | "posts" | "capabilities">) {
  if (!capabilities.operations.has("blogs.list")) return [];
  const listed = await blogs.list().catch((error: unknown) => {
    if (isAreaRefusal(error)) return { items: [] };
    throw error;
  });
  const found = await mapPool(listed.items, AT_ONCE, ({ id }) => posts.list(id, { content: true }));
  return found.flatMap(({ items }) => items.map(({ json = "" }) => json));
}

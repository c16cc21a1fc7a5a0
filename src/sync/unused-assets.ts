import { ImprintError, messageOf } from "../base/error.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, ImprintApi } from "../client/api.ts";
import { assetHashPrefix } from "./asset-name.ts";
import type { Plan } from "./changes.ts";
import { findSpareAssets } from "./spare-assets.ts";

export interface UnusedContext {
  readonly plan: Plan;
  readonly api: ImprintApi;
}

const AT_ONCE = 16;

/**
 * Files that imprint uploaded and that nothing uses any more: neither the built site, nor any page, post or brand kit
 * that the service shows, nor a file that one of these uses. Where the service can't show what a page or post holds, nothing counts as unused.
 *
 * @throws ImprintError `RUN_INCOMPLETE` when the site is not published as it is built, or a page or file can't be read
 */
export async function findUnusedAssets({ plan, api }: UnusedContext): Promise<readonly Asset[]> {
  const [assets, pages, kits] = await Promise.all([api.assets.list(), api.pages.list(), api.brandKits.list()]);
  const wanted = new Set(plan.assets.map(({ asset }) => asset.hash.slice(0, 16)));
  const candidates = findSpareAssets(assets.items, wanted);
  if (candidates.length === 0) return [];
  const unused = new Map(candidates.map((asset) => [asset.id, asset]));
  function look(text: string): void {
    for (const [id, { url }] of unused) if (text.includes(url) || text.includes(id)) unused.delete(id);
  }
  look(JSON.stringify(kits.items));
  await mapPool(pages.items, AT_ONCE, async ({ slug }) => look(await readPage(slug, api)));
  await lookAtPosts(api, look);
  const others = assets.items.filter(({ name = "" }) => !wanted.has(assetHashPrefix(name) ?? ""));
  await lookAtFiles(others, { api, look, isUnused: ({ id }) => unused.has(id) });
  return [...unused.values()];
}

async function readPage(slug: string, api: ImprintApi): Promise<string> {
  const html = await api.pages.readHtml(slug);
  if (html !== undefined) return html;
  throw new ImprintError("RUN_INCOMPLETE", `The service does not show what the page ${slug} holds.`, {
    hint: "Set `pagesUrl`, so that pages can be read; without it no file is known to be unused.",
  });
}

async function lookAtPosts(api: ImprintApi, look: (text: string) => void): Promise<void> {
  if (!api.capabilities.operations.has("blogs.list")) {
    throw new ImprintError("NOT_SUPPORTED", "This route set can't list blogs, so that files of posts can't be told.", {
      hint: "Delete files in the service's dashboard.",
    });
  }
  const blogs = await api.blogs.list();
  for (const { id } of blogs.items) {
    const posts = await api.posts.list(id);
    for (const post of posts.items) {
      if (post.html === undefined) throw unreadablePost(post.slug ?? "?");
      look(JSON.stringify(post));
    }
  }
}

interface FilesContext {
  readonly api: ImprintApi;
  readonly look: (text: string) => void;
  readonly isUnused: (asset: Asset) => boolean;
}

const TEXT_TYPES = /\b(?:css|javascript|json|xml|html|text)\b/;

// A stylesheet, a script or a feed names files as well, which may name others.
async function lookAtFiles(assets: readonly Asset[], { api, look, isUnused }: FilesContext): Promise<void> {
  const texts = assets.filter(({ contentType }) => contentType === undefined || TEXT_TYPES.test(contentType));
  const isSeen = new Set<string>();
  for (let next = inUse(); next.length > 0; next = inUse()) {
    for (const { id } of next) isSeen.add(id);
    await mapPool(next, AT_ONCE, async (asset) => look(await readFile(asset, api)));
  }

  function inUse(): readonly Asset[] {
    return texts.filter((asset) => !isUnused(asset) && !isSeen.has(asset.id));
  }
}

async function readFile({ url, name }: Asset, api: ImprintApi): Promise<string> {
  const visit = await api.visit(url);
  if (visit?.status === 200) return Buffer.from(visit.bytes).toString();
  throw new ImprintError("RUN_INCOMPLETE", `The library does not show what the file ${name ?? url} holds.`, {
    hint: "Without it no file is known to be unused. Run again, or delete files in the service's dashboard.",
  });
}

function unreadablePost(slug: string): ImprintError {
  return new ImprintError("RUN_INCOMPLETE", `The service does not show what the post ${slug} holds.`, {
    hint: "Delete files in the service's dashboard; a post that lost its images can't be mended from here.",
  });
}

/** Deletes files one by one and says which could not be. */
export async function deleteAssets(
  assets: readonly Asset[],
  { api }: Pick<UnusedContext, "api">,
): Promise<{ readonly deleted: number; readonly kept: readonly string[] }> {
  const kept: string[] = [];
  let deleted = 0;
  await mapPool(assets, AT_ONCE, async ({ id, name }) => {
    try {
      await api.assets.delete(id);
      deleted += 1;
    } catch (error) {
      kept.push(`${name ?? id}: ${messageOf(error)}`);
    }
  });
  return { deleted, kept };
}

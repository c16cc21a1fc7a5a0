import { ImprintError, messageOf } from "../base/error.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, ImprintApi } from "../client/api.ts";
import { assetHashPrefix } from "./asset-name.ts";
import type { Plan } from "./changes.ts";

export interface UnusedContext {
  readonly plan: Plan;
  readonly api: ImprintApi;
}

const AT_ONCE = 16;

/**
 * Files that imprint uploaded and that nothing uses any more: neither the built site, nor any page, post or brand kit
 * that the service shows. Where the service can't show what a page or post holds, nothing counts as unused.
 *
 * @throws ImprintError `RUN_INCOMPLETE` when the site is not published as it is built, or a page can't be read
 */
export async function findUnusedAssets({ plan, api }: UnusedContext): Promise<readonly Asset[]> {
  const [assets, pages, kits] = await Promise.all([api.assets.list(), api.pages.list(), api.brandKits.list()]);
  const wanted = new Set(plan.assets.map(({ asset }) => asset.hash.slice(0, 16)));
  const candidates = assets.items.filter((asset) => {
    const prefix = assetHashPrefix(asset.name ?? "");
    // The files by which a library is asked what it can do are found again by the next question.
    if (asset.name?.startsWith("imprint-probe.") === true) return false;
    return prefix !== undefined && !wanted.has(prefix) && (asset.usedBy ?? 0) === 0;
  });
  if (candidates.length === 0) return [];
  const unused = new Map(candidates.map((asset) => [asset.id, asset]));
  function look(text: string): void {
    for (const [id, { url }] of unused) if (text.includes(url) || text.includes(id)) unused.delete(id);
  }
  look(JSON.stringify(kits.items));
  await mapPool(pages.items, AT_ONCE, async ({ slug }) => look(await readPage(slug, api)));
  await lookAtPosts(api, look);
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

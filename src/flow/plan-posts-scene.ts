import type { Page } from "../client/api.ts";
import { collectAssets } from "../sync/desired.ts";
import { knowAssets, knowPages } from "../sync/known.ts";
import type { Known } from "../sync/known.ts";
import { listAssets } from "../sync/list-assets.ts";
import type { ListedAssets } from "../sync/list-assets.ts";
import { listPages } from "../sync/list-pages.ts";
import { planAssets } from "../sync/plan/assets.ts";
import { planPages } from "../sync/plan/pages.ts";
import { knowBlog } from "../sync/posts/know-blog.ts";
import { planBlog, planBlogPosts } from "../sync/posts/plan-blog.ts";
import { findDoubtfulPages } from "./post-places.ts";
import type { PostsRun, PostsScene } from "./sync-posts.ts";

/** Decides what is to be done about each post. Sends no write. */
export async function planPostsScene(scene: PostsScene): Promise<PostsRun> {
  const { api, state, port, local, blog, placed, request, lock } = scene;
  const { capabilities } = api;
  const { posts, pages } = placed;
  const assetGroups = [placed.assets, ...posts.map(({ assets }) => assets)];
  const doubtfulPages = findDoubtfulPages(lock, local.held);
  const desired = { blog, posts, pages, doubtfulPages, assets: collectAssets(assetGroups) };
  const known = await knowBlog(desired, { api, blogId: state.blogId, port });
  const unasked: ListedAssets = { items: [], library: state.library, goneAssets: [] };
  const library = desired.assets.size === 0 ? unasked : await listAssets(desired.assets.keys(), { api, state });
  const assets = knowAssets(desired, { listed: library.items, state });
  const { options } = request;
  const input = { desired, known, capabilities, rules: { prune: options.prune } };
  const assetChanges = planAssets({ desired, known: { assets }, capabilities });
  const knownPages = await knowPostPages(scene, assets);
  const pagesInput = { desired, known: { pages: knownPages }, capabilities, rules: options };
  return {
    plan: {
      assets: assetChanges,
      pages: planPages(pagesInput, assetChanges),
      blog: planBlog(input),
      posts: planBlogPosts(input),
    },
    ...{ local, known, capabilities },
    seen: { ...library, otherPages: state.otherPages ?? [], gonePages: [], seenAt: state.seenAt },
    outcomes: [],
  };
}

// Only pages that are or were made of posts: the rest of the site is not looked at, and so is not missing.
async function knowPostPages(
  { api, state, placed, lock }: PostsScene,
  assets: Known["assets"],
): Promise<Known["pages"]> {
  const { pages } = placed;
  const slugs = new Set([
    ...pages.map(({ slug }) => slug),
    ...(lock.postPages ?? []).map((route) => lock.slugs[route]),
  ]);
  if (slugs.size === 0) return new Map();
  // Without the times of their changes, from which a run learns until when it has seen every page of the site.
  const listed = (await listPages({ api, state })).filter(({ slug }) => slugs.has(slug)).map(withoutTime);
  return await knowPages({ pages }, { api, state, listed, assets });
}

function withoutTime(page: Page): Page {
  const { updatedAt: _, ...rest } = page;
  return rest;
}

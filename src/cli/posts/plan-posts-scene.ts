import type { Page } from "../../client/api.ts";
import { collectAssets } from "../../sync/desired.ts";
import { judgePages, pagesBySlug, seePages } from "../../sync/known-pages.ts";
import { knowAssets, type Known } from "../../sync/known.ts";
import { listAssets, type ListedAssets } from "../../sync/list-assets.ts";
import { listPages } from "../../sync/list-pages.ts";
import { planAssets } from "../../sync/plan/assets.ts";
import { findObstacles, planPages } from "../../sync/plan/pages.ts";
import { knowBlog } from "../../sync/known-blog.ts";
import { planBlog, planBlogPosts } from "../../sync/plan/blog.ts";
import type { Owner } from "../../sync/project.ts";
import { findDoubtfulPages } from "../../posts/local/post-places.ts";
import type { PostsRun, PostsScene } from "./sync-posts.ts";

/** Decides what is to be done about each post. Sends no write. */
export async function planPostsScene(scene: PostsScene): Promise<PostsRun> {
  const { api, state, port, local, blog, placed, request, lock } = scene;
  const { capabilities } = api;
  const { posts, pages } = placed;
  const assetGroups = [placed.assets, ...posts.map(({ assets }) => assets)];
  const doubtfulPages = findDoubtfulPages(lock, local.held);
  const desired = { blog, posts, pages, doubtfulPages, assets: collectAssets(assetGroups) };
  const blogs = await knowBlog(desired, { api, state, owner: scene.owner, port });
  const owner = blogs.claimed === undefined ? scene.owner : { ...scene.owner, project: blogs.claimed, isFresh: false };
  const known = { ...blogs, owner, refused: {} };
  const unasked: ListedAssets = { items: [], library: state.library, goneAssets: [] };
  const library = desired.assets.size === 0 ? unasked : await listAssets(desired.assets.keys(), { api, state });
  const assets = knowAssets(desired, { listed: library.items, state, project: owner.project });
  const { options } = request;
  const input = { desired, known, capabilities, rules: { prune: options.prune } };
  const assetChanges = planAssets({ known: { assets }, state, capabilities }, [...desired.assets.values()]);
  const knownPages = await knowPostPages(scene, { owner, assets });
  const pagesInput = { desired, known: { pages: knownPages }, capabilities, rules: options };
  return {
    plan: {
      assets: assetChanges,
      pages: planPages(pagesInput, { assets: assetChanges, obstacles: findObstacles(pagesInput) }),
      blog: planBlog(input),
      posts: planBlogPosts(input),
    },
    local,
    known,
    capabilities,
    seen: { ...library, otherPages: state.otherPages ?? [], gonePages: [], seenAt: state.seenAt },
    outcomes: [],
  };
}

// Only pages that are or were made of posts: the rest of the site is not looked at, and so is not missing.
async function knowPostPages(
  { api, state, placed, lock, locked }: PostsScene,
  { owner, assets }: { readonly owner: Owner; readonly assets: Known["assets"] },
): Promise<Known["pages"]> {
  const { pages } = placed;
  const slugs = new Set([
    ...pages.map(({ slug }) => slug),
    ...(lock.postPages ?? []).map((route) => lock.slugs[route]),
  ]);
  if (slugs.size === 0) return new Map();
  // Without the times of their changes, from which a run learns until when it has seen every page of the site.
  const listed = (await listPages({ api, state })).filter(({ slug }) => slugs.has(slug)).map(withoutTime);
  const seen = await seePages({ pages }, { api, state, locked, listed });
  const ownSlugs = new Set(Object.values(lock.slugs));
  return await judgePages(seen, {
    api,
    state,
    locked,
    owner,
    wanted: pagesBySlug(pages),
    ownSlugs,
    assets,
    inline: new Set(),
  });
}

function withoutTime(page: Page): Page {
  const { updatedAt: _, ...rest } = page;
  return rest;
}

import type { Capabilities } from "../client/api.ts";
import type { Plan } from "./changes.ts";
import type { Desired } from "./desired.ts";
import type { SiteAsset } from "../site/model.ts";
import type { Known } from "./known.ts";
import { planAssets } from "./plan/assets.ts";
import { planBrandKit } from "./plan/brand-kit.ts";
import { findObstacles, planPages, type Obstacles } from "./plan/pages.ts";
import { planSite } from "./plan/site.ts";
import { planBlog, planBlogPosts } from "./posts/plan-blog.ts";
import type { State } from "./state.ts";

/** What the user decided about changes that are not harmless. */
export interface PlanRules {
  readonly prune: "report" | boolean;
  readonly maxDeleteShare: number;
  readonly adopt: boolean;
  /** Largest page in bytes that the user wants; `undefined`: as large as the service takes. */
  readonly maxHtmlBytes?: number | undefined;
}

export interface PlanInput {
  readonly desired: Desired;
  readonly known: Known;
  readonly state: State;
  readonly capabilities: Capabilities;
  readonly rules: PlanRules;
}

/**
 * Decides what has to change. Pure: the same input gives the same plan.
 *
 * @throws ImprintError `PRUNE_REFUSED` when more pages would be deleted than `maxDeleteShare` allows
 */
export function planChanges(input: PlanInput): Plan {
  const obstacles = findObstacles(input);
  const assets = planAssets(input, neededAssets(input.desired, obstacles));
  return {
    site: planSite(input),
    assets,
    pages: planPages(input, { assets, obstacles }),
    blog: planBlog(input),
    posts: planBlogPosts(input),
    brandKit: planBrandKit(input),
  };
}

/** What is to be in the library: all but the files of pages that are not published. */
function neededAssets({ assets, pages, posts, brandKit }: Desired, obstacles: Obstacles): readonly SiteAsset[] {
  if (obstacles.size === 0) return [...assets.values()];
  const needed = new Set<string>();
  function need(hash: string): void {
    if (needed.has(hash)) return;
    needed.add(hash);
    const source = assets.get(hash)?.source;
    if (source?.kind === "text") source.assets.forEach(need);
  }
  for (const page of pages) if (!obstacles.has(page.slug)) page.assets.forEach(need);
  for (const post of posts) for (const { hash } of post.assets) need(hash);
  brandKit?.assets.forEach(need);
  return [...assets.values()].filter(({ hash }) => needed.has(hash));
}

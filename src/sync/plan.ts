import type { Capabilities } from "../client/api.ts";
import type { Plan } from "./changes.ts";
import type { Desired } from "./desired.ts";
import type { Known } from "./known.ts";
import { planAssets } from "./plan/assets.ts";
import { planBrandKit } from "./plan/brand-kit.ts";
import { planPages } from "./plan/pages.ts";
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
  const assets = planAssets(input);
  return {
    site: planSite(input),
    assets,
    pages: planPages(input, assets),
    blog: planBlog(input),
    posts: planBlogPosts(input),
    brandKit: planBrandKit(input),
  };
}

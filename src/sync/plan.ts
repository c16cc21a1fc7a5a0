import type { Capabilities } from "../client/api.ts";
import type { Plan } from "./changes.ts";
import { withNested, type Desired } from "./desired.ts";
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
export function planChanges(input: PlanInput): Omit<Plan, "limits"> {
  const obstacles = holdUncertain(findObstacles(input), input);
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

// Where it can't be seen whose pages stand at the site's slugs, nothing of it goes until a person has said so: half a
// site beside pages that may be another's helps nobody.
function holdUncertain(obstacles: Obstacles, { desired, known, rules }: PlanInput): Obstacles {
  const [name] = [...obstacles.keys()];
  if (!known.owner.isUncertain || rules.adopt || name === undefined) return obstacles;
  const reason = `it is not known whose page stands at ${name}, and nothing of the site is sent before that`;
  const hint = "Restore imprint.lock.json, or run `imprint adopt` to take the pages over.";
  return new Map(desired.pages.map(({ slug }) => [slug, obstacles.get(slug) ?? { reason, hint }]));
}

/** What is to be in the library: all but the files of pages that are not published. */
function neededAssets({ assets, pages, posts, brandKit }: Desired, obstacles: Obstacles): readonly SiteAsset[] {
  if (obstacles.size === 0) return [...assets.values()];
  const hashes = [
    ...pages.flatMap((page) => (obstacles.has(page.slug) ? [] : page.assets)),
    ...posts.flatMap((post) => post.assets.map(({ hash }) => hash)),
    ...(brandKit?.assets ?? []),
  ];
  const needed = withNested(hashes, (hash) => assets.get(hash));
  return [...assets.values()].filter(({ hash }) => needed.has(hash));
}

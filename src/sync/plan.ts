import type { Capabilities } from "../client/api.ts";
import type { Plan } from "./changes.ts";
import { withNested, type Desired } from "./desired.ts";
import type { SiteAsset } from "../site/model.ts";
import type { Known } from "./known.ts";
import { planAssets } from "./plan/assets.ts";
import { planBrandKit } from "./plan/brand-kit.ts";
import { findObstacles, planPages, type Obstacles } from "./plan/pages.ts";
import { planSite } from "./plan/site.ts";
import { planBlog, planBlogPosts } from "./plan/blog.ts";
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
  const obstacles = holdFirst(findObstacles(input), input);
  const { desired } = input;
  const isSite = desired.only === undefined;
  const isHeld = isSite && hasOnlyObstacles(desired, obstacles);
  const held = { ...input, isHeld };
  const assets = planAssets(input, isSite ? neededAssets(desired, obstacles) : [...desired.assets.values()]);
  return {
    site: isHeld || !isSite ? undefined : planSite(input),
    assets,
    pages: planPages(input, { assets, obstacles }),
    blog: planBlog(held),
    posts: planBlogPosts(held),
    brandKit: isHeld ? undefined : planBrandKit(input),
  };
}

// A first publish that meets pages of others is held whole until a person has said what is to become of them: half a
// site beside pages of another helps nobody, and its posts could not be changed.
function holdFirst(obstacles: Obstacles, { desired, known }: PlanInput): Obstacles {
  const [name] = [...obstacles].find(([, { isTaken }]) => isTaken === true) ?? [];
  if (!(known.owner.isUncertain || known.owner.isFirst) || name === undefined) return obstacles;
  const reason = `a page that may not be this project's stands at ${name}, and nothing of the site is sent before that is settled`;
  const hint = "See there. If imprint.lock.json was lost, restore it or run `imprint adopt`.";
  return new Map(desired.pages.map(({ slug }) => [slug, obstacles.get(slug) ?? { reason, hint }]));
}

/** Whether none of the site's pages is published. */
function hasOnlyObstacles({ pages }: Pick<Desired, "pages">, obstacles: Obstacles): boolean {
  return pages.length > 0 && pages.every(({ slug }) => obstacles.has(slug));
}

/** What is to be in the library: all but the files of pages that are not published. */
function neededAssets({ assets, pages, posts, brandKit }: Desired, obstacles: Obstacles): readonly SiteAsset[] {
  if (obstacles.size === 0) return [...assets.values()];
  if (hasOnlyObstacles({ pages }, obstacles)) return [];
  const hashes = [
    ...pages.flatMap((page) => (obstacles.has(page.slug) ? [] : page.assets)),
    ...posts.flatMap((post) => post.assets.map(({ hash }) => hash)),
    ...(brandKit?.assets ?? []),
  ];
  const needed = withNested(hashes, (hash) => assets.get(hash));
  return [...assets.values()].filter(({ hash }) => needed.has(hash));
}

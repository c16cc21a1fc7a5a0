import { ImprintError } from "../../base/error.ts";
import { HOME_SLUG } from "../../contract/slug.ts";
import type { Plan } from "../changes.ts";
import { withNested, type Desired } from "../desired.ts";

interface OnePage {
  /** Slug or route of the page. */
  readonly page: string;
  readonly desired: Pick<Desired, "assets">;
  /** Slug by route. */
  readonly slugs: Readonly<Record<string, string>>;
}

/**
 * Reduces a plan to one page, its files and the site that it belongs to. Everything else on the service remains
 * unchanged.
 *
 * @throws ImprintError `USAGE` if neither the site nor the service has the page
 */
export function planOnePage(plan: Plan, { page, desired: { assets }, slugs }: OnePage): Plan {
  const slug = slugs[page] ?? slugs[`${page}/`] ?? (page === "" ? HOME_SLUG : page);
  const pages = plan.pages.filter(({ name }) => name === slug);
  const [change] = pages;
  if (change === undefined) {
    throw new ImprintError("USAGE", `Neither the site nor the service has a page "${page}".`, {
      hint: "`imprint plan` lists the slugs. A post on hold has no page.",
    });
  }
  const used = "desired" in change ? change.desired.assets : [];
  const needed = withNested(used, (hash) => assets.get(hash));
  return {
    ...plan,
    pages,
    // Files that the library has are kept: they provide addresses for the page, and cost nothing.
    assets: plan.assets.filter(({ kind, asset }) => kind === "keep" || needed.has(asset.hash)),
    blog: undefined,
    posts: [],
    brandKit: undefined,
  };
}

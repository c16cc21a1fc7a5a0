import type { Options } from "../../options/schema.ts";
import { normalizeRoute } from "../../contract/slug.ts";
import { namingOf, planSlugs } from "../../site/slugs.ts";
import type { HeldFile } from "../plan/changes.ts";

/** The page that shows a post. */
export interface PostPlace {
  /** `site`: a page of the site itself. `made`: generated from the post because the site has none. */
  readonly kind: "site" | "made";
  readonly route: string;
  readonly slug: string;
}

/** Maps posts to the pages that show them. */
export interface PostPlaces {
  /** Returns the page of a post by the post's slug, or `undefined` if the site has none and none is generated. */
  find(postSlug: string): PostPlace | undefined;
}

export interface PostPlacesSources {
  readonly options: Options;
  /** Slug of every page of the site itself, by route. */
  readonly siteSlugs: ReadonlyMap<string, string>;
  /** Slugs from earlier runs, by route. */
  readonly locked: ReadonlyMap<string, string>;
}

/**
 * Finds the page of a post: the site's page whose route ends with the post's slug. If `posts.target` requires pages and
 * the site has none for a post, one is generated at its route below the blog.
 */
export function createPostPlaces({ options, siteSlugs, locked }: PostPlacesSources): PostPlaces {
  const { posts } = options;
  const blogSlug = posts === false ? "blog" : posts.blog.slug;
  const isMade = posts !== false && posts.target !== "blog";
  // By last segment; the first of several wins.
  const routes = new Map([...siteSlugs.keys()].toReversed().map((route) => [lastPartOf(route), route]));
  const names = new Map([...locked, ...siteSlugs]);
  const owners = new Map([...names].map(([route, slug]) => [slug, route]));

  function placeSite(postSlug: string): PostPlace | undefined {
    const own = `/${blogSlug}/${postSlug}/`;
    const route = siteSlugs.has(own) ? own : routes.get(postSlug);
    const slug = route === undefined ? undefined : siteSlugs.get(route);
    return route === undefined || slug === undefined ? undefined : { kind: "site", route, slug };
  }

  function placeMade(postSlug: string): PostPlace | undefined {
    if (!isMade) return undefined;
    const route = normalizeRoute(`/${blogSlug}/${postSlug}/`);
    const settings = { ...namingOf(options), locked: names };
    const slug = planSlugs([route], settings).slugs.get(route) ?? postSlug;
    const other = owners.get(slug);
    const apart = other === undefined || other === route ? [route] : [other, route];
    const { slugs } = planSlugs(apart, settings);
    return { kind: "made", route, slug: slugs.get(route) ?? postSlug };
  }

  return { find: (postSlug) => placeSite(postSlug) ?? placeMade(postSlug) };
}

/** What the lock file records about pages. */
interface PagesLock {
  /** By route. */
  readonly slugs: Readonly<Record<string, string>>;
  /** Routes of pages generated from posts. */
  readonly postPages?: readonly string[] | undefined;
}

/**
 * Returns the slugs of generated pages whose posts can't be read now: all of them if a post is unreadable, since it has
 * no slug; otherwise those of posts that only a build can render or that may be hidden.
 */
export function findDoubtfulPages(
  { postPages = [], slugs }: PagesLock,
  held: readonly HeldFile[],
): ReadonlySet<string> {
  const isUnreadable = held.some(({ reason }) => reason === "invalid");
  const waiting = held.filter(({ reason }) => reason === "needs-build" || reason === "unclear");
  const slugsOfWaiting = new Set(waiting.flatMap(({ slug }) => slug ?? []));
  const doubtful = postPages.filter((route) => isUnreadable || slugsOfWaiting.has(lastPartOf(route)));
  return new Set(doubtful.flatMap((route) => slugs[route] ?? []));
}

function lastPartOf(route: string): string {
  return route.split("/").at(-2) ?? "";
}

/**
 * Returns the routes of generated pages, including those of earlier runs. A page of the site itself replaces a
 * generated one.
 */
export function rememberPostPages(
  { postPages = [] }: PagesLock,
  {
    made,
    siteSlugs,
  }: { readonly made: Readonly<Record<string, string>>; readonly siteSlugs: ReadonlyMap<string, string> },
): string[] | undefined {
  const routes = new Set([...postPages.filter((route) => !siteSlugs.has(route)), ...Object.keys(made)]);
  return routes.size === 0 ? undefined : [...routes].toSorted();
}

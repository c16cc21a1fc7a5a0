import type { Options } from "../../options/schema.ts";
import { normalizeRoute } from "../../contract/slug.ts";
import { namingOf, planSlugs } from "../../site/slugs.ts";
import type { HeldFile } from "../plan/changes.ts";

/** The page that shows a post. */
export interface PostPlace {
  /** `site`: a page that the site itself has. `made`: one that is made of the post, because the site has none. */
  readonly kind: "site" | "made";
  readonly route: string;
  readonly slug: string;
}

/** Which page shows which post. */
export interface PostPlaces {
  /** The page of a post by the post's slug; `undefined` when the site has none and none is made. */
  find(postSlug: string): PostPlace | undefined;
}

export interface PostPlacesSources {
  readonly options: Options;
  /** Slug of every page of the site itself, by route. */
  readonly siteSlugs: ReadonlyMap<string, string>;
  /** Slugs that earlier runs gave, by route. */
  readonly locked: ReadonlyMap<string, string>;
}

/**
 * Finds the page of a post: the one of the site whose route ends with the post's slug. Where `posts.target` asks for
 * pages and the site has none for a post, one is made at the route that it would have below the blog.
 */
export function createPostPlaces({ options, siteSlugs, locked }: PostPlacesSources): PostPlaces {
  const { posts } = options;
  const blogSlug = posts === false ? "blog" : posts.blog.slug;
  const isMade = posts !== false && posts.target !== "blog";
  // By their last part; of several the first counts.
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

/** What the lock file says of pages. */
interface PagesLock {
  /** By route. */
  readonly slugs: Readonly<Record<string, string>>;
  /** Routes of pages that were made of posts. */
  readonly postPages?: readonly string[] | undefined;
}

/**
 * Slugs of the pages that earlier runs made of posts, where some posts can't be read now: of all of them, since a post
 * that can't be read has no slug, or of those that only a build can render and those that may be hidden.
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

/** The routes of pages made of posts, with those of earlier runs; a page of the site itself takes the place of one. */
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

import { ImprintError } from "../base/error.ts";
import { foldRoute, hashedSlug, HOME_SLUG, isSlug, MAX_SLUG_LENGTH, normalizeRoute } from "../contract/slug.ts";
import type { Options } from "../options/schema.ts";

export interface SlugOptions {
  /** Slugs chosen by the user, by route or by a function that returns `undefined` for routes it doesn't change. */
  readonly overrides?: Readonly<Record<string, string>> | ((route: string) => string | undefined);
  /** Slugs of earlier runs by route, from `imprint.lock.json`. These are kept. */
  readonly locked?: ReadonlyMap<string, string>;
  /** Prefix of every slug, so that two projects on one account never conflict. */
  readonly prefix?: string | undefined;
  /** Maximum slug length that the host accepts, if less than ours. */
  readonly maxLength?: number | undefined;
}

/** A page whose slug the user changed, by its own or by the prefix of all. */
export interface MovedSlug {
  readonly route: string;
  readonly from: string;
  readonly to: string;
}

export interface SlugPlan {
  readonly slugs: ReadonlyMap<string, string>;
  readonly moved: readonly MovedSlug[];
}

/**
 * Assigns a slug to every route: `/` → `index`, `/blog/first/` → `blog-first`. If characters are lost (`/Über uns/`),
 * or two new routes would get the same slug, it ends in eight digits of the route's hash. The order of the routes
 * doesn't matter, and only an override changes a locked slug.
 *
 * Throws `SLUG_INVALID` for an invalid override, and `SLUG_TAKEN` if two routes still have the same slug.
 */
export function planSlugs(routes: readonly string[], options: SlugOptions = {}): SlugPlan {
  const findWish = wishesOf(options);
  const slugs = new Map<string, string>();
  const unnamed: string[] = [];
  for (const route of new Set(routes)) {
    const slug = findWish(route);
    if (slug === undefined) unnamed.push(route);
    else slugs.set(route, checkSlug(slug, route));
  }
  const taken = new Set(slugs.values());
  for (const [route, slug] of nameRoutes(unnamed, { ...options, taken })) slugs.set(route, slug);
  refuseDuplicates(slugs);
  const { locked, maxLength = MAX_SLUG_LENGTH } = options;
  const moved = [...slugs].flatMap(([route, to]) => {
    const from = locked?.get(route) ?? to;
    // The host keeps no page at a longer slug.
    return from === to || from.length > maxLength ? [] : [{ route, from, to }];
  });
  return { slugs: new Map(routes.map((route) => [route, slugs.get(route) ?? ""])), moved };
}

/**
 * Assigns slugs not in `taken` to what is published besides the pages, such as redirects. If a slug from the user or an
 * earlier run is taken, the route gets another one.
 */
export function planSpareSlugs(
  routes: readonly string[],
  options: SlugOptions & { readonly taken: Iterable<string> },
): ReadonlyMap<string, string> {
  const findWish = wishesOf(options);
  const slugs = new Map<string, string>();
  const taken = new Set(options.taken);
  for (const route of routes) {
    const wanted = findWish(route);
    if (wanted === undefined || !isSlug(wanted) || taken.has(wanted)) continue;
    slugs.set(route, wanted);
    taken.add(wanted);
  }
  const unnamed = routes.filter((route) => !slugs.has(route));
  return new Map([...slugs, ...nameRoutes(unnamed, { ...options, taken })]);
}

/** The slug that a route should have: from the user, from an earlier run if it still fits, or that of the home page. */
function wishesOf(options: SlugOptions) {
  const { overrides, prefix = HOME_SLUG } = options;
  const named = Object.entries(typeof overrides === "function" ? {} : (overrides ?? {}));
  const byRoute = new Map(named.map(([route, slug]) => [normalizeRoute(route), slug]));
  return (route: string) => {
    const override = typeof overrides === "function" ? overrides(route) : byRoute.get(route);
    const before = options.locked?.get(route);
    const locked = before !== undefined && isFitting(before, options) ? before : undefined;
    return override ?? locked ?? (route === "/" ? prefix : undefined);
  };
}

function checkSlug(slug: string, route: string): string {
  if (isSlug(slug)) return slug;
  throw new ImprintError("SLUG_INVALID", `The service doesn't accept the slug "${slug}" of the page ${route}.`);
}

function isFitting(slug: string, { prefix, maxLength = MAX_SLUG_LENGTH }: SlugOptions): boolean {
  const isPrefixed = prefix === undefined || slug === prefix || slug.startsWith(`${prefix}-`);
  return isPrefixed && slug.length <= maxLength;
}

interface NamingRules extends Pick<SlugOptions, "prefix" | "maxLength"> {
  readonly taken: ReadonlySet<string>;
}

/** All new routes that collide get a hash, so that none depends on which came first. */
function nameRoutes(
  routes: readonly string[],
  { taken, prefix, maxLength = MAX_SLUG_LENGTH }: NamingRules,
): readonly (readonly [string, string])[] {
  const folded = routes.map((route) => {
    const { slug, isExact } = foldRoute(route);
    const whole = prefix === undefined ? slug : `${prefix}-${slug}`;
    return { route, slug: whole, isExact: isExact && whole.length <= maxLength };
  });
  const wanted = new Map<string, number>();
  for (const { slug, isExact } of folded) if (isExact) wanted.set(slug, (wanted.get(slug) ?? 0) + 1);
  return folded.map(({ route, slug, isExact }) => {
    const isFree = isExact && wanted.get(slug) === 1 && !taken.has(slug);
    return [route, isFree ? slug : hashedSlug(slug, route, maxLength)] as const;
  });
}

function refuseDuplicates(slugs: ReadonlyMap<string, string>): void {
  const routes = new Map<string, string>();
  for (const [route, slug] of slugs) {
    const other = routes.get(slug);
    if (other !== undefined) {
      throw new ImprintError("SLUG_TAKEN", `${other} and ${route} both become "${slug}".`);
    }
    routes.set(slug, route);
  }
}

/** Naming rules from the `slugs` option: a common prefix, and slugs by route. */
export function namingOf({ slugs }: Pick<Options, "slugs">) {
  if (typeof slugs === "function") return { overrides: slugs };
  const { prefix, ...overrides } = slugs;
  return { overrides, prefix };
}

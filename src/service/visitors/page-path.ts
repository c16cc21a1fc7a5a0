import { foldRoute, hashedSlug, isSlug, normalizeRoute } from "../../contract/slug.ts";

/**
 * Returns possible slugs of the page for a site's path, likeliest first: `/blog/first/` is `blog-first`, a route that
 * lost characters ends in its hash, and any slug is also a path. Supports trailing slashes, `.html` and `index.html`,
 * as Astro builds them. Empty for the root, whose page the site defines.
 */
export function slugsOfPath(path: string): readonly string[] {
  const decoded = decode(path);
  if (decoded === undefined) return [];
  const whole = normalizeRoute(decoded);
  const short = normalizeRoute(decoded.replace(/(?:^|\/)index\.html$/i, "/").replace(/\.html$/i, ""));
  const slugs = [...new Set([short, whole])].filter((route) => route !== "/").flatMap(slugsOfRoute);
  return [...new Set(slugs)];
}

/** Like `slugsOfPath`, and for the root the site's home page, or `index`. */
export function slugsAt(path: string, home: string | null | undefined): readonly string[] {
  return isRootPath(path) ? [home ?? "index"] : slugsOfPath(path);
}

/** Returns a path relative to a site's base path; `undefined` outside it. */
export function pathBelow(path: string, basePath: string): string | undefined {
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}

export function isRootPath(path: string): boolean {
  return /^\/+(?:index\.html)?$/i.test(path);
}

function slugsOfRoute(route: string): readonly string[] {
  const { slug, isExact } = foldRoute(route);
  const own = route.slice(1, -1);
  return [...(isExact ? [slug] : []), hashedSlug(slug, route), ...(isSlug(own) ? [own] : [])];
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

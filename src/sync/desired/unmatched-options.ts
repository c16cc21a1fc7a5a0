import picomatch from "picomatch";
import { normalizeRoute } from "../../contract/slug.ts";
import { nearestName } from "../../options/nearest-name.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltSite, SiteWarning } from "../../site/model.ts";
import { namingOf } from "../../site/slugs.ts";

type RouteOptions = Pick<Options, "slugs" | "exclude">;

/**
 * Names routes in the options that the site doesn't have, with the nearest one. Never fails a run, as a site may be built
 * in parts. A pattern that only excludes what may come, such as drafts, is not named.
 *
 * @param made Routes of pages that imprint creates for posts.
 */
export function describeUnmatchedOptions(
  { pages, base }: Pick<BuiltSite, "pages" | "base">,
  options: RouteOptions,
  made: readonly string[],
): readonly SiteWarning[] {
  const routes = new Set([...pages.map(({ route }) => route), ...made]);
  const warn = (file: string, message: string): SiteWarning => ({
    code: "no-such-route",
    file,
    message,
    isNotice: true,
  });
  const slugs = unknownRoutes(options, routes).map((named) => {
    const nearest = nearestRoute(named, { routes, base });
    const advice = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    return warn("slugs", `The built site has no page at ${named}.${advice}`);
  });
  const exclude = options.exclude.flatMap((pattern) => {
    const nearest = nearestFolder(pattern, routes);
    return nearest === undefined
      ? []
      : [warn("exclude", `No page of the built site matches ${pattern}. Did you mean ${nearest}?`)];
  });
  return [...slugs, ...exclude];
}

function unknownRoutes(options: RouteOptions, routes: ReadonlySet<string>): readonly string[] {
  const { overrides } = namingOf(options);
  return typeof overrides === "function"
    ? []
    : Object.keys(overrides).filter((named) => !routes.has(normalizeRoute(named)));
}

interface KnownRoutes extends Pick<BuiltSite, "base"> {
  readonly routes: ReadonlySet<string>;
}

function nearestRoute(named: string, { routes, base }: KnownRoutes): string | undefined {
  const route = normalizeRoute(named);
  // Routes don't contain the base of the site.
  const short = route.startsWith(base) ? normalizeRoute(route.slice(base.length)) : route;
  if (routes.has(short)) return short;
  const isOption = !named.includes("/") && nearestName(named, ["prefix"]) !== undefined;
  return isOption ? "`prefix`" : nearestName(route, [...routes]);
}

/** The route or folder of routes nearest to where a pattern starts; `undefined` if it matches a page, or nothing is near. */
function nearestFolder(pattern: string, routes: ReadonlySet<string>): string | undefined {
  const isMatch = picomatch(pattern);
  const { base, negated } = picomatch.scan(pattern);
  if (negated || base === "" || [...routes].some((route) => isMatch(route) || isMatch(route.replace(/\/$/, "")))) {
    return undefined;
  }
  const start = normalizeRoute(base);
  const depth = start.split("/").length - 1;
  const parts = [...routes].map((route) => route.split("/")).filter(({ length }) => length > depth);
  const folders = parts.map((part) => `${part.slice(0, depth).join("/")}/`);
  return folders.includes(start) ? undefined : nearestName(start, [...new Set(folders)]);
}

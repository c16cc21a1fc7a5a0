import { extensionRoutes, routesOf } from "../../contract/operations.ts";
import type { RouteSetName, Route } from "../../contract/route.ts";
import { splitPath } from "../http/messages.ts";

/** The route set of a path, and the path below its base URL. */
interface Destination {
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty at the root. */
  readonly prefix: string;
  readonly path: string;
}

/** The routes of a service, implemented or not. */
export interface KnownRoutes {
  locate(path: string): Destination;
  /** Returns the route that handles a request; `HEAD` is handled by the route of `GET`. */
  find(destination: Destination, method: string): FoundRoute | undefined;
  /**
   * Returns the methods that the route set lists for a path: an empty list for a path in the other set only, and
   * `undefined` for an unknown path.
   */
  methodsOf(destination: Destination): readonly string[] | undefined;
}

export function createKnownRoutes(rootSet: RouteSetName, { strict }: { readonly strict: boolean }): KnownRoutes {
  const extensions = strict ? [] : extensionRoutes();
  const tables = {
    a: createRouteTable([...routesOf("a"), ...extensions]),
    b: createRouteTable([...routesOf("b"), ...extensions]),
  };

  function methodsIn(routeSet: RouteSetName, path: string): readonly string[] {
    const methods = tables[routeSet].methodsOf(path);
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  }

  return {
    locate: (path) => locate(path, rootSet),
    find: ({ routeSet, path }, method) => tables[routeSet].find(method === "HEAD" ? "GET" : method, path),
    methodsOf({ routeSet, path }) {
      const methods = methodsIn(routeSet, path);
      const isKnown = methods.length > 0 || methodsIn(routeSet === "a" ? "b" : "a", path).length > 0;
      return isKnown ? methods : undefined;
    },
  };
}

function locate(path: string, rootSet: RouteSetName): Destination {
  if (path.startsWith("/a/")) return { routeSet: "a", prefix: "/a", path: path.slice(2) };
  if (path.startsWith("/b/")) return { routeSet: "b", prefix: "/b", path: path.slice(2) };
  return { routeSet: rootSet, prefix: "", path };
}

export interface FoundRoute {
  readonly route: Route;
  /** The decoded path parameters in order. */
  readonly params: readonly string[];
}

/** Finds the route of a request. If several match, the first one wins. */
export interface RouteTable {
  find(method: string, path: string): FoundRoute | undefined;
  methodsOf(path: string): readonly string[];
}

interface Pattern {
  readonly route: Route;
  /** `undefined` is a parameter. */
  readonly segments: readonly (string | undefined)[];
}

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const patterns = routes.map((route) => ({ route, segments: parsePattern(route.path) }));
  const byMethod = Map.groupBy(patterns, ({ route }): string => route.method);
  return {
    find(method, path) {
      const segments = splitPath(path);
      const pattern = byMethod.get(method)?.find((candidate) => isMatch(candidate, segments));
      if (pattern === undefined) return undefined;
      return { route: pattern.route, params: segments.filter((_, index) => pattern.segments[index] === undefined) };
    },
    methodsOf(path) {
      const segments = splitPath(path);
      return patterns.filter((candidate) => isMatch(candidate, segments)).map(({ route }) => route.method);
    },
  };
}

function parsePattern(path: string): readonly (string | undefined)[] {
  return path.split("/").map((segment) => (segment.startsWith(":") ? undefined : segment));
}

function isMatch({ segments: pattern }: Pattern, segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((text, index) => (text === undefined ? segments[index] !== "" : text === segments[index]));
}

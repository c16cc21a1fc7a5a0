import { extensionRoutes, routesOf } from "../../contract/operations.ts";
import type { RouteSetName, Route } from "../../contract/route.ts";
import { splitPath } from "../http/request.ts";

/** Where a path leads: the route set that is asked and the path below its base address. */
interface Destination {
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty at the root. */
  readonly prefix: string;
  readonly path: string;
}

/** The routes that a service has, built or not. */
export interface KnownRoutes {
  locate(path: string): Destination;
  /** The row that serves a request; `HEAD` is served by the row of `GET`. */
  find(destination: Destination, method: string): FoundRoute | undefined;
  /**
   * The methods that the route set lists for a path: none of them for a path that only the other set lists, and
   * `undefined` for a path that neither knows.
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
  /** The parameters of the path in their order, decoded. */
  readonly params: readonly string[];
}

/** Finds a row by what a request asks for. Of two rows that fit, the first one holds. */
export interface RouteTable {
  find(method: string, path: string): FoundRoute | undefined;
  /** The methods that rows list for a path. */
  methodsOf(path: string): readonly string[];
}

interface Pattern {
  readonly route: Route;
  /** `undefined` stands for a parameter. */
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

import { extensionRoutes, routesOf } from "../../contract/route-sets.ts";
import type { Route, RouteSetName } from "../../contract/route.ts";

/** Where a path leads: the route set that is asked and the path below its base address. */
interface Destination {
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty at the root. */
  readonly prefix: string;
  readonly path: string;
}

/** The routes that a service has, to name what a request asks for before and beside serving it. */
export interface KnownRoutes {
  readonly routes: Readonly<Record<RouteSetName, readonly Route[]>>;
  locate(path: string): Destination;
  /** The name of the operation; `undefined` when the route set has no such route. */
  operationOf(destination: Destination, method: string): string | undefined;
  /**
   * The methods that the route set lists for a path: none of them for a path that only the other set lists, and
   * `undefined` for a path that neither knows.
   */
  methodsOf(destination: Destination): readonly string[] | undefined;
}

interface Matcher {
  readonly route: Route;
  readonly pattern: RegExp;
}

export function createKnownRoutes(rootSet: RouteSetName, { strict }: { readonly strict: boolean }): KnownRoutes {
  const extensions = strict ? [] : extensionRoutes();
  const routes = { a: [...routesOf("a"), ...extensions], b: [...routesOf("b"), ...extensions] };
  const matchers = { a: routes.a.map(toMatcher), b: routes.b.map(toMatcher) };

  function methodsIn(routeSet: RouteSetName, path: string): readonly string[] {
    const methods = matchers[routeSet].filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  }

  return {
    routes,
    locate: (path) => locate(path, rootSet),
    operationOf({ routeSet, path }, method) {
      const listed = method === "HEAD" ? "GET" : method;
      return matchers[routeSet].find(({ route, pattern }) => route.method === listed && pattern.test(path))?.route
        .operation;
    },
    methodsOf({ routeSet, path }) {
      const methods = methodsIn(routeSet, path);
      const isKnown = methods.length > 0 || methodsIn(routeSet === "a" ? "b" : "a", path).length > 0;
      return isKnown ? methods : undefined;
    },
  };
}

function toMatcher(route: Route): Matcher {
  return { route, pattern: new RegExp(`^${route.path.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`) };
}

function locate(path: string, rootSet: RouteSetName): Destination {
  if (path.startsWith("/a/")) return { routeSet: "a", prefix: "/a", path: path.slice(2) };
  if (path.startsWith("/b/")) return { routeSet: "b", prefix: "/b", path: path.slice(2) };
  return { routeSet: rootSet, prefix: "", path };
}

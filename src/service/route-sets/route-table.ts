import type { Route } from "../../contract/route.ts";
import { splitPath } from "../http/split-path.ts";

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

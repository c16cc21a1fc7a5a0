import { ImprintError } from "../base/error.ts";
import { type OperationName, extensionRoutes, routesOf } from "../contract/operations.ts";
import type { Route, RouteSetName } from "../contract/route.ts";

const ROUTES: Readonly<Record<RouteSetName, ReadonlyMap<string, Route>>> = {
  a: tableOf("a"),
  b: tableOf("b"),
};

function tableOf(routeSet: RouteSetName): ReadonlyMap<string, Route> {
  return new Map([...extensionRoutes(), ...routesOf(routeSet)].map((route) => [route.operation, route]));
}

/** The row of an operation, extensions included; `undefined` when the route set has none. */
export function findRoute(routeSet: RouteSetName, operation: OperationName): Route | undefined {
  return ROUTES[routeSet].get(operation);
}

/**
 * Fills the parameters of a path, in their order, and adds the query. A parameter that would change the path itself
 * (empty, `.`, `..`) throws `SLUG_INVALID`.
 */
export function pathOf(
  route: Route,
  { parameters, query }: { readonly parameters: readonly string[]; readonly query: Readonly<Record<string, string>> },
): string {
  const values = parameters.values();
  const path = route.path.replace(/:\w+/g, () => encodeSegment(values.next().value ?? "", route));
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

function encodeSegment(value: string, { method, path }: Route): string {
  // A lone half of a surrogate pair is no character and can't be encoded.
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) {
    throw new ImprintError("SLUG_INVALID", `${JSON.stringify(value)} can't stand in the address of ${method} ${path}.`);
  }
  return encodeURIComponent(value);
}

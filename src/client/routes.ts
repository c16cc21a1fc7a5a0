import { ImprintError } from "../base/error.ts";
import type { Account } from "../contract/extension-records.ts";
import type { OperationName } from "../contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../contract/routes.ts";
import type { RouteSetName, Row } from "../contract/route.ts";
import type { Capabilities } from "./api.ts";
import { baseOfPattern, patternOf } from "./published-address.ts";

const ROUTES: Readonly<Record<RouteSetName, ReadonlyMap<string, Row>>> = {
  a: tableOf(ROUTES_A),
  b: tableOf(ROUTES_B),
};

function tableOf(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map([...EXTENSION_ROUTES, ...rows].map((row) => [row.operation, row]));
}

/** Returns the row of an operation, including extensions; `undefined` if the route set doesn't have it. */
export function findRoute(routeSet: RouteSetName, operation: OperationName): Row | undefined {
  return ROUTES[routeSet].get(operation);
}

/**
 * Fills in the parameters of a path, in order, and appends the query. A parameter that would change the path itself
 * (empty, `.`, `..`) throws `SLUG_INVALID`.
 */
export function pathOf(
  route: Row,
  { parameters, query }: { readonly parameters: readonly string[]; readonly query: Readonly<Record<string, string>> },
): string {
  const values = parameters.values();
  const path = route.path.replace(/:\w+/g, () => encodeSegment(values.next().value ?? "", route));
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

function encodeSegment(value: string, { method, path }: Row): string {
  // A lone surrogate isn't a character and can't be encoded.
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) {
    throw new ImprintError(
      "SLUG_INVALID",
      `${JSON.stringify(value)} can't be part of the address of ${method} ${path}.`,
    );
  }
  return encodeURIComponent(value);
}

export interface CapabilitySources {
  readonly routeSet: RouteSetName;
  readonly account: Account | undefined;
  /** Address of published pages from the caller: a base address before `/p/`, or a pattern with `{slug}`. */
  readonly pagesUrl: string | undefined;
}

/** Returns what a service supports: the operations of its route set, and those that it announced in addition. */
export function capabilitiesOf({ routeSet, account, pagesUrl }: CapabilitySources): Omit<Capabilities, "clockAheadMs"> {
  const given = pagesUrl ?? account?.pagesUrl;
  const pagesAt = given === undefined ? undefined : patternOf(given);
  const rows = routeSet === "a" ? ROUTES_A : ROUTES_B;
  const extensions = EXTENSION_ROUTES.map((row) => row.operation).filter((name) => isAnnounced(name, account));
  return {
    routeSet,
    operations: new Set<OperationName>([...rows.map((row) => row.operation), ...extensions]),
    assetTypes: account?.capabilities["assets.types"] ?? (routeSet === "a" ? "any" : "images"),
    limits: account?.limits ?? {},
    pagesAt,
    pagesUrl: baseOfPattern(pagesAt),
    account,
  };
}

function isAnnounced(operation: OperationName, account: Account | undefined): boolean {
  if (account === undefined) return false;
  if (operation === "pages.patch" || operation === "pages.edit") return account.capabilities["pages.update"] === true;
  if (operation === "pages.analytics" || operation === "analytics.visits") {
    return account.capabilities[operation] === true;
  }
  if (operation === "posts.patch") return account.capabilities["posts.update"];
  if (operation === "posts.delete") return account.capabilities["posts.delete"];
  if (operation.startsWith("previewLinks.")) return account.capabilities["posts.previewLinks"] === true;
  if (operation.startsWith("keys.")) return account.capabilities.keys === true;
  if (operation === "signInLinks.create") return account.capabilities.dashboard === true;
  if (/^(?:webhooks|deliveries|events)\./.test(operation)) return account.capabilities.webhooks === true;
  if (/^(?:users|audit)\./.test(operation)) return account.capabilities.users === true;
  if (operation === "requests.list") return account.capabilities.requests === true;
  if (operation.startsWith("releases.")) return account.capabilities.releases === true;
  return operation === "account.get";
}

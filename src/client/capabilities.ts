import { type OperationName, EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../contract/operations.ts";
import type { Account } from "../contract/extension-records.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { Capabilities } from "./api.ts";
import { baseOfPattern, patternOf } from "./published-address.ts";

export interface CapabilitySources {
  readonly routeSet: RouteSetName;
  readonly account: Account | undefined;
  /** Address of published pages as the caller gives it: a base address before `/p/`, or a pattern with `{slug}`. */
  readonly pagesUrl: string | undefined;
}

/** What a service can do: what its route set lists, and what it announced beyond that. */
export function capabilitiesOf({ routeSet, account, pagesUrl }: CapabilitySources): Capabilities {
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
  if (operation === "posts.patch") return account.capabilities["posts.update"];
  if (operation === "posts.delete") return account.capabilities["posts.delete"];
  if (operation === "previewLinks.create") return account.capabilities["posts.previewLinks"] === true;
  if (operation.startsWith("keys.")) return account.capabilities.keys === true;
  if (operation === "signInLinks.create") return account.capabilities.dashboard === true;
  if (/^(?:webhooks|deliveries|events)\./.test(operation)) return account.capabilities.webhooks === true;
  return operation === "account.get";
}

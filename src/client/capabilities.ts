import type { OperationName } from "../contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../contract/route-sets.ts";
import type { Account } from "../contract/records.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { Capabilities, Page } from "./api.ts";

export interface CapabilitySources {
  readonly routeSet: RouteSetName;
  readonly account: Account | undefined;
  /** Told by the caller, or learned from the address of a page. */
  readonly pagesUrl: string | undefined;
}

/** What a service can do: what its route set lists, and what it announced beyond that. */
export function capabilitiesOf({ routeSet, account, pagesUrl }: CapabilitySources): Capabilities {
  const rows = routeSet === "a" ? ROUTES_A : ROUTES_B;
  const extensions = EXTENSION_ROUTES.map((row) => row.operation).filter((name) => isAnnounced(name, account));
  return {
    routeSet,
    operations: new Set<OperationName>([...rows.map((row) => row.operation), ...extensions]),
    assetTypes: account?.capabilities["assets.types"] ?? (routeSet === "a" ? "any" : "images"),
    limits: account?.limits ?? {},
    pagesUrl: pagesUrl ?? account?.pagesUrl.replace(/\/+$/, ""),
    account,
  };
}

function isAnnounced(operation: OperationName, account: Account | undefined): boolean {
  if (account === undefined) return false;
  if (operation === "posts.patch") return account.capabilities["posts.update"];
  if (operation === "posts.delete") return account.capabilities["posts.delete"];
  if (operation.startsWith("keys.")) return account.capabilities.keys === true;
  if (operation === "signInLinks.create") return account.capabilities.dashboard === true;
  if (/^(?:webhooks|deliveries|events)\./.test(operation)) return account.capabilities.webhooks === true;
  return operation === "account.get";
}

/** The base of published addresses, from a page whose address has the form `{site_url}/p/<slug>`. */
export function findPagesUrl(page: Page): string | undefined {
  for (const address of [page.publicUrl, page.url]) {
    const url = URL.parse(address ?? "");
    const ending = `/p/${encodeURIComponent(page.slug)}`;
    const path = url?.pathname.replace(/\/+$/, "");
    if (url !== null && /^https?:$/.test(url.protocol) && path?.endsWith(ending) === true) {
      return `${url.origin}${path.slice(0, -ending.length)}`;
    }
  }
  return undefined;
}

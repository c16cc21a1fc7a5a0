import { isIP } from "node:net";
import type { HttpRequest } from "../http/request.ts";

/** How a visitor reached the service. */
export interface PublicAddress {
  readonly scheme: "http" | "https";
  /** With the port where it is not the usual one. */
  readonly host: string;
}

/**
 * The scheme and host that a visitor's browser shows. Behind a proxy they are what it says in `X-Forwarded-Proto` and
 * `X-Forwarded-Host`, of which the last entry is the one that the proxy itself added.
 */
export function publicAddressOf(
  { host, scheme, headers }: Pick<HttpRequest, "host" | "scheme" | "headers">,
  { trustProxy }: { readonly trustProxy: boolean },
): PublicAddress {
  if (!trustProxy) return { host: host.toLowerCase(), scheme };
  const said = lastOf(headers.get("X-Forwarded-Proto")) ?? scheme;
  const shown = lastOf(headers.get("X-Forwarded-Host")) ?? host;
  return { host: shown.toLowerCase(), scheme: said === "https" ? "https" : "http" };
}

/** Whether a host is one of this service's own: that of the pages, or a name that no custom domain can be. */
export function isOwnHost(host: string, pagesHost: string): boolean {
  if (host === pagesHost) return true;
  const name = nameOf(host);
  if (!name.includes(".") || isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true;
  return name === nameOf(pagesHost) || name.endsWith(".localhost");
}

/** A host without port and dot at the end. */
export function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "");
}

function lastOf(header: string | null): string | undefined {
  const last = header?.split(",").at(-1)?.trim();
  return last === undefined || last === "" ? undefined : last;
}

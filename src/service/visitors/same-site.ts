import type { Core } from "../host/core.ts";
import { ProblemError } from "../http/problem.ts";

/**
 * Throws `forbidden_origin` when a page of another origin sends a request. A page that tells nobody where it is
 * (`referrer: no-referrer`) sends the origin `null`, and then the browser's `Sec-Fetch-Site` decides.
 */
export function checkSameOrigin({ addresses }: Core, request: Request): void {
  const origin = request.headers.get("Origin");
  if (origin === null || isOwnOrigin(origin, { pagesUrl: addresses.pagesUrl, url: request.url })) return;
  if (origin === "null" && request.headers.get("Sec-Fetch-Site") === "same-origin") return;
  throw new ProblemError("forbidden_origin", { detail: "A form can only be sent from the page that it is on." });
}

// A proxy that speaks TLS leaves the host as it was and not the scheme.
function isOwnOrigin(origin: string, { pagesUrl, url }: { readonly pagesUrl: string; readonly url: string }): boolean {
  return origin === new URL(pagesUrl).origin || URL.parse(origin)?.host === new URL(url).host;
}

/** The path of an address that is on the same host as the request; `undefined` for any other. */
export function ownPath(address: string, { url }: { readonly url: string }): string | undefined {
  const { origin } = new URL(url);
  const target = URL.parse(address, url);
  // `/x/..//other.example` has a path that a browser would take for another host.
  if (target === null || target.origin !== origin || target.pathname.startsWith("//")) return undefined;
  return `${target.pathname}${target.search}${target.hash}`;
}

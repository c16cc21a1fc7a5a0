/** What a token is good for: the routes below `/api`, or the MCP server. */
export type Audience = "api" | "mcp";

/** Where the parts of the authorization server answer, below the address of the app. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

const AUDIENCE_PATHS = { api: "", mcp: "/mcp" } as const satisfies Record<Audience, string>;

/** The address that a token for an audience is made for, as RFC 8707 calls the resource. */
export function resourceOf(appUrl: string, audience: Audience): string {
  return `${appUrl}${AUDIENCE_PATHS[audience]}`;
}

/**
 * What an address is a part of; `undefined` when the service has nothing there. Both route sets are the same API, and a
 * slash at the end makes no difference.
 */
export function findAudience(appUrl: string, resource: string): Audience | undefined {
  const url = URL.parse(resource);
  if (url === null || url.search !== "" || url.hash !== "") return undefined;
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const base = new URL(appUrl).href.replace(/\/+$/, "");
  if (address === `${base}/mcp`) return "mcp";
  return ["", "/a", "/b"].some((path) => address === `${base}${path}`) ? "api" : undefined;
}

/** Where a resource names the server that issues tokens for it (RFC 9728, section 3.1). */
export function resourceMetadataUrl(appUrl: string, audience: Audience): string {
  return wellKnownUrl(resourceOf(appUrl, audience), "oauth-protected-resource");
}

/** The well-known document of an address: between its host and its path. */
export function wellKnownUrl(address: string, name: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname === "/" ? "" : pathname}`;
}

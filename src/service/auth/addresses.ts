/** What a token is valid for: the routes below `/api`, or the MCP server. */
export type Audience = "api" | "mcp";

/** Endpoints of the authorization server, relative to the app's URL. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

const AUDIENCE_PATHS = { api: "", mcp: "/mcp" } as const satisfies Record<Audience, string>;

/** Returns the URL that tokens for an audience are issued for (the resource, in RFC 8707). */
export function resourceOf(appUrl: string, audience: Audience): string {
  return `${appUrl}${AUDIENCE_PATHS[audience]}`;
}

/**
 * Returns the audience of a URL; `undefined` if the service has nothing there. Both route sets belong to the same API,
 * and a trailing slash is ignored.
 */
export function findAudience(appUrl: string, resource: string): Audience | undefined {
  const url = URL.parse(resource);
  if (url === null || url.search !== "" || url.hash !== "") return undefined;
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const base = new URL(appUrl).href.replace(/\/+$/, "");
  if (address === `${base}/mcp`) return "mcp";
  return ["", "/a", "/b"].some((path) => address === `${base}${path}`) ? "api" : undefined;
}

/** Returns the URL of the metadata with the authorization server of a resource (RFC 9728, section 3.1). */
export function resourceMetadataUrl(appUrl: string, audience: Audience): string {
  return wellKnownUrl(resourceOf(appUrl, audience), "oauth-protected-resource");
}

/** Returns the URL of a well-known document, inserted between host and path. */
export function wellKnownUrl(address: string, name: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname === "/" ? "" : pathname}`;
}

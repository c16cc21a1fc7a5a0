import { findAudience, OAUTH_PATHS, resourceOf } from "../auth/addresses.ts";
import { GRANTABLE_SCOPES } from "../auth/grantable-scopes.ts";

/** Tells programs how to get a token (RFC 8414), and that nothing but the code flow with PKCE is spoken. */
export function describeServer(appUrl: string): Readonly<Record<string, unknown>> {
  const clientMethods = ["none", "client_secret_basic", "client_secret_post"];
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${appUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${appUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${appUrl}${OAUTH_PATHS.revoke}`,
    scopes_supported: GRANTABLE_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/**
 * Tells programs which server gives out tokens for an address of the service (RFC 9728); `undefined` when there is
 * nothing at this path.
 *
 * @param path below the address of the app: empty, `/a`, `/b` or `/mcp`
 */
export function describeResource(appUrl: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const audience = findAudience(appUrl, `${appUrl}${path}`);
  if (audience === undefined) return undefined;
  return {
    resource: audience === "mcp" ? resourceOf(appUrl, "mcp") : `${appUrl}${path}`,
    resource_name: audience === "mcp" ? "Imprint (MCP)" : "Imprint",
    authorization_servers: [appUrl],
    scopes_supported: GRANTABLE_SCOPES,
    bearer_methods_supported: ["header"],
  };
}

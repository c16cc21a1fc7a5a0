import { createMcpHandler, type AuthInfo, type McpServer } from "@modelcontextprotocol/server";
import { messageOf } from "../../base/error.ts";
import { SCOPES, type Scope } from "../../contract/scopes.ts";
import { resourceMetadataUrl } from "../auth/addresses.ts";
import { type Credential, identifyBearer } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import type { Caller } from "./call-tool.ts";
import { findCalledTool, nameOf, parseMessage } from "./parse-message.ts";

/** Handles requests to `/mcp`. */
export type McpEndpoint = (request: Request, requestContext: RequestContext) => Promise<Response>;

export type CreateServer = (caller: Caller) => McpServer;

/**
 * Creates an MCP endpoint: checks host and origin, credential, rate and message size, then hands over to the protocol.
 * It keeps no state between requests, so any process can handle them.
 */
export function createMcpEndpoint(core: Core, createServer: CreateServer): McpEndpoint {
  const callers = new WeakMap<AuthInfo, Caller>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo === undefined ? undefined : callers.get(authInfo);
      if (caller === undefined) throw new Error("A request reached the MCP server without its caller.");
      return createServer(caller);
    },
    { onerror: (error) => core.settings.logger.debug(`MCP: ${messageOf(error)}`) },
  );
  return async (request, requestContext) => {
    requestContext.setOperation("mcp");
    checkHost(request, core);
    requestContext.addHeaders(checkOrigin(request, core));
    if (request.method === "OPTIONS" && request.headers.has("Access-Control-Request-Method")) {
      return new Response(null, { status: 204 });
    }
    const credential = await identifyCaller(core, request, requestContext);
    const authInfo = {
      // Nothing below needs the token, so it can't be leaked.
      token: "",
      clientId: credential.keyId,
      scopes: [...scopesOf(credential)],
      resourceMetadataUrl: resourceMetadataUrl(core.addresses.appUrl, "mcp"),
    };
    if (request.method !== "POST") return await handler.fetch(request, { authInfo });
    const message = await parseMessage(request, core.settings.limits);
    if (message.kind === "refused") return message.response;
    requestContext.setOperation(nameOf(message.body));
    callers.set(authInfo, { core, credential, requestContext, calledTool: findCalledTool(message.body) });
    return await handler.fetch(request, { authInfo, parsedBody: message.body });
  };
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Throws `misdirected_request` if a request's host isn't the service's: otherwise, a page on another domain that
 * resolves to this machine (DNS rebinding) would pass for one of the service.
 */
function checkHost(request: Request, { addresses }: Core): void {
  const host = request.headers.get("Host") ?? new URL(request.url).host;
  const hostname = URL.parse(`http://${host}`)?.hostname;
  const allowed = [new URL(addresses.appUrl).hostname, ...LOOPBACK_HOSTS];
  if (hostname !== undefined && allowed.includes(hostname)) return;
  throw new ProblemError("misdirected_request", {
    detail: `MCP isn't served on ${JSON.stringify(host)}. Behind a proxy, forward the Host header and set \`appUrl\`.`,
  });
}

/**
 * Returns the CORS headers for a web page's origin; none for programs other than browsers. Throws `forbidden_origin`
 * for all origins except the service's own and those in `mcpOrigins`, including that of published pages.
 */
function checkOrigin(request: Request, { addresses, settings }: Core): Readonly<Record<string, string>> {
  const origin = request.headers.get("Origin");
  if (origin === null) return {};
  if (origin !== new URL(addresses.appUrl).origin && !settings.mcpOrigins.includes(origin)) {
    throw new ProblemError("forbidden_origin", {
      detail: `Web pages of ${JSON.stringify(origin)} may not use MCP here. See the \`mcpOrigins\` option.`,
    });
  }
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID",
    "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, X-Request-Id",
    "Access-Control-Max-Age": "600",
    Vary: "Origin",
  };
}

/**
 * Authenticates the caller by API key or by an access token issued for `/mcp`. Throws `invalid_token` with the URL to
 * get a token and the initial scopes.
 */
async function identifyCaller(core: Core, request: Request, requestContext: RequestContext): Promise<Credential> {
  try {
    return await identifyBearer(core, { request, audience: "mcp", requestContext });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== "invalid_token") throw error;
    const challenge = core.challenges.render({
      audience: "mcp",
      error: request.headers.has("Authorization") ? "invalid_token" : undefined,
      scopes: firstScopes(request.headers),
    });
    throw new ProblemError("invalid_token", { ...error.details, headers: { "WWW-Authenticate": challenge } });
  }
}

const TOOL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !scope.startsWith("account:"));
const READ_SCOPES = TOOL_SCOPES.filter((scope) => scope.endsWith(":read"));

/**
 * Returns the scopes that a client without credentials should request. A current client requests read access, and more
 * when a tool needs it. A client of 2025 can't do that: it renews its refresh token with the same scopes, so it
 * requests all of them at once, and the user deselects the unwanted ones.
 */
function firstScopes(headers: Headers): readonly Scope[] {
  const version = headers.get("MCP-Protocol-Version");
  return version !== null && version >= "2026" ? READ_SCOPES : TOOL_SCOPES;
}

export function scopesOf({ scopes }: Credential): readonly Scope[] {
  return scopes ?? SCOPES;
}

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

/** What answers at `/mcp`. */
export type McpEndpoint = (request: Request, exchange: RequestContext) => Promise<Response>;

/** Makes the server that serves one caller. */
export type CreateServer = (caller: Caller) => McpServer;

/**
 * The front of an MCP server: host and origin, credential, rate and size of the message, then the protocol. It keeps
 * nothing between two requests, so that any process can answer each of them.
 */
export function createMcpEndpoint(core: Core, createServer: CreateServer): McpEndpoint {
  const callers = new WeakMap<AuthInfo, Caller>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo === undefined ? undefined : callers.get(authInfo);
      if (caller === undefined) throw new Error("A request came to the MCP server without its caller.");
      return createServer(caller);
    },
    { onerror: (error) => core.settings.logger.debug(`MCP: ${messageOf(error)}`) },
  );
  return async (request, exchange) => {
    exchange.setOperation("mcp");
    checkHost(request, core);
    exchange.addHeaders(checkOrigin(request, core));
    if (request.method === "OPTIONS" && request.headers.has("Access-Control-Request-Method")) {
      return new Response(null, { status: 204 });
    }
    const credential = await identifyCaller(core, request, exchange);
    const authInfo = {
      // Nothing behind this line needs the token, so that nothing can pass it on.
      token: "",
      clientId: credential.keyId,
      scopes: [...scopesOf(credential)],
      resourceMetadataUrl: resourceMetadataUrl(core.addresses.appUrl, "mcp"),
    };
    if (request.method !== "POST") return await handler.fetch(request, { authInfo });
    const message = await parseMessage(request, core.settings.limits);
    if (message.kind === "refused") return message.response;
    exchange.setOperation(nameOf(message.body));
    callers.set(authInfo, { core, credential, exchange, calledTool: findCalledTool(message.body) });
    return await handler.fetch(request, { authInfo, parsedBody: message.body });
  };
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Throws `misdirected_request` when a request names another host than that of the service: a page of a stranger whose
 * name was made to lead here (DNS rebinding) would otherwise be taken for one of the service itself.
 */
function checkHost(request: Request, { addresses }: Core): void {
  const host = request.headers.get("Host") ?? new URL(request.url).host;
  const hostname = URL.parse(`http://${host}`)?.hostname;
  const allowed = [new URL(addresses.appUrl).hostname, ...LOOPBACK_HOSTS];
  if (hostname !== undefined && allowed.includes(hostname)) return;
  throw new ProblemError("misdirected_request", {
    detail: `MCP is not served under the host name ${JSON.stringify(host)}. Behind a proxy, let it pass on the Host header, and give the service its address as \`appUrl\`.`,
  });
}

/**
 * The headers that let a web page of this origin read the answer; none for a program that is no browser. Throws
 * `forbidden_origin` for every origin but the service's own and those of the setting `mcpOrigins`, that of published
 * pages included.
 */
function checkOrigin(request: Request, { addresses, settings }: Core): Readonly<Record<string, string>> {
  const origin = request.headers.get("Origin");
  if (origin === null) return {};
  if (origin !== new URL(addresses.appUrl).origin && !settings.mcpOrigins.includes(origin)) {
    throw new ProblemError("forbidden_origin", {
      detail: `Web pages of ${JSON.stringify(origin)} may not use MCP here. The setting \`mcpOrigins\` names those that may.`,
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
 * Who calls, by an API key or an access token that was made for `/mcp`; throws `invalid_token` with the way to a token
 * and the scopes to begin with.
 */
async function identifyCaller(core: Core, request: Request, exchange: RequestContext): Promise<Credential> {
  try {
    return await identifyBearer(core, { request, audience: "mcp", exchange });
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
const LOOKING_SCOPES = TOOL_SCOPES.filter((scope) => scope.endsWith(":read"));

/**
 * The scopes that a client without a credential should ask for. One of today asks for as much as it takes to look
 * around, and for more when a tool needs it. One of 2025 can't do that: as long as it holds a refresh token it renews
 * its token with the same scopes, so it asks for everything at once, and the person leaves ticked what is wanted.
 */
function firstScopes(headers: Headers): readonly Scope[] {
  const version = headers.get("MCP-Protocol-Version");
  return version !== null && version >= "2026" ? LOOKING_SCOPES : TOOL_SCOPES;
}

/** The scopes of a credential, one by one. */
export function scopesOf({ scopes }: Credential): readonly Scope[] {
  return scopes ?? SCOPES;
}

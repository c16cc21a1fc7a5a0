import { createMcpHandler, type AuthInfo, type McpServer } from "@modelcontextprotocol/server";
import { messageOf } from "../../base/error.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Caller } from "./call-tool.ts";
import { resourceMetadataUrl } from "../auth/addresses.ts";
import { identifyCaller } from "./identify-caller.ts";
import { checkHost, checkOrigin, isPreflight } from "./origins.ts";
import { findCalledTool, nameOf, parseMessage } from "./parse-message.ts";
import { scopesOf } from "./scopes.ts";

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
    if (isPreflight(request)) return new Response(null, { status: 204 });
    const credential = await identifyCaller(core, { request, exchange });
    const authInfo = {
      // Nothing behind this line needs the token, so that nothing can pass it on.
      ...{ token: "", clientId: credential.keyId, scopes: [...scopesOf(credential)] },
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

import type { Core } from "../host/core.ts";
import { createMcpEndpoint, type McpEndpoint } from "./endpoint.ts";
import { createProductServer } from "./server.ts";

/** What `/mcp` of the service answers: the tools and resources of the product behind the common front. */
export function createProductEndpoint(core: Core): McpEndpoint {
  return createMcpEndpoint(core, createProductServer);
}

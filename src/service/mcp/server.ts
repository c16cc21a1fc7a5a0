import { McpServer, type ListToolsResult, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { callTool, type Caller } from "./call-tool.ts";
import type { JsonObject } from "./json-schema.ts";
import { registerResources } from "./resources.ts";
import { challengeFor, shownScopes } from "./scopes.ts";
import { createTools, type Tool } from "./tools.ts";

const VERSION = "1";

const INSTRUCTIONS = `This service publishes web pages. A page is a whole HTML document under a slug; pages_put publishes it at once \
and answers with its public address. Images belong into the library: assets_import fetches one from an address and \
answers with the address that pages use. Lists go on with \`cursor\` until \`nextCursor\` is null. An error tells a \
\`code\` and a pointer to each argument that has to be changed.`;

// What a client may keep for a while instead of asking again.
const LIST_TTL_MS = 5 * 60_000;

const tools = createTools();

/** The server of one request of one caller. */
export function createProductServer(caller: Caller): McpServer {
  const server = new McpServer(
    { name: "astro-imprint", title: "Imprint", version: VERSION },
    {
      instructions: INSTRUCTIONS,
      // Each request has a server of its own, so that there is nobody to tell that a list has changed.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS }, "resources/templates/list": { ttlMs: LIST_TTL_MS } },
    },
  );
  const tool = tools.find(({ name }) => name === caller.calledTool);
  if (tool !== undefined) registerTool(server, tool, caller);
  server.server.setRequestHandler("tools/list", () => ({ tools: listTools(caller) }));
  registerResources(server, caller);
  return server;
}

// Each request has a server of its own, so it knows the one tool that is called instead of all of them.
function registerTool(server: McpServer, tool: Tool, caller: Caller): void {
  const { title, description, annotations, inputSchema, outputSchema, scope } = tool;
  const config = {
    ...{ title, description, annotations },
    inputSchema: advertise(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: advertise(outputSchema) }),
    scopeChallenge: challengeFor(scope),
  };
  server.registerTool(tool.name, config, async (given) => await callTool(tool, given, caller));
}

/**
 * The tools that a caller is shown. One that is not shown can be called all the same: the answer is then a challenge
 * that names the missing scope.
 */
function listTools({ credential }: Caller): ListToolsResult["tools"] {
  const scopes = shownScopes(credential);
  return tools
    .filter(({ scope }) => scopes.includes(scope))
    .map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
      ...{ name, title, description, annotations },
      inputSchema: { ...inputSchema, type: "object" },
      ...(outputSchema !== undefined && { outputSchema: { ...outputSchema, type: "object" } }),
    }));
}

/** A schema that is shown to clients. The service itself checks by the schema of the contract, with better words. */
function advertise(schema: JsonObject): StandardSchemaWithJSON<JsonObject, JsonObject> {
  return {
    "~standard": {
      version: 1,
      vendor: "astro-imprint",
      validate: (value) => (isObject(value) ? { value } : { issues: [{ message: "has to be an object" }] }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

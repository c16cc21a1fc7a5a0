import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ListToolsResult,
  type Resource,
  type ScopeChallengeHandler,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../base/json.ts";
import { SCOPES, type Scope } from "../../contract/scopes.ts";
import { describeLack, type Credential } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import { decodeHtml, getPageHtml } from "../resources/pages.ts";
import { viewSite } from "../api/views.ts";
import { formatCursor, parseCursor } from "../store/keyset.ts";
import { findPage, listPages, type Page } from "../store/pages.ts";
import { listSites } from "../store/sites.ts";
import { callTool, type Caller } from "./call-tool.ts";
import { createMcpEndpoint, scopesOf, type McpEndpoint } from "./endpoint.ts";
import { registerPrompts } from "./prompts.ts";
import { createTools, type JsonObject, type Tool } from "./tools.ts";

const VERSION = "1";

const INSTRUCTIONS = `This service publishes web pages. A page is a whole HTML document under a slug; pages_put publishes it at once \
and returns its public address. To change a part of a page, find it with pages_get and \`find\`, then use \
pages_edit; pages_patch changes title, status and site. Images belong in the library: assets_upload accepts their \
bytes, assets_import fetches one from an address, and both return the \`url\` that pages use. Lists have up to \`limit\` entries (default 50, at most 100) and continue with \
\`cursor\` until \`nextCursor\` is null. \`ifVersion\` rejects a change if the record now has another \`version\`; calls \
with the same \`idempotencyKey\` run once. An error has a \
\`code\` and a pointer to each argument to change.`;

// How long clients may cache lists.
const LIST_TTL_MS = 5 * 60_000;

const tools = createTools();

/** Creates the product's `/mcp` endpoint, with its tools and resources. */
export function createProductEndpoint(core: Core): McpEndpoint {
  return createMcpEndpoint(core, createProductServer);
}

export function createProductServer(caller: Caller): McpServer {
  const server = new McpServer(
    { name: "astro-imprint", title: "Imprint", version: VERSION },
    {
      instructions: INSTRUCTIONS,
      // Each request has its own server, so there is no client to notify of changed lists.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        "tools/list": { ttlMs: LIST_TTL_MS },
        "prompts/list": { ttlMs: LIST_TTL_MS },
        "resources/templates/list": { ttlMs: LIST_TTL_MS },
      },
    },
  );
  const tool = tools.find(({ name }) => name === caller.calledTool);
  if (tool !== undefined) registerTool(server, tool, caller);
  server.server.setRequestHandler("tools/list", () => ({ tools: listTools(caller) }));
  registerResources(server, caller);
  registerPrompts(server);
  return server;
}

// Each request has its own server, so it registers only the called tool instead of all.
function registerTool(server: McpServer, tool: Tool, caller: Caller): void {
  const { title, description, annotations, inputSchema, scope } = tool;
  const config = {
    title,
    description,
    annotations,
    inputSchema: advertise(inputSchema),
    scopeChallenge: challengeFor(scope, caller),
  };
  server.registerTool(tool.name, config, async (given) => await callTool(tool, given, caller));
}

function listTools({ credential }: Caller): ListToolsResult["tools"] {
  const scopes = shownScopes(credential);
  return tools
    .filter(({ scope }) => scopes.includes(scope))
    .map(({ name, description, annotations, inputSchema }) => ({
      name,
      description,
      annotations: shownAnnotations(annotations),
      inputSchema: { ...inputSchema, type: "object" },
    }));
}

/** Omits hints that equal the protocol's defaults, or are meaningless for read-only tools. */
function shownAnnotations({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Tool["annotations"]) {
  const hints = readOnlyHint
    ? { readOnlyHint }
    : { ...(!destructiveHint && { destructiveHint }), ...(idempotentHint && { idempotentHint }) };
  return { ...hints, ...(!openWorldHint && { openWorldHint }) };
}

/** Returns a schema for clients. The service itself validates with the contract's schema, which has better messages. */
function advertise(schema: JsonObject): StandardSchemaWithJSON<JsonObject, JsonObject> {
  return {
    "~standard": {
      version: 1,
      vendor: "astro-imprint",
      validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: "must be an object" }] }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}

/**
 * Returns the scopes whose tools a caller sees. A program authorized by a user can request more scopes, so it sees
 * every tool; a key's scopes are fixed, so it sees only the tools it may use.
 */
function shownScopes(credential: Credential): readonly Scope[] {
  return credential.kind === "token" ? SCOPES : scopesOf(credential);
}

/** Responds with 403 and the missing scope before doing anything, so that a client can request it from the user. */
function challengeFor(scope: Scope, { credential }: Caller): ScopeChallengeHandler {
  return ({ authInfo }) =>
    authInfo?.scopes.includes(scope) === true
      ? undefined
      : { scopes: [scope], errorDescription: describeLack(credential, scope) };
}

const PAGE_URI = "imprint://pages/{slug}";
const SITES_URI = "imprint://sites";
const MAX_COMPLETIONS = 100;

/** Registers pages as HTML and the list of sites, for programs that read before they act. */
function registerResources(server: McpServer, caller: Caller): void {
  const sites = { title: "Sites", description: "All sites, as JSON.", mimeType: "application/json" };
  server.registerResource(
    "sites",
    SITES_URI,
    { ...sites, scopeChallenge: challengeFor("sites:read", caller) },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: sites.mimeType, text: await readSites(caller) }] }),
  );
  const page = { title: "Page", description: "The HTML of a page.", mimeType: "text/html" };
  const template = new ResourceTemplate(PAGE_URI, {
    list: undefined,
    complete: { slug: (value) => completeSlug(caller, value) },
  });
  server.registerResource(
    "page",
    template,
    { ...page, scopeChallenge: challengeFor("pages:read", caller) },
    async (uri, { slug }) => ({
      contents: [{ uri: uri.href, mimeType: page.mimeType, text: await readPage(caller, { uri, slug }) }],
    }),
  );
  // The library's helper lists everything at once, without a cursor.
  server.server.setRequestHandler("resources/list", async ({ params }) => await listResources(caller, params?.cursor));
}

async function readSites({ core, credential }: Caller): Promise<string> {
  const context = core.contextOf(credential.accountId);
  const window = { limit: context.limits.maxSites };
  const { items } = await listSites(context.database, context.accountId, { window });
  return JSON.stringify({ data: items.map((site) => viewSite(site, context)) });
}

async function readPage({ core, credential }: Caller, { uri, slug }: { readonly uri: URL; readonly slug: unknown }) {
  const context = core.contextOf(credential.accountId);
  const { database, accountId } = context;
  const found = typeof slug === "string" ? await findPage(database, { accountId, slug }) : undefined;
  if (found === undefined) throw new ResourceNotFoundError(uri.href);
  return decodeHtml(await getPageHtml(context, found));
}

async function listResources(
  caller: Caller,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is invalid for this list.");
  }
  const scopes = scopesOf(caller.credential);
  const sites: Resource[] =
    cursor === undefined && scopes.includes("sites:read")
      ? [{ uri: SITES_URI, name: "sites", title: "Sites", mimeType: "application/json" }]
      : [];
  if (!scopes.includes("pages:read")) return { resources: sites };
  const { database, accountId, limits } = caller.core.contextOf(caller.credential.accountId);
  const { items, next } = await listPages(database, accountId, { window: { after, limit: limits.defaultListLimit } });
  return {
    resources: [...sites, ...items.map(describePage)],
    ...(next !== undefined && { nextCursor: formatCursor(next) }),
  };
}

function describePage(page: Page): Resource {
  return {
    uri: PAGE_URI.replace("{slug}", page.slug),
    name: page.slug,
    title: page.title,
    mimeType: "text/html",
    size: page.bytes,
    annotations: { lastModified: page.updatedAt.toISOString() },
  };
}

async function completeSlug(caller: Caller, value: string): Promise<string[]> {
  if (!scopesOf(caller.credential).includes("pages:read")) return [];
  const { reader, accountId } = caller.core.contextOf(caller.credential.accountId);
  const { items } = await listPages(reader, accountId, {
    window: { limit: MAX_COMPLETIONS },
    filter: { text: value },
  });
  return items.map(({ slug }) => slug).filter((slug) => slug.startsWith(value));
}

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type Resource,
} from "@modelcontextprotocol/server";
import { getPageHtml } from "../resources/pages.ts";
import { formatCursor, parseCursor } from "../store/keyset.ts";
import { findPage, listPages, type Page } from "../store/pages.ts";
import { listSites } from "../store/sites.ts";
import { viewSite } from "../api/views.ts";
import type { Caller } from "./call-tool.ts";
import { challengeFor, scopesOf } from "./scopes.ts";

const PAGE_URI = "imprint://pages/{slug}";
const SITES_URI = "imprint://sites";
const MAX_COMPLETIONS = 100;

/** Pages as HTML and the list of sites, for programs that read before they act. */
export function registerResources(server: McpServer, caller: Caller): void {
  const sites = { title: "Sites", description: "All sites, as JSON.", mimeType: "application/json" };
  server.registerResource(
    "sites",
    SITES_URI,
    { ...sites, scopeChallenge: challengeFor("sites:read") },
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
    { ...page, scopeChallenge: challengeFor("pages:read") },
    async (uri, { slug }) => ({
      contents: [{ uri: uri.href, mimeType: page.mimeType, text: await readPage(caller, { uri, slug }) }],
    }),
  );
  // The helper of the library lists everything at once, without a cursor.
  server.server.setRequestHandler("resources/list", async ({ params }) => await listResources(caller, params?.cursor));
}

async function readSites({ core, credential }: Caller): Promise<string> {
  const context = core.contextOf(credential.accountId);
  const window = { after: undefined, limit: context.limits.maxSites, visibleUntil: Number.POSITIVE_INFINITY };
  const { items } = await listSites(context.database, context.accountId, window);
  return JSON.stringify({ data: items.map((site) => viewSite(site, context)) });
}

async function readPage(
  { core, credential }: Caller,
  { uri, slug }: { readonly uri: URL; readonly slug: unknown },
): Promise<string> {
  const context = core.contextOf(credential.accountId);
  const { database, accountId } = context;
  const found = typeof slug === "string" ? await findPage(database, { accountId, slug }) : undefined;
  if (found === undefined) throw new ResourceNotFoundError(uri.href);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await getPageHtml(context, found));
}

async function listResources(
  caller: Caller,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not one of this list.");
  }
  const scopes = scopesOf(caller.credential);
  const sites: Resource[] =
    cursor === undefined && scopes.includes("sites:read")
      ? [{ uri: SITES_URI, name: "sites", title: "Sites", mimeType: "application/json" }]
      : [];
  if (!scopes.includes("pages:read")) return { resources: sites };
  const { database, accountId, limits } = caller.core.contextOf(caller.credential.accountId);
  const { items, next } = await listPages(database, accountId, {
    window: { after, limit: limits.defaultListLimit, visibleUntil: Number.POSITIVE_INFINITY },
    filter: {},
  });
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
  const { database, accountId } = caller.core.contextOf(caller.credential.accountId);
  const { items } = await listPages(database, accountId, {
    window: { after: undefined, limit: MAX_COMPLETIONS, visibleUntil: Number.POSITIVE_INFINITY },
    filter: { text: value },
  });
  return items.map(({ slug }) => slug).filter((slug) => slug.startsWith(value));
}

import { isRedirectStatus } from "../../base/redirect-status.ts";
import type { Core } from "../host/core.ts";
import type { HttpRequest, AnyResponse } from "../http/messages.ts";
import { findLook, type LookSubject } from "../look/look.ts";
import { makeBytesCurrent } from "../resources/current-addresses.ts";
import { findPage, listNotFoundPages, readPublishedPage } from "../store/pages.ts";
import { countRows, findRow } from "../store/rows.ts";
import { findServedPage, listSitesBelowRoot, type ServedPage } from "../store/sites.ts";
import { pathBelow, slugsAt, slugsOfPath } from "./page-path.ts";
import { plainPage } from "./plain-pages.ts";

/** A URL without a published page. */
interface Missing {
  /** Possible slugs of a page at this URL. */
  readonly slugs: readonly string[];
  /** The site there, if known; `null` for all pages of the account. */
  readonly siteId?: string | null | undefined;
  readonly request?: HttpRequest | undefined;
  /** Determines the look of the service's own page. */
  readonly look: LookSubject;
}

/** Responds that nothing is published at a URL: with the site's own page for that, or one of the service. */
export async function respondMissing(core: Core, missing: Missing): Promise<AnyResponse> {
  const isGone = await isAnyDeleted(core, missing.slugs);
  const html = await readOwnPage(core, missing);
  if (html === undefined) return plainPage(await findLook(core, missing.look), isGone ? "gone" : "notFound");
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Length": String(html.byteLength),
  };
  return { status: isGone ? 410 : 404, headers, body: html };
}

interface OriginalPath {
  readonly request: HttpRequest;
  readonly servePage: (slug: string, request: HttpRequest) => Promise<AnyResponse>;
}

/**
 * Redirects from a page's path on the site's own host, which old links, bookmarks and scripts use, to the page. Only
 * temporarily, since another page may get this path.
 */
export async function serveOriginalPath(core: Core, { request, servePage }: OriginalPath): Promise<AnyResponse> {
  const { path, query } = request;
  const { page: found, ...missing } = await findOriginalPage(core, path);
  if (found === undefined) return await respondMissing(core, { ...missing, request, look: { kind: "host" } });
  // For a redirect page, redirect to its target directly.
  const page = await servePage(found.slug, request);
  if (isRedirectStatus(page.status)) return page;
  const location = `/p/${found.slug}${query === "" ? "" : `?${query}`}`;
  return { status: 302, headers: { Location: location, "Cache-Control": "no-cache" }, body: undefined };
}

interface OriginalPage extends Pick<Missing, "slugs" | "siteId"> {
  readonly page?: ServedPage;
}

async function findOriginalPage({ store, account }: Core, path: string): Promise<OriginalPage> {
  const scope = { accountId: account.id, siteId: null };
  const slugs = [...slugsOfPath(path)];
  const page = await findServedPage(store.database, scope, slugs);
  if (page !== undefined) return { page, slugs };
  let missing: OriginalPage = { slugs };
  for (const { id: siteId, basePath, homeSlug } of await listSitesBelowRoot(store.database, account.id)) {
    const below = pathBelow(path, basePath);
    if (below === undefined) continue;
    const own = slugsAt(below, homeSlug);
    const ownPage = await findServedPage(store.database, { ...scope, siteId }, own);
    if (ownPage !== undefined) return { page: ownPage, slugs: own };
    missing = { slugs: [...missing.slugs, ...own], siteId: missing.siteId ?? siteId };
  }
  return missing;
}

async function isAnyDeleted({ store, account }: Core, slugs: readonly string[]): Promise<boolean> {
  for (const slug of slugs) {
    const key = { accountId: account.id, slug };
    const deleted = await findRow(store.database, "deletedPage", key);
    if (deleted !== undefined) return (await findPage(store.database, key)) === undefined;
  }
  return false;
}

/** Reads a site's page for missing URLs: `404`, or `docs-404` for those that start with `docs-`. */
async function readOwnPage(core: Core, missing: Missing): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { store, account, addresses } = core;
  const pages = await listNotFoundPages(store.database, account.id);
  if (pages.length === 0) return undefined;
  const siteId = missing.siteId === undefined ? await findSite(core, missing.request) : missing.siteId;
  const candidates = pages.filter((page) => siteId === undefined || siteId === null || page.siteId === siteId);
  const isOneSite = siteId !== undefined || (await countRows(store.database, "site", { accountId: account.id })) <= 1;
  const [found] = candidates
    .map(({ slug }) => ({ slug, prefix: slug.slice(0, -"404".length) }))
    .filter(({ prefix }) => (prefix === "" ? isOneSite : missing.slugs.some((slug) => slug.startsWith(prefix))))
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  const page = found && (await readPublishedPage(store.database, { accountId: account.id, slug: found.slug }));
  return page && makeBytesCurrent(page.html, "html", addresses);
}

/** Returns the site of the referring page; `undefined` if there is none. */
async function findSite(
  { store, account }: Core,
  request: HttpRequest | undefined,
): Promise<string | null | undefined> {
  const [, slug] = /^\/p\/([^/]+)$/.exec(URL.parse(request?.headers.get("Referer") ?? "")?.pathname ?? "") ?? [];
  if (slug === undefined) return undefined;
  return (await findPage(store.database, { accountId: account.id, slug }))?.siteId;
}

import { isRedirectStatus, type RedirectStatus } from "../../base/redirect-status.ts";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { isIP } from "node:net";
import type { Core } from "../host/core.ts";
import type { RequestContext, ServiceEnv } from "../http/request-context.ts";
import type { Asked, Destination } from "../host/handler.ts";
import {
  toResponse,
  withDefaultHeaders,
  type AnyResponse,
  fromFetchRequest,
  type HttpRequest,
} from "../http/messages.ts";
import { PLAIN_LOOK } from "../look/look.ts";
import { readPageHtml } from "../store/pages.ts";
import { findRow } from "../store/rows.ts";
import { findServedDomain, findServedPage, isBlogOfSite, type ServedDomain, type ServedPage } from "../store/sites.ts";
import { respondMissing } from "./missing-page.ts";
import { pathBelow, slugsAt } from "./page-path.ts";
import { plainPage } from "./plain-pages.ts";

/** Custom domains on the pages host. */
export interface DomainHost {
  /** Whether a request is for a host other than the service's own. */
  isAsked(asked: Asked): boolean;
  serve(request: HttpRequest, context: RequestContext): Promise<AnyResponse>;
  /** Handles any request; `undefined` for one to the service's own hosts. */
  answer(request: Request, context: RequestContext): Promise<Response> | undefined;
}

/** The pages host under the address of a domain: the fast path and everything else. */
interface PagesParts {
  find(path: string): Destination["serve"];
  readonly app: Hono<ServiceEnv>;
}

interface DomainRequest {
  readonly asked: HttpRequest;
  /** The original request, if it may have a body. */
  readonly sent: Request | undefined;
  readonly context: RequestContext;
}

interface Visit extends DomainRequest {
  readonly domain: ServedDomain;
  /** Scheme and host of the domain. */
  readonly origin: string;
}

interface Serving {
  readonly core: Core;
  /** Handles a path of the pages host under a domain's address. */
  serveShared(visit: Visit, path: string): Promise<AnyResponse>;
  hasCanonical(page: ServedPage): Promise<boolean>;
}

/**
 * Serves the site of a custom domain at its original paths: `/` is the home page, `/blog/first/` the page `blog-first`.
 * Requests by pages themselves (files, forms, the counting script) are handled as on the pages host, which
 * `createParts` creates for another address.
 */
export function createDomainHost(core: Core, createParts: (core: Core) => PagesParts): DomainHost {
  const pagesHost = new URL(core.addresses.pagesUrl).host;
  const { trustProxy } = core.settings;
  const serving = {
    core,
    serveShared: createSharedPaths(core, createParts),
    hasCanonical: createCanonicalFinder(core),
  };

  function isAsked(asked: Asked): boolean {
    if (!trustProxy && asked.host === pagesHost) return false;
    return !isOwnHost(publicAddressOf(asked, core.settings).host, pagesHost);
  }

  return {
    isAsked,
    serve: (asked, context) => serveDomain(serving, { asked, sent: undefined, context }),
    answer(sent, context) {
      const asked = fromFetchRequest(sent);
      if (!isAsked(asked)) return undefined;
      return serveDomain(serving, { asked, sent, context }).then((outcome) => toResponse(outcome, asked));
    },
  };
}

/** Whether a host name is a custom domain that is served. */
export async function isCustomDomain({ store, account }: Core, hostname: string): Promise<boolean> {
  const key = { accountId: account.id, name: nameOf(hostname) };
  return hostname.includes(".") && (await findServedDomain(store.database, key)) !== undefined;
}

async function serveDomain(serving: Serving, request: DomainRequest): Promise<AnyResponse> {
  const { store, account, settings } = serving.core;
  const { path, query } = request.asked;
  const { scheme, host } = publicAddressOf(request.asked, settings);
  const domain = await findServedDomain(store.database, { accountId: account.id, name: nameOf(host) });
  // An invalid port is detected only here.
  const origin = URL.parse(`${scheme}://${host}`)?.origin;
  if (domain === undefined || origin === undefined) return plainPage(PLAIN_LOOK, "misdirected");
  const challenge = await findAcmeResponse(serving.core, domain, path);
  if (challenge !== undefined) return challenge;
  const rest = `${path}${query === "" ? "" : `?${query}`}`;
  if (domain.redirectTo !== null) return redirect(`${scheme}://${domain.redirectTo}${rest}`, 308);
  const isCertified = domain.certifiedUntil !== null && domain.certifiedUntil > serving.core.now();
  if (scheme === "http" && isCertified && settings.acme !== undefined) {
    const { publicPort } = settings.acme;
    return redirect(`https://${domain.name}${publicPort === 443 ? "" : `:${publicPort}`}${rest}`, 308);
  }
  return await servePath(serving, { ...request, domain, origin });
}

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]+)$/;

/** Responds to a certificate authority's challenge, before any redirect. */
async function findAcmeResponse({ store }: Core, { id }: ServedDomain, path: string): Promise<AnyResponse | undefined> {
  const [, token] = CHALLENGE.exec(path) ?? [];
  const challenge =
    token === undefined ? undefined : await findRow(store.database, "acmeChallenge", { domainId: id, token });
  if (challenge === undefined) return undefined;
  const headers = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
  return { status: 200, headers, body: challenge.answer };
}

// Paths that work the same as on the pages host.
const SHARED = /^\/(?:library\/as_[^/]+\/[^/]+|_i\.js|_b|_thanks\/[^/]+)$/;
const BLOG = /^\/blog\/([^/]+)(?:\/[^/]+)?$/;
const SLUG_ADDRESS = /^\/p\/([^/]+)$/;

async function servePath(serving: Serving, visit: Visit): Promise<AnyResponse> {
  const { core, serveShared } = serving;
  const { domain, asked } = visit;
  const { path } = asked;
  if (SHARED.test(path)) return await serveShared(visit, path);
  const [, slug] = SLUG_ADDRESS.exec(path) ?? [];
  if (slug !== undefined) return await serveSlug(serving, visit, slug);
  const below = domain.basePath === null ? undefined : pathBelow(path, domain.basePath);
  const slugs = [path, ...(below === undefined ? [] : [below])].flatMap((place) => slugsAt(place, domain.home));
  const scope = scopeOf(serving, visit);
  const page = await findServedPage(core.store.database, scope, slugs);
  if (page !== undefined) return await servePage(serving, visit, page);
  const [, blog] = BLOG.exec(path) ?? [];
  const isBlog = blog !== undefined && (await isBlogOfSite(core.store.database, scope, blog));
  return isBlog ? await serveShared(visit, path) : await respondAbsent(serving, visit, slugs);
}

/** Redirects `/p/<slug>`, which published pages use to link to each other, to the page's own path. */
async function serveSlug(serving: Serving, visit: Visit, slug: string): Promise<AnyResponse> {
  const page = await findServedPage(serving.core.store.database, scopeOf(serving, visit), [slug]);
  if (page === undefined) return await respondAbsent(serving, visit, [slug]);
  if (visit.sent !== undefined) return await servePage(serving, visit, page);
  const { query } = visit.asked;
  return redirect(`${pathOf(page, visit.domain)}${query === "" ? "" : `?${query}`}`, 301);
}

async function servePage({ serveShared, hasCanonical }: Serving, visit: Visit, page: ServedPage): Promise<AnyResponse> {
  const outcome = await serveShared(visit, `/p/${page.slug}`);
  if (isRedirectStatus(outcome.status))
    return redirectToOwnPath(outcome.headers, { status: outcome.status, domain: visit.domain });
  if (outcome.status !== 200 || (await hasCanonical(page))) return outcome;
  return withDefaultHeaders(outcome, { Link: `<${visit.origin}${pathOf(page, visit.domain)}>; rel="canonical"` });
}

function redirectToOwnPath(
  headers: AnyResponse["headers"],
  { status, domain }: { readonly status: RedirectStatus; readonly domain: ServedDomain },
): AnyResponse {
  const location = new Headers(headers).get("Location") ?? "/";
  const [, slug, rest = ""] = /^\/p\/([^/?#]+)([?#].*)?$/.exec(location) ?? [];
  return redirect(slug === undefined ? location : pathOf({ slug }, domain) + rest, status);
}

async function respondAbsent(
  { core }: Serving,
  { domain, asked }: Visit,
  slugs: readonly string[],
): Promise<AnyResponse> {
  const { siteId } = domain;
  return await respondMissing(core, { slugs, siteId, request: asked, look: { kind: "site", siteId } });
}

function pathOf({ slug }: Pick<ServedPage, "slug">, { home }: ServedDomain): string {
  return slug === home ? "/" : `/${slug}`;
}

function scopeOf({ core }: Serving, { domain }: Visit) {
  return { accountId: core.account.id, siteId: domain.siteId };
}

// Browsers may cache the redirect but must revalidate it: a domain can be changed.
function redirect(location: string, status: RedirectStatus): AnyResponse {
  return { status, headers: { Location: location, "Cache-Control": "no-cache" }, body: undefined };
}

function createSharedPaths(core: Core, createParts: (core: Core) => PagesParts): Serving["serveShared"] {
  const known = new LRUCache<string, PagesParts>({ max: 200 });

  function partsOf(origin: string): PagesParts {
    const { appUrl, pagesUrl } = core.addresses;
    const parts =
      known.get(origin) ?? createParts({ ...core, addresses: { appUrl, pagesUrl: origin, libraryUrl: pagesUrl } });
    known.set(origin, parts);
    return parts;
  }

  return async ({ origin, asked, sent, context }, path) => {
    const { app, find } = partsOf(origin);
    const { method, query } = asked;
    const serve = sent === undefined ? find(path) : undefined;
    if (serve !== undefined) return await serve({ ...asked, path }, context);
    const url = `${origin}${path}${query === "" ? "" : `?${query}`}`;
    if (sent === undefined) return await app.fetch(new Request(url, { method }), context);
    const { headers, body } = sent;
    return await app.fetch(new Request(url, { method, headers, body, duplex: "half" }), context);
  };
}

// Neither value contains `>`, and a pattern that stops there is fast on any page.
const CANONICAL = /<link\s[^<>]*\brel\s*=\s*["']?canonical\b/i;

/** Caches results by content, since the check reads the whole page. */
function createCanonicalFinder({ store, account }: Core): Serving["hasCanonical"] {
  const known = new LRUCache<string, boolean>({ max: 1000 });
  return async (page) => {
    const { contentHash } = page;
    const isKnown = known.get(contentHash);
    if (isKnown !== undefined) return isKnown;
    const html = await readPageHtml(store.database, { ...page, accountId: account.id });
    const found = CANONICAL.test(new TextDecoder().decode(html));
    if (html !== undefined) known.set(contentHash, found);
    return found;
  };
}

/** The address in the visitor's browser. */
interface PublicAddress {
  readonly scheme: "http" | "https";
  /** Includes a nonstandard port. */
  readonly host: string;
}

/**
 * Returns the scheme and host in the visitor's browser. Behind a proxy, these are the last values in
 * `X-Forwarded-Proto` and `X-Forwarded-Host`, which the proxy itself added.
 */
function publicAddressOf(
  { host, scheme, headers }: Pick<HttpRequest, "host" | "scheme" | "headers">,
  { trustProxy }: { readonly trustProxy: boolean },
): PublicAddress {
  if (!trustProxy) return { host: host.toLowerCase(), scheme };
  const said = lastOf(headers.get("X-Forwarded-Proto")) ?? scheme;
  const shown = lastOf(headers.get("X-Forwarded-Host")) ?? host;
  return { host: shown.toLowerCase(), scheme: said === "https" ? "https" : "http" };
}

/** Whether a host is the service's own: that of the pages, or one that can't be a custom domain. */
function isOwnHost(host: string, pagesHost: string): boolean {
  if (host === pagesHost) return true;
  const name = nameOf(host);
  if (!name.includes(".") || isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true;
  return name === nameOf(pagesHost) || name.endsWith(".localhost");
}

/** Removes the port and the trailing dot of a host. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "");
}

function lastOf(header: string | null): string | undefined {
  const last = header?.split(",").at(-1)?.trim();
  return last === undefined || last === "" ? undefined : last;
}

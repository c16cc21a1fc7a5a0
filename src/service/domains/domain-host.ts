import type { Core } from "../core.ts";
import type { Exchange } from "../exchange.ts";
import type { Asked } from "../host.ts";
import { toResponse, withDefaultHeaders, type Outcome } from "../http/answer.ts";
import { fromFetchRequest, type HttpRequest } from "../http/request.ts";
import { findLook } from "../look/find-look.ts";
import { PLAIN_LOOK } from "../look/look.ts";
import { findChallenge } from "../store/acme.ts";
import { isDeletedPage } from "../store/pages.ts";
import {
  findServedDomain,
  findServedPage,
  isBlogOfSite,
  type ServedDomain,
  type ServedPage,
} from "../store/served-domains.ts";
import { gonePage, misdirectedPage, notFoundPage } from "../visitors/plain-pages.ts";
import { createCanonicalLinks, type CanonicalLinks } from "./canonical-links.ts";
import { createDomainApps, type DomainApps, type InnerRequest, type PagesParts } from "./domain-apps.ts";
import { isRootPath, slugsOfPath } from "./page-path.ts";
import { isOwnHost, nameOf, publicAddressOf } from "./public-address.ts";

/** The custom domains on the host of the pages. */
export interface DomainHost {
  /** Whether a request is for any other host than the service's own. */
  isAsked(asked: Asked): boolean;
  /** Serves a request that reads. */
  serve(request: HttpRequest, exchange: Exchange): Promise<Outcome>;
  /** Answers any request; `undefined` for one to the service's own hosts. */
  answer(request: Request, exchange: Exchange): Promise<Response> | undefined;
}

/** What a visitor of a custom domain asks for. */
interface Visit extends Omit<InnerRequest, "path"> {
  readonly domain: ServedDomain;
}

interface Serving {
  readonly core: Core;
  readonly apps: DomainApps;
  readonly canonical: CanonicalLinks;
}

/**
 * Shows the site of a custom domain at the paths that its author gave it: `/` is the home page, `/blog/first/` the page
 * `blog-first`. What a page asks for itself (its files, its forms, the script that counts) is answered as on the host of
 * the pages, which `createParts` makes for another address.
 */
export function createDomainHost(core: Core, createParts: (core: Core) => PagesParts): DomainHost {
  const pagesHost = new URL(core.addresses.pagesUrl).host;
  const { trustProxy } = core.settings;
  const serving = { core, apps: createDomainApps(core, createParts), canonical: createCanonicalLinks(core) };

  function isAsked(asked: Asked): boolean {
    if (!trustProxy && asked.host === pagesHost) return false;
    return !isOwnHost(publicAddressOf(asked, core.settings).host, pagesHost);
  }

  return {
    isAsked,
    serve: (asked, exchange) => serveDomain(serving, { asked, sent: undefined, exchange }),
    answer(sent, exchange) {
      const asked = fromFetchRequest(sent);
      if (!isAsked(asked)) return undefined;
      return serveDomain(serving, { asked, sent, exchange }).then((outcome) => toResponse(outcome, asked));
    },
  };
}

/** Whether a host name is a custom domain that is served. */
export async function isCustomDomain({ store, account }: Core, hostname: string): Promise<boolean> {
  const key = { accountId: account.id, name: nameOf(hostname) };
  return hostname.includes(".") && (await findServedDomain(store.database, key)) !== undefined;
}

async function serveDomain(
  serving: Serving,
  request: Pick<InnerRequest, "asked" | "sent" | "exchange">,
): Promise<Outcome> {
  const { store, account, settings } = serving.core;
  const { path, query } = request.asked;
  const { scheme, host } = publicAddressOf(request.asked, settings);
  const domain = await findServedDomain(store.database, { accountId: account.id, name: nameOf(host) });
  // A port that none can be is found out here alone.
  const origin = URL.parse(`${scheme}://${host}`)?.origin;
  if (domain === undefined || origin === undefined) return misdirectedPage(PLAIN_LOOK);
  const challenge = await findAcmeAnswer(serving.core, domain, path);
  if (challenge !== undefined) return challenge;
  const rest = `${path}${query === "" ? "" : `?${query}`}`;
  if (domain.redirectTo !== null) return redirect(`${scheme}://${domain.redirectTo}${rest}`, 308);
  const isCertified = domain.certifiedUntil !== null && domain.certifiedUntil > serving.core.clock.now();
  if (scheme === "http" && isCertified && settings.acme !== undefined) {
    const { publicPort } = settings.acme;
    return redirect(`https://${domain.name}${publicPort === 443 ? "" : `:${publicPort}`}${rest}`, 308);
  }
  return await servePath(serving, { ...request, domain, origin });
}

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]+)$/;

/** What a certificate authority asks a domain for, before anything leads it elsewhere. */
async function findAcmeAnswer({ store }: Core, { id }: ServedDomain, path: string): Promise<Outcome | undefined> {
  const [, token] = CHALLENGE.exec(path) ?? [];
  const body = token === undefined ? undefined : await findChallenge(store.database, { domainId: id, token });
  if (body === undefined) return undefined;
  return { status: 200, headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" }, body };
}

// What the host of the pages answers at the same path for everybody.
const SHARED = /^\/(?:library\/as_[^/]+\/[^/]+|_i\.js|_b|_thanks\/[^/]+)$/;
const BLOG = /^\/blog\/([^/]+)(?:\/[^/]+)?$/;
const SLUG_ADDRESS = /^\/p\/([^/]+)$/;

async function servePath(serving: Serving, visit: Visit): Promise<Outcome> {
  const { core, apps } = serving;
  const { domain, asked } = visit;
  const { path } = asked;
  if (SHARED.test(path)) return await apps.fetch({ ...visit, path });
  const [, slug] = SLUG_ADDRESS.exec(path) ?? [];
  if (slug !== undefined) return await serveSlug(serving, visit, slug);
  const slugs = isRootPath(path) ? [domain.homeSlug ?? "index"] : slugsOfPath(path);
  const scope = scopeOf(serving, visit);
  const page = await findServedPage(core.store.database, scope, slugs);
  if (page !== undefined) return await servePage(serving, visit, page);
  const [, blog] = BLOG.exec(path) ?? [];
  const isBlog = blog !== undefined && (await isBlogOfSite(core.store.database, scope, blog));
  return isBlog ? await apps.fetch({ ...visit, path }) : await explainAbsence(serving, visit, slugs);
}

/** Published pages link to each other by `/p/<slug>`: a visitor who follows one is led to the page's own path. */
async function serveSlug(serving: Serving, visit: Visit, slug: string): Promise<Outcome> {
  const page = await findServedPage(serving.core.store.database, scopeOf(serving, visit), [slug]);
  if (page === undefined) return await explainAbsence(serving, visit, [slug]);
  if (visit.sent !== undefined) return await servePage(serving, visit, page);
  const { query } = visit.asked;
  return redirect(`${pathOf(page, visit.domain)}${query === "" ? "" : `?${query}`}`, 301);
}

async function servePage({ apps, canonical }: Serving, visit: Visit, page: ServedPage): Promise<Outcome> {
  const outcome = await apps.fetch({ ...visit, path: `/p/${page.slug}` });
  if (outcome.status !== 200 || (await canonical.find(page)) === "own") return outcome;
  return withDefaultHeaders(outcome, { Link: `<${visit.origin}${pathOf(page, visit.domain)}>; rel="canonical"` });
}

async function explainAbsence({ core }: Serving, { domain }: Visit, slugs: readonly string[]): Promise<Outcome> {
  const { store, account } = core;
  const look = await findLook(core, { kind: "site", siteId: domain.siteId });
  for (const slug of slugs) {
    if (await isDeletedPage(store.database, { accountId: account.id, slug })) return gonePage(look);
  }
  return notFoundPage(look);
}

function pathOf({ slug }: ServedPage, { homeSlug }: ServedDomain): string {
  return slug === homeSlug ? "/" : `/${slug}`;
}

function scopeOf({ core }: Serving, { domain }: Visit) {
  return { accountId: core.account.id, siteId: domain.siteId };
}

// A browser may remember where it was led, and asks again all the same: a domain can be changed.
function redirect(location: string, status: 301 | 308): Outcome {
  return { status, headers: { Location: location, "Cache-Control": "no-cache" }, body: undefined };
}

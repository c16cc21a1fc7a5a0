import { sha256 } from "../../base/hash.ts";
import { Hono } from "hono";
import type { Core } from "./core.ts";
import { createDomainHost } from "../visitors/domain-host.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import type { Destination, Host } from "./handler.ts";
import { fromFetchRequest, splitPath, toResponse } from "../http/messages.ts";
import { serveOriginalPath } from "../visitors/missing-page.ts";
import { findLook, PLAIN_LOOK } from "../look/look.ts";
import { createRateLimiter, evaluateWindow, nameOf, type SharedLimiter } from "../http/rate-limiter.ts";
import { startOfDay } from "../resources/time-range.ts";
import { isPostgres } from "../store/database.ts";
import { countRequest } from "../store/requests.ts";
import { logProblem } from "../store/as-problem.ts";
import { receiveBeacon, serveBeaconScript } from "../visitors/beacon.ts";
import { serveBlog, servePost, servePreview } from "../visitors/blogs.ts";
import { receiveForm } from "../visitors/form-post.ts";
import { createLibraryServer } from "../visitors/library-file.ts";
import { plainPage, problemPage, serveHome, thanksPage } from "../visitors/plain-pages.ts";
import { createPageCopies, createPageServer, type PageCopies } from "../visitors/published-page.ts";

/**
 * Creates the host of published pages and library files. Its name differs from the API's: see docs/service-api.md, 5.
 */
export function createPagesHost(core: Core): Host {
  const limiters = createLimiters(core);
  const copies = createPageCopies();
  const ownHeaders = { ...HEADERS, ...(core.addresses.pagesUrl.startsWith("https:") && TLS_HEADERS) };
  const app = createPagesApp(core, { ...limiters, copies });
  const find = createReader(core, copies);
  const domains = createDomainHost(core, (own) => ({
    app: createPagesApp(own, { ...limiters, copies }),
    find: createReader(own, copies),
  }));
  return {
    find(asked) {
      const { method, path } = asked;
      const isRead = method === "GET" || method === "HEAD";
      const isDomain = domains.isAsked(asked);
      const serve = isDomain ? domains.serve : find(path);
      const headers = isDomain ? HEADERS : ownHeaders;
      return { routeSet: undefined, operation: undefined, headers, serve: isRead ? serve : undefined };
    },
    answer: (request, context) => domains.answer(request, context) ?? app.fetch(request, context),
    fail: (error, { requestId }) => explainFailure(core, { failure: error, requestId }),
  };
}

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;

// Only for the configured host: a custom domain may move to a host without TLS, and subdomains may belong to anyone.
const TLS_HEADERS = { "Strict-Transport-Security": "max-age=31536000" } as const;

/** Finds the handler for the most frequent visitor requests. */
function createReader(core: Core, copies: PageCopies): (path: string) => Destination["serve"] {
  const servePage = createPageServer(core, copies);
  const serveFile = createLibraryServer(core);
  return (path) => {
    const { length, 1: room, 2: name = "", 3: file = "" } = splitPath(path);
    if (length === 2 && room === "_i.js" && core.settings.analytics) return serveBeaconScript;
    if (length === 3 && room === "p" && name !== "") return (request) => servePage(name, request);
    if (length !== 4 || room !== "library" || name === "" || file === "") return undefined;
    return (request) => serveFile({ assetId: name, name: file }, request);
  };
}

async function explainFailure(
  core: Core,
  { failure, requestId }: { readonly failure: unknown; readonly requestId: string },
): Promise<Response> {
  const problem = logProblem(failure, requestId, core.settings.logger);
  // The database that holds the brand may be what failed.
  const look = await findLook(core, { kind: "host" }).catch(() => PLAIN_LOOK);
  return problemPage(look, problem, requestId);
}

// Shared between all hosts, since a client can make up any number of host names.
interface Limiters {
  readonly forms: SharedLimiter;
  readonly messages: SharedLimiter;
}

const FORMS_PER_MINUTE = 10;
// Two messages per view, and a few more for tabs that are left and reopened.
const MESSAGES_PER_MINUTE = 120;

function createLimiters(core: Core): Limiters {
  return {
    forms: createLimiter(core, { name: "forms", perAddress: FORMS_PER_MINUTE }),
    messages: createLimiter(core, { name: "messages", perAddress: MESSAGES_PER_MINUTE }),
  };
}

/**
 * Limits visitors' submissions. Processes that share a database count together, by a hash specific to the account and
 * day, which is deleted within the hour.
 */
function createLimiter(
  { store: { database }, account }: Core,
  { name, perAddress }: { readonly name: string; readonly perAddress: number },
): SharedLimiter {
  const limit = { perKey: 0, perAddress, windowSeconds: 60 };
  const own = createRateLimiter(limit);
  if (!isPostgres(database)) return { count: async (who, now) => own.count(who, now) };
  return {
    async count(who, now) {
      const day = startOfDay(now);
      const caller = `${name} ${sha256([account.id, name, day, nameOf(who)].join(" "))}`;
      const window = { now: now.getTime(), windowMs: limit.windowSeconds * 1000 };
      return evaluateWindow(await countRequest(database, caller, window), { who, limit, now });
    },
  };
}

interface PagesAppParts extends Limiters {
  readonly copies: PageCopies;
}

function createPagesApp(core: Core, { forms, messages, copies }: PagesAppParts): Hono<ServiceEnv> {
  const servePage = createPageServer(core, copies);
  const app = new Hono<ServiceEnv>();
  app.get("/", () => serveHome(core));
  registerForms(app, core, forms);
  if (core.settings.analytics) {
    app.post("/_b", ({ req, env }) =>
      receiveBeacon(core, { request: req.raw, requestContext: env, limiter: messages }),
    );
  }
  app.get("/blog/:blog", (context) => serveBlog(core, context.req.param("blog"), context.req.raw));
  app.get("/blog/:blog/:post", (context) =>
    servePost(core, { blogSlug: context.req.param("blog"), slug: context.req.param("post") }),
  );
  app.get("/_preview/:token", ({ req }) => servePreview(core, req.param("token")));
  app.notFound(async ({ req }) => {
    const look = { kind: "host" } as const;
    if (req.method !== "GET" && req.method !== "HEAD") return plainPage(await findLook(core, look), "methodNotAllowed");
    const request = fromFetchRequest(req.raw);
    return toResponse(await serveOriginalPath(core, { request, servePage }), request);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}

function registerForms(app: Hono<ServiceEnv>, core: Core, limiter: SharedLimiter): void {
  app.post("/p/:slug", ({ req, env }) =>
    receiveForm(core, { slug: req.param("slug"), request: req.raw, requestContext: env, limiter }),
  );
  app.get("/_thanks/:slug", async ({ req }) => {
    const slug = req.param("slug");
    return thanksPage(await findLook(core, { kind: "page", slug }), slug);
  });
}

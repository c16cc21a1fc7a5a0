import type { Development } from "../development/development.ts";
import type { Host } from "./handler.ts";
import { createKnownRoutes, type KnownRoutes } from "../api/routes.ts";
import { ProblemError } from "../http/problem.ts";
import { logProblem } from "../store/as-problem.ts";
import { serveRoute } from "../api/serve-route.ts";
import { Hono } from "hono";
import type { Core } from "./core.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import { isDashboardPath } from "../dashboard/paths.ts";
import { registerOAuth } from "../oauth/routes.ts";
import { toPlainProblem } from "../http/messages.ts";

const APP_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Imprint-Api-Version": "1",
} as const;

// For this host only: subdomains of the pages host belong to others.
const TLS_HEADERS = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } as const;

function headersOf(appUrl: string) {
  const headers = { ...APP_HEADERS, ...(appUrl.startsWith("https:") && TLS_HEADERS) };
  return { a: { ...headers, "Imprint-Route-Set": "a" }, b: { ...headers, "Imprint-Route-Set": "b" } };
}

/**
 * Creates the API host: both route sets under `/a` and `/b`, the configured one at the root, and the routes of
 * `createApp`.
 */
export function createAppHost(core: Core, development?: Development): Host {
  const { strict, logger } = core.settings;
  const known = createKnownRoutes(core.settings.routeSet, { strict });
  const app = createApp(core, known, development);
  const headers = headersOf(core.addresses.appUrl);
  return {
    find({ method, path }) {
      const destination = known.locate(path);
      const { routeSet, prefix } = destination;
      const found = known.find(destination, method);
      return {
        routeSet,
        operation: found?.route.operation,
        headers: headers[routeSet],
        // Form routes belong to OAuth and have their own responses.
        serve:
          found === undefined || found.route.body?.kind === "form"
            ? undefined
            : (request, requestContext) => serveRoute(core, { ...found, routeSet, prefix, request, requestContext }),
      };
    },
    answer: (request, context) => app.fetch(request, context),
    fail(error, context) {
      const problem = logProblem(error, context.requestId, logger);
      context.addFacts({ problem: problem.code });
      return toPlainProblem(problem, context.requestId);
    },
  };
}

/** Creates the API host's other routes, which apply after those of the route sets. */
function createApp(core: Core, known: KnownRoutes, development: Development | undefined): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  development?.registerRoutes(app, core);
  registerOAuth(app, core);
  app.get("/healthz", () => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } }));
  app.get("/readyz", () => core.health.answer());
  const dashboard = loadOnce(async () => {
    const { createDashboard } = await import("../dashboard/app.tsx");
    return createDashboard(core);
  });
  if (!core.settings.strict) {
    const endpoint = loadOnce(async () => {
      const { createProductEndpoint } = await import("../mcp/server.ts");
      return createProductEndpoint(core);
    });
    app.all("/mcp", async (context) => await (await endpoint())(context.req.raw, context.env));
  }
  app.notFound(async (context) => {
    if (isDashboardPath(context.req.path)) return await (await dashboard())(context.req.raw, context.env);
    const problem = refuseUnknown(known, context.req);
    if (core.settings.strict || problem.code !== "no_such_route" || !isNavigation(context.req.raw)) throw problem;
    const { renderUnknownPath } = await import("../app-pages/unknown-path.tsx");
    context.env.addFacts({ problem: problem.code });
    return renderUnknownPath(context.req.path, core.addresses.pagesUrl);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}

function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => (loading ??= load());
}

/** Whether a person opens an address in a browser. */
function isNavigation({ method, headers }: Request): boolean {
  return (method === "GET" || method === "HEAD") && headers.get("Accept")?.includes("text/html") === true;
}

function refuseUnknown(
  known: KnownRoutes,
  { method, path }: { readonly method: string; readonly path: string },
): ProblemError {
  const destination = known.locate(path);
  const methods = known.methodsOf(destination);
  const row = known.find(destination, method)?.route;
  if (row !== undefined) return new ProblemError("not_implemented", { detail: `${row.operation} is not implemented.` });
  const where = `Route set ${destination.routeSet.toUpperCase()}`;
  if (methods === undefined) {
    return new ProblemError("no_such_route", { detail: `${where} has no route ${destination.path}.` });
  }
  return new ProblemError("method_not_allowed", {
    detail: `${where} has no ${method} ${destination.path}.`,
    headers: { Allow: methods.join(", ") },
  });
}

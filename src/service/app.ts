import { Hono } from "hono";
import type { Controlled } from "./development/control.ts";
import { registerControlRoutes } from "./development/control-routes.ts";
import type { ServiceEnv } from "./exchange.ts";
import { ProblemError } from "./resources/problem-error.ts";
import { isDashboardPath } from "./dashboard/paths.ts";
import { registerOAuth } from "./oauth/routes.ts";
import type { KnownRoutes } from "./route-sets/known-routes.ts";

export interface AppOptions extends Controlled {
  readonly known: KnownRoutes;
}

/** What the host of the API serves beside the rows of its route sets, which come first. */
export function createApp({ known, ...controlled }: AppOptions): Hono<ServiceEnv> {
  const { core } = controlled;
  const app = new Hono<ServiceEnv>();
  for (const prefix of core.settings.dev ? ["", "/a", "/b"] : []) registerControlRoutes(app, { ...controlled, prefix });
  registerOAuth(app, core);
  app.get("/healthz", () => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } }));
  app.get("/readyz", () => core.health.answer());
  const dashboard = loadOnce(async () => {
    const { createDashboard } = await import("./dashboard/app.tsx");
    return createDashboard(controlled);
  });
  if (!core.settings.strict) {
    const endpoint = loadOnce(async () => {
      const { createProductEndpoint } = await import("./mcp/product-endpoint.ts");
      return createProductEndpoint(core);
    });
    app.all("/mcp", async (context) => await (await endpoint())(context.req.raw, context.env));
  }
  app.notFound(async (context) => {
    if (isDashboardPath(context.req.path)) return await (await dashboard())(context.req.raw, context.env);
    throw refuseUnknown(known, context.req);
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

function refuseUnknown(
  known: KnownRoutes,
  { method, path }: { readonly method: string; readonly path: string },
): ProblemError {
  const destination = known.locate(path);
  const methods = known.methodsOf(destination);
  const row = known.find(destination, method)?.route;
  if (row !== undefined) return new ProblemError("not_implemented", { detail: `${row.operation} is not built yet.` });
  const where = `Route set ${destination.routeSet.toUpperCase()}`;
  if (methods === undefined) {
    return new ProblemError("no_such_route", { detail: `${where} has no route ${destination.path}.` });
  }
  return new ProblemError("method_not_allowed", {
    detail: `${where} has no ${method} ${destination.path}.`,
    headers: { Allow: methods.join(", ") },
  });
}

import { Hono } from "hono";
import type { RouteSetName } from "../contract/route.ts";
import type { Controlled } from "./development/control.ts";
import { registerControlRoutes } from "./development/control-routes.ts";
import type { ServiceEnv } from "./exchange.ts";
import { ProblemError } from "./resources/problem-error.ts";
import { isDashboardPath } from "./dashboard/paths.ts";
import type { KnownRoutes } from "./route-sets/known-routes.ts";
import { registerRouteSet } from "./route-sets/register.ts";

export interface AppOptions extends Controlled {
  readonly known: KnownRoutes;
}

/** The host of the API: both route sets below `/a` and `/b`, and the configured one at the root. */
export function createApp({ known, ...controlled }: AppOptions): Hono<ServiceEnv> {
  const { core } = controlled;
  const app = new Hono<ServiceEnv>();
  const mounts: readonly { readonly prefix: string; readonly routeSet: RouteSetName }[] = [
    { prefix: "", routeSet: core.settings.routeSet },
    { prefix: "/a", routeSet: "a" },
    { prefix: "/b", routeSet: "b" },
  ];
  for (const mount of mounts) {
    registerRouteSet(app, { core, known, ...mount });
    if (core.settings.dev) registerControlRoutes(app, { ...controlled, prefix: mount.prefix });
  }
  app.get("/healthz", () => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } }));
  const dashboard = loadOnce(async () => {
    const { createDashboard } = await import("./dashboard/app.tsx");
    return createDashboard(controlled);
  });
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
  const where = `Route set ${destination.routeSet.toUpperCase()}`;
  if (methods === undefined) {
    return new ProblemError("no_such_route", { detail: `${where} has no route ${destination.path}.` });
  }
  return new ProblemError("method_not_allowed", {
    detail: `${where} has no ${method} ${destination.path}.`,
    headers: { Allow: methods.join(", ") },
  });
}

import type { Hono } from "hono";
import type { RouteSetName } from "../../contract/route.ts";
import type { Core } from "../core.ts";
import type { ServiceEnv } from "../exchange.ts";
import type { KnownRoutes } from "./known-routes.ts";
import { serveRoute } from "./serve-route.ts";

export interface RegisterOptions {
  readonly core: Core;
  readonly known: KnownRoutes;
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty. */
  readonly prefix: string;
}

/** Registers every row of a route set, built or not, below a prefix. */
export function registerRouteSet(app: Hono<ServiceEnv>, { core, known, routeSet, prefix }: RegisterOptions): void {
  for (const route of known.routes[routeSet]) {
    const names = Array.from(route.path.matchAll(/:([A-Za-z]+)/g), ([, name = ""]) => name);
    app.on(route.method, `${prefix}${route.path}`, (context) =>
      serveRoute(core, {
        ...{ route, routeSet, prefix },
        request: context.req.raw,
        url: context.req.url,
        params: names.map((name) => context.req.param(name) ?? ""),
        exchange: context.env,
      }),
    );
  }
}

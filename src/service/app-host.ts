import type { Controlled } from "./development/control.ts";
import { createApp } from "./app.ts";
import type { Host } from "./host.ts";
import { createKnownRoutes } from "./route-sets/known-routes.ts";
import { asProblem, toProblemAnswer } from "./route-sets/problem-response.ts";
import { serveRoute } from "./route-sets/serve-route.ts";

const APP_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Imprint-Api-Version": "1",
} as const;

const HEADERS = {
  a: { ...APP_HEADERS, "Imprint-Route-Set": "a" },
  b: { ...APP_HEADERS, "Imprint-Route-Set": "b" },
} as const;

/** The host of the API: both route sets below `/a` and `/b`, the configured one at the root, and what `createApp` serves. */
export function createAppHost(controlled: Controlled): Host {
  const { core } = controlled;
  const { strict, logger } = core.settings;
  const known = createKnownRoutes(core.settings.routeSet, { strict });
  const app = createApp({ ...controlled, known });
  return {
    find({ method, path }) {
      const destination = known.locate(path);
      const { routeSet, prefix } = destination;
      const found = known.find(destination, method);
      return {
        ...{ routeSet, operation: found?.route.operation, headers: HEADERS[routeSet] },
        // What takes a form is OAuth's and answers in its own way.
        serve:
          found === undefined || found.route.body?.kind === "form"
            ? undefined
            : (request, exchange) => serveRoute(core, { ...found, routeSet, prefix, request, exchange }),
      };
    },
    answer: (request, exchange) => app.fetch(request, exchange),
    fail(error, exchange) {
      const problem = asProblem(error);
      exchange.tell({ problem: problem.code });
      if (problem.code === "internal") {
        logger.error(`Request ${exchange.requestId} failed: ${error instanceof Error ? error.message : "unknown"}`);
      }
      return toProblemAnswer(problem, exchange.requestId);
    },
  };
}

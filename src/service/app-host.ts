import type { Controlled } from "./development/control.ts";
import { createApp } from "./app.ts";
import type { Host } from "./host.ts";
import { createKnownRoutes } from "./route-sets/known-routes.ts";
import { asProblem, toProblemResponse } from "./route-sets/problem-response.ts";

const API_VERSION = "1";

const APP_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The host of the API. */
export function createAppHost(controlled: Controlled): Host {
  const { core } = controlled;
  const { routeSet, strict, logger } = core.settings;
  const known = createKnownRoutes(routeSet, { strict });
  const app = createApp({ ...controlled, known });
  return {
    describe(method, path) {
      const destination = known.locate(path);
      return { routeSet: destination.routeSet, operation: known.operationOf(destination, method) };
    },
    headersOf: (description) => ({
      ...APP_HEADERS,
      "Imprint-Api-Version": API_VERSION,
      "Imprint-Route-Set": description.routeSet ?? routeSet,
    }),
    answer: (request, exchange) => app.fetch(request, exchange),
    fail(error, exchange) {
      const problem = asProblem(error);
      if (problem.code === "internal") {
        logger.error(`Request ${exchange.requestId} failed: ${error instanceof Error ? error.message : "unknown"}`);
      }
      return toProblemResponse(problem, exchange.requestId);
    },
  };
}

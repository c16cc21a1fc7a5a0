import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Service } from "../../src/service.ts";

/**
 * Records which operations the running test used and whether they succeeded, for `tools/route-coverage.ts`, which
 * writes docs/route-coverage.md.
 */
export function recordRoutes(service: Service): void {
  const folder = process.env["IMPRINT_ROUTE_COVERAGE"];
  const { testPath, currentTestName } = expect.getState();
  if (folder === undefined || testPath === undefined || currentTestName === undefined) return;
  const requests = service.requests();
  const seen = new Set(
    requests.flatMap(({ method, path, status, ...request }) => {
      // The authorization server is at the root, regardless of the route set there.
      const oauth = method === "POST" ? /^\/oauth\/(authorize|token)$/.exec(path)?.[1] : undefined;
      const [routeSet, operation] =
        oauth === undefined ? [request.routeSet, request.operation] : ["b", `oauth.${oauth}`];
      // Every row rejects a missing key, so that isn't specific to the row.
      if (operation === undefined || routeSet === undefined || status === 401 || status === 0) return [];
      return [JSON.stringify([routeSet, operation, status < 400 ? "success" : "problem"])];
    }),
  );
  const lines = [...seen].map((key) =>
    JSON.stringify({ key, file: testPath, test: currentTestName, asked: seen.size }),
  );
  if (lines.length > 0) appendFileSync(join(folder, `${process.pid}.ndjson`), `${lines.join("\n")}\n`);
}

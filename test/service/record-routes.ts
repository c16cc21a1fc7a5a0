import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Service } from "../../src/service.ts";

/**
 * Notes which operations the running test asked of a service and whether they succeeded, when
 * `tools/route-coverage.ts` wants to know: it makes docs/route-coverage.md out of it.
 */
export function recordRoutes(service: Service): void {
  const folder = process.env["IMPRINT_ROUTE_COVERAGE"];
  const { testPath, currentTestName } = expect.getState();
  if (folder === undefined || testPath === undefined || currentTestName === undefined) return;
  const requests = service.requests();
  const seen = new Set(
    requests.flatMap(({ method, path, status, ...request }) => {
      // The authorization server stands at the root, whichever route set is there.
      const oauth = method === "POST" ? /^\/oauth\/(authorize|token)$/.exec(path)?.[1] : undefined;
      const [routeSet, operation] =
        oauth === undefined ? [request.routeSet, request.operation] : ["b", `oauth.${oauth}`];
      // Every row refuses who has no key; that shows nothing about the row.
      if (operation === undefined || routeSet === undefined || status === 401 || status === 0) return [];
      return [JSON.stringify([routeSet, operation, status < 400 ? "success" : "problem"])];
    }),
  );
  const lines = [...seen].map((key) =>
    JSON.stringify({ key, file: testPath, test: currentTestName, asked: seen.size }),
  );
  if (lines.length > 0) appendFileSync(join(folder, `${process.pid}.ndjson`), `${lines.join("\n")}\n`);
}

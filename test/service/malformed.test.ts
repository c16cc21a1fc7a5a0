import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemSchema } from "../../src/contract/problems.ts";
import { extensionRoutes, routesOf } from "../../src/contract/operations.ts";
import { clientOf, openService } from "./open-service.ts";

const part = fc.oneof(
  fc.constantFrom("one", "%", "%ZZ", "%00", "..", "é", "a".repeat(300), "pg_1", "'; drop table page; --"),
  fc.string(),
);
const query = fc.oneof(
  fc.constant(""),
  fc.constantFrom("limit=-1", "limit=1e3", "cursor=%00", "q=%F0%9F", "fields=", "include=html", "status=draft", "&&=="),
  fc.string(),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "null",
    "[]",
    '{"html":null}',
    '{"__proto__":{"html":"<p>"}}',
    '"\\ud800"',
    "\u0000",
    "[".repeat(5000),
  ),
  fc.json(),
  fc
    .record(
      { html: fc.string({ unit: "binary" }), title: fc.string(), slug: fc.string(), name: fc.string() },
      { requiredKeys: [] },
    )
    .map((fields) => JSON.stringify(fields)),
  fc.string({ unit: "binary" }),
);
const contentType = fc.constantFrom(
  "application/json",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "text/plain",
  ";",
);
const header = fc.constantFrom<Record<string, string>>(
  {},
  { "If-Match": '"v1", W/"v2"' },
  { "If-Match": "v1" },
  { "If-None-Match": "*" },
  { "Idempotency-Key": "a" },
  { "X-Request-Id": "<script>" },
  { Range: "bytes=0-" },
  { "Content-Length": "x" },
);

describe.each(["a", "b"] as const)("malformed requests to route set %s", (routeSet) => {
  const routes = [...routesOf(routeSet), ...extensionRoutes()];

  it("get a problem and never crash the service", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    await send("POST", "/api/blogs", { json: { name: "one" } });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.record({ part, query, body, contentType, header }),
        async (route, random) => {
          const path = route.path.replaceAll(/:[A-Za-z]+/g, () => encodeURI(random.part).replaceAll(/[?#]/g, ""));
          const options = {
            headers: { ...random.header, "Content-Type": random.contentType },
            ...(route.method !== "GET" && { body: random.body }),
          };
          const suffix = random.query === "" ? "" : `?${random.query.replaceAll("#", "")}`;
          const { status, body: answer } = await send(route.method, `${path}${suffix}`, options);
          if (status < 400) return;
          expect(status).toBeLessThan(500);
          // The authorization server responds as defined in RFC 6749, and with a page for people.
          if (!route.operation.startsWith("oauth.")) expect(problemSchema.parse(answer).status).toBe(status);
        },
      ),
      { numRuns: 1800 },
    );
  });
});

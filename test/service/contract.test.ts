import { describe, expect, it } from "vitest";
import { PROBLEMS, problemSchema } from "../../src/contract/problems.ts";
import { extensionRoutes, routesOf } from "../../src/contract/operations.ts";
import { ROUTES_A, ROUTES_B } from "../../src/contract/routes.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { HANDLERS } from "../../src/service/api/handlers/all.ts";
import { clientOf, openService } from "./open-service.ts";

const ROWS = (["a", "b"] as const).flatMap((routeSet) =>
  [...routesOf(routeSet), ...extensionRoutes()].map((route) => ({ routeSet, ...route })),
);

// The authorization server has its own responses: test/service/oauth.
const NOT_BUILT = ROWS.filter(({ operation }) => !(operation in HANDLERS) && !operation.startsWith("oauth."));

function fill(path: string): string {
  return path.replaceAll(/:[A-Za-z]+/g, "one");
}

describe("every row of the contract", () => {
  it.each(ROWS)("$routeSet $method $path is registered", async ({ routeSet, method, path }) => {
    const service = openService();
    const { status } = await clientOf(service, { routeSet })(method, fill(path), { apiKey: null });
    const entry = service.requests().at(-1);
    expect([404, 405].includes(status) && entry?.operation === undefined).toBe(false);
  });

  it.each(NOT_BUILT)("$routeSet $method $path returns 501", async ({ routeSet, method, path }) => {
    const send = clientOf(openService(), { routeSet });
    const { status, body } = await send(method, fill(path));
    expect([status, body.code]).toEqual([501, "not_implemented"]);
  });

  it.each(ROWS.filter(({ scope }) => scope !== undefined))(
    "$routeSet $method $path requires a key",
    async ({ routeSet, method, path }) => {
      const send = clientOf(openService(), { routeSet });
      const { status, body } = await send(method, fill(path), { apiKey: null });
      expect([status, body.code]).toEqual([401, "invalid_token"]);
    },
  );
});

describe("requests outside a route set", () => {
  const only = (routeSet: RouteSetName) => {
    const other = new Set((routeSet === "a" ? ROUTES_B : ROUTES_A).map(({ method, path }) => `${method} ${path}`));
    return routesOf(routeSet).filter(({ method, path }) => !other.has(`${method} ${path}`));
  };

  it("return 405 with the allowed methods if the other set has the path", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const { status, headers, body } = await send("GET", "/api/pages/one");
    expect([status, body.code, headers.get("Allow")]).toEqual([405, "method_not_allowed", "PUT, DELETE, PATCH"]);
  });

  it.each(only("a").filter(({ path }) => path.startsWith("/api/library")))(
    "$method $path is rejected in route set B",
    async ({ method, path }) => {
      const { status, headers } = await clientOf(openService(), { routeSet: "b" })(method, fill(path));
      expect([status, headers.get("Allow")]).toEqual([405, ""]);
    },
  );

  it.each(only("b").filter(({ path }) => path.startsWith("/api/assets")))(
    "$method $path is rejected in route set A",
    async ({ method, path }) => {
      const { status, headers } = await clientOf(openService(), { routeSet: "a" })(method, fill(path));
      expect([status, headers.get("Allow")]).toEqual([405, ""]);
    },
  );

  it("return 404 if no set has the path", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    for (const path of ["/api/nothing", "/api", "/api/pages/one/two/three", "/other"]) {
      const { status, body } = await send("GET", path);
      expect([status, body.code]).toEqual([404, "no_such_route"]);
    }
  });

  it("with HEAD succeed where GET exists", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status, text } = await send("HEAD", "/api/pages");
    expect([status, text]).toEqual([200, ""]);
  });
});

describe("problems", () => {
  it.each([
    ["GET /api/pages", { apiKey: null }, "invalid_token"],
    ["GET /api/pages?x=1", {}, "invalid_query"],
    ["GET /api/pages/none", {}, "page_not_found"],
    ["GET /api/sites/none", {}, "site_not_found"],
    ["GET /api/brand-kits/none", {}, "kit_not_found"],
    ["GET /api/blogs/none/posts", {}, "blog_not_found"],
    ["PATCH /api/library/none", { json: {} }, "asset_not_found"],
    ["GET /nothing", {}, "no_such_route"],
    ["POST /api/pages/one", {}, "method_not_allowed"],
    ["PUT /api/pages/one", { json: {} }, "invalid_body"],
    ["PUT /api/pages/ONE", { json: { html: "<p>" } }, "invalid_slug"],
    ["PUT /api/pages/one", { body: "{" }, "unsupported_media_type"],
    ["POST /api/brand-kits/extract", { json: { url: "http://127.0.0.1" } }, "extract_refused"],
  ] as const)("%s returns a problem as defined in RFC 9457", async (request, options, code) => {
    const [method = "", path = ""] = request.split(" ");
    const service = openService();
    const { status, headers, body } = await clientOf(service, { routeSet: "a" })(method, path, options);
    expect(headers.get("Content-Type")).toBe("application/problem+json");
    const problem = problemSchema.parse(body);
    expect(problem).toMatchObject({ code, ...PROBLEMS[code] });
    expect(problem.status).toBe(status);
    expect(problem.requestId).toBe(headers.get("X-Request-Id"));
  });
});

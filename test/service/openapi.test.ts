import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../src/contract/operations.ts";
import { clientOf, openService } from "./open-service.ts";

describe.each([
  ["a", ROUTES_A],
  ["b", ROUTES_B],
] as const)("the OpenAPI document of route set %s", (routeSet, rows) => {
  async function read() {
    const service = openService();
    const { status, body } = await clientOf(service, { routeSet })("GET", "/openapi.json", { apiKey: null });
    return { service, status, document: JSON.parse(JSON.stringify(body)) };
  }

  it("is valid OpenAPI 3.1", async () => {
    const { status, document } = await read();
    const validator = new Validator();
    const result = await validator.validate(document);
    expect([status, result.errors, result.valid, validator.version]).toEqual([200, undefined, true, "3.1"]);
  });

  it("has every route of the set and every extension, marked as such, and no other", async () => {
    const { document, service } = await read();
    const listed = Object.entries<Record<string, Record<string, unknown>>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, "x-origin": origin }]) => {
        return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")} ${operationId} ${origin ?? ""}`;
      }),
    );
    const expected = [
      ...rows.map(({ method, path, operation }) => `${method} ${path} ${operation} `),
      ...EXTENSION_ROUTES.map(({ method, path, operation }) => `${method} ${path} ${operation} imprint`),
    ];
    expect(listed.sort()).toEqual(expected.sort());
    expect(document.servers).toEqual([{ url: service.baseUrl(routeSet) }]);
  });

  it("says what a request takes, what it answers and which scope it needs", async () => {
    const { document } = await read();
    const put = document.paths["/api/pages/{slug}"].put;
    expect(put["x-scope"]).toBe("pages:write");
    expect(put.requestBody.content["application/json"].schema).toMatchObject({
      type: "object",
      required: ["html"],
      properties: { html: { type: "string" } },
    });
    expect(Object.keys(put.responses)).toEqual(expect.arrayContaining(["200", "201", "401", "412", "413", "422"]));
  });
});

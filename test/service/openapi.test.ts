import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../src/contract/routes.ts";
import type { ServiceOptions } from "../../src/service.ts";
import { SLUG_PATTERN } from "../../src/contract/slug.ts";
import { findUndocumented } from "./documented.ts";
import { clientOf, openService, type Fields } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

// Its telemetry and update check would access the network.
const QUIET = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Fields }>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Fields[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

describe.each([
  ["a", ROUTES_A],
  ["b", ROUTES_B],
] as const)("the OpenAPI document of route set %s", (routeSet, rows) => {
  async function read(options: ServiceOptions = {}) {
    const service = openService(options);
    const { status, body } = await clientOf(service, { routeSet })("GET", "/openapi.json", { apiKey: null });
    return { service, status, document: JSON.parse(JSON.stringify(body)) };
  }

  it("is valid OpenAPI 3.1", async () => {
    const { status, document } = await read();
    const validator = new Validator();
    const result = await validator.validate(document);
    expect([status, result.errors, result.valid, validator.version]).toEqual([200, undefined, true, "3.1"]);
  });

  it("passes the recommended rules of Redocly", async () => {
    // The rules reject "localhost", which is the server of a service without a configured address.
    const { document } = await read({ appUrl: "https://app.harbor.test", pagesUrl: "https://pages.harbor.test" });
    const file = join(await temporaryFolder(), "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const program = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
    const arguments_ = [program, "lint", file, "--extends", "recommended-strict", "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { env: QUIET }).catch((error) => error);
    const { totals, problems } = JSON.parse(stdout);
    const found = problems.map(({ ruleId, message }: Record<string, string>) => `${ruleId}: ${message}`);
    expect([found, totals]).toEqual([[], { errors: 0, warnings: 0, ignored: 0 }]);
  });

  it("names every record, body, and response, each with an example, and describes every parameter", async () => {
    const { document } = await read();
    const schemas = Object.entries<Fields>(document.components.schemas);
    const without = schemas.filter(([name, { examples }]) => examples === undefined && !name.endsWith("Form"));
    expect(without.map(([name]) => name)).toEqual([]);
    const operations = Object.values<Record<string, Described>>(document.paths).flatMap(Object.values<Described>);
    for (const { operationId, parameters, requestBody, responses } of operations) {
      const contents = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
      const inline = contents.filter(({ schema }) => !("$ref" in schema) && schema["type"] !== "string");
      expect([operationId, inline]).toEqual([operationId, []]);
      const nameless = parameters.filter((each) => !("$ref" in each) && each["description"] === undefined);
      expect([operationId, nameless]).toEqual([operationId, []]);
    }
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["Page", "PageList", "PagePutBody", "Site", "Asset", "Post", "Webhook", "Problem"]),
    );
  });

  it("includes headers, the pattern of slugs, and error statuses", async () => {
    const { document } = await read();
    const { put, patch } = document.paths["/api/pages/{slug}"];
    expect(Object.keys(put.responses["201"].headers)).toEqual(
      expect.arrayContaining(["Location", "RateLimit", "RateLimit-Policy", "X-Request-Id"]),
    );
    expect(document.paths["/api/pages"].get.responses["200"].headers).toHaveProperty("Link");
    expect(document.components.responses.RateLimited.headers).toHaveProperty("Retry-After");
    const parameters = put.parameters.map(
      ({ $ref, name }: Record<string, string>) =>
        name ?? document.components.parameters[$ref?.split("/").at(-1) ?? ""].name,
    );
    expect(parameters).toEqual(["slug", "If-None-Match", "If-Match"]);
    expect(document.components.parameters.SlugPath.schema.pattern).toBe(SLUG_PATTERN.source);
    expect(document.components.schemas.Page.properties.slug.pattern).toBe(SLUG_PATTERN.source);
    expect(Object.keys(patch.responses)).toEqual(
      expect.arrayContaining([
        "200",
        "400",
        "401",
        "402",
        "403",
        "404",
        "412",
        "413",
        "415",
        "422",
        "429",
        "500",
        "503",
      ]),
    );
    if (routeSet === "a") {
      const get = document.paths["/api/pages/{slug}"].get;
      expect(get.responses["200"].headers).toHaveProperty("ETag");
      expect(get.responses["304"]).toEqual({ $ref: "#/components/responses/NotModified" });
    }
  });

  it("contains every route of the set and every extension, marked as such, and nothing else", async () => {
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

  it("describes each operation's request, response, and scope", async () => {
    const { document } = await read();
    const put = document.paths["/api/pages/{slug}"].put;
    expect(put["x-scope"]).toBe("pages:write");
    expect(put.requestBody.content["application/json"].schema.$ref).toBe("#/components/schemas/PagePutBody");
    expect(document.components.schemas.PagePutBody).toMatchObject({
      type: "object",
      required: ["html"],
      properties: { html: { type: "string" } },
    });
    expect(Object.keys(put.responses)).toEqual(expect.arrayContaining(["200", "201", "401", "412", "413", "422"]));
  });
});

describe("the comparison of responses with the document, which all service tests use,", () => {
  const json = new Headers({ "Content-Type": "application/json" });
  const answer = { routeSet: "a", method: "GET", path: "/api/sites", headers: json } as const;

  it("detects a status, a type, and a record that the document doesn't have", () => {
    expect(findUndocumented({ ...answer, status: 200, text: '{"data":[],"nextCursor":null}' })).toBeUndefined();
    expect(findUndocumented({ ...answer, status: 418, text: "{}" })).toContain("sites.list answered 418");
    expect(findUndocumented({ ...answer, status: 200, text: '{"data":[{"id":1}],"nextCursor":null}' })).toContain(
      "against its schema",
    );
    const html = new Headers({ "Content-Type": "text/html" });
    expect(findUndocumented({ ...answer, headers: html, status: 200, text: "<p>" })).toContain("with text/html");
  });
});

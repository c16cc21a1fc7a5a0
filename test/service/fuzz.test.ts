import { describe, expect, it } from "vitest";
import { renderOpenApi } from "../../src/contract/openapi/document.ts";
import { PROBLEMS, problemSchema } from "../../src/contract/problems.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { HANDLERS } from "../../src/service/api/handlers/all.ts";
import { clientOf, openRunningService, openService, type Send, type SendOptions } from "./open-service.ts";
import { IS_WHOLE } from "../whole.ts";

// Requests with one invalid value in each place that the OpenAPI documents describe. `malformed.test.ts` picks values at
// random; here each operation, parameter, field, and header gets the same list of invalid values.

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  "",
  " ",
  "\0",
  "\u{FFFF}\u{202E}",
  "x".repeat(5000),
  "' or 1=1; --",
  "../../../etc/passwd",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "__proto__",
  [],
  [null],
  [[]],
  {},
  { constructor: { prototype: 1 } },
  Array.from({ length: 300 }, (_, index) => index),
];
const WRONG_TEXTS = [
  "",
  " ",
  "-1",
  "0",
  "1e9",
  "NaN",
  "null",
  "%00",
  "%ff",
  "\u{202E}",
  "'",
  "x".repeat(3000),
  "a&b=c",
  "[]",
];
const WRONG_SEGMENTS = [
  "%20",
  "%00",
  "%ff%fe",
  "..%2f..%2fetc",
  "%2e%2e",
  "'",
  "x".repeat(3000),
  "PG_1",
  "é",
  "%F0%9F%98%80",
  "__proto__",
];
const WRONG_BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "1",
  "\u{FEFF}{}",
  "{}garbage",
  '{"a":1,"a":2}',
  `${"[".repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  Buffer.from([0xff, 0xfe, 0x00]),
];
const WRONG_TYPES = [
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  ";;;",
  "application/json; charset=utf-16",
];
const WRONG_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { Authorization: "Bearer" },
  { Authorization: "Bearer imp_dev_x" },
  { Authorization: "Basic YTpi" },
  { Authorization: `Bearer ${"x".repeat(8000)}` },
  { "If-Match": "*, *" },
  { "If-Match": '"v99999999999999999999"' },
  { "If-None-Match": ",,," },
  { "Idempotency-Key": " " },
  { "Idempotency-Key": "x".repeat(256) },
  { "X-Request-Id": "\t<b>" },
  { "Content-Encoding": "gzip" },
  { Accept: "image/png" },
  { Range: "bytes=9-1" },
];

interface Case extends SendOptions {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

function* casesOf(routeSet: RouteSetName): Generator<Case> {
  const document = JSON.parse(JSON.stringify(renderOpenApi(routeSet, { serverUrl: "http://x", version: "1" })));
  const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      for (const wrong of wrongRequests(path, described)) {
        yield { operation: described.operationId, method: method.toUpperCase(), ...wrong };
      }
    }
  }
}

type Wrong = SendOptions & { readonly path: string };

function* wrongRequests(template: string, described: Described): Generator<Wrong> {
  const path = template.replaceAll(/\{\w+\}/g, "one");
  const valid = validBody(described);
  for (const segment of template.includes("{") ? WRONG_SEGMENTS : []) {
    yield { path: template.replaceAll(/\{\w+\}/g, segment), ...valid };
  }
  for (const { name } of described.parameters.filter((parameter) => parameter.in === "query")) {
    for (const text of WRONG_TEXTS) yield { path: `${path}?${name}=${encodeURIComponent(text)}`, ...valid };
    yield { path: `${path}?${name}=1&${name}=2`, ...valid };
    yield { path: `${path}?${name}=%E0%A4%A`, ...valid };
  }
  yield { path: `${path}?unknown=1`, ...valid };
  for (const headers of WRONG_HEADERS) yield { path, ...valid, headers: { ...valid.headers, ...headers } };
  if (described.requestBody !== undefined) yield* wrongBodies(path, described.requestBody.content);
}

function* wrongBodies(
  path: string,
  content: Readonly<Record<string, { readonly schema: JsonSchema }>>,
): Generator<Wrong> {
  for (const body of WRONG_BODIES) {
    for (const type of [...Object.keys(content), "application/json"]) {
      yield { path, body, headers: { "Content-Type": type } };
    }
  }
  for (const type of WRONG_TYPES) yield { path, body: "{}", headers: { "Content-Type": type } };
  const schema = content["application/json"]?.schema;
  for (const name of Object.keys(schema?.properties ?? {})) {
    // The service would fetch a valid address.
    for (const value of WRONG_VALUES) yield { path, json: { ...Object(exampleOf(schema)), [name]: value } };
    const { [name]: _, ...rest } = Object(exampleOf(schema));
    yield { path, json: rest };
  }
  for (const [name, field] of Object.entries(content["multipart/form-data"]?.schema.properties ?? {})) {
    for (const value of WRONG_VALUES) {
      const form = new FormData();
      form.append(name, new File([String(value)], `${String(value).slice(0, 300)}.png`));
      form.append(name, String(value));
      yield { path, form };
    }
    const form = new FormData();
    form.append(name, String(exampleOf(field)));
    yield { path, form };
  }
}

/** A body that is valid for the schema, so that only one thing is wrong with a request. */
function validBody({ requestBody }: Described): SendOptions {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema === undefined ? {} : { json: exampleOf(schema) };
}

function exampleOf(schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0]);
  switch (schema.type) {
    case "object":
      return Object.fromEntries((schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name])]));
    case "array":
      return [exampleOf(schema.items)];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    default:
      return schema.format === "date-time" ? "2026-01-01T00:00:00Z" : "<p>one</p>";
  }
}

async function prepare(send: Send): Promise<void> {
  await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
  await send("POST", "/api/blogs", { json: { name: "one" } });
}

/** Describes an unexpected response. */
async function findMistake(send: Send, { operation, method, path, ...options }: Case): Promise<string | undefined> {
  const answer = await send(method, path, options);
  const where = `${operation}: ${method} ${path.slice(0, 200)} ${JSON.stringify(options).slice(0, 300)}`;
  if (answer.status < 400) return undefined;
  // OAuth has its own responses: a page for people, and errors as defined in RFC 6749.
  if (operation.startsWith("oauth.")) return answer.status < 500 || isNotBuilt(operation) ? undefined : where;
  const type = answer.headers.get("Content-Type");
  const problem = problemSchema.safeParse(answer.body);
  const isFine =
    type === "application/problem+json" &&
    problem.data?.status === answer.status &&
    Object.hasOwn(PROBLEMS, problem.data.code) &&
    (answer.status < 500 || isNotBuilt(operation));
  return isFine ? undefined : `${answer.status} ${type} ${answer.text.slice(0, 300)} for ${where}`;
}

function isNotBuilt(operation: string): boolean {
  return !Object.hasOwn(HANDLERS, operation);
}

describe.each(["a", "b"] as const)("invalid requests to route set %s", (routeSet) => {
  const cases = [...casesOf(routeSet)];

  it("number in the thousands", () => {
    expect(cases.length).toBeGreaterThan(2000);
  });

  it("never crash the service, and get a problem as defined in RFC 9457", async () => {
    const send = clientOf(openService({ background: false }), { routeSet });
    await prepare(send);
    const mistakes = [];
    const sample = cases.filter((_, index) => IS_WHOLE || index % 3 === 0);
    for (const one of sample) mistakes.push(await findMistake(send, one));
    expect(mistakes.filter((mistake) => mistake !== undefined)).toEqual([]);
  });

  it("get one over HTTP, too", async () => {
    const service = await openRunningService({ background: false });
    const send = clientOf(service, { routeSet, transport: "over HTTP" });
    await prepare(send);
    const mistakes = [];
    for (const one of cases.filter((_, index) => index % 11 === 0)) mistakes.push(await findMistake(send, one));
    expect(mistakes.filter((mistake) => mistake !== undefined)).toEqual([]);
  });
});

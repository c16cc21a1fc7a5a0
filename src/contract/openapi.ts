import * as z from "zod";
import { PROBLEMS, problemSchema, type ProblemCode } from "./problems.ts";
import { extensionRoutes, routesOf } from "./operations.ts";
import { type ResponseShape, type Body, listOf, type Route, type RouteSetName } from "./route.ts";

export interface OpenApiOptions {
  /** Base address of the route set. */
  readonly serverUrl: string;
  readonly version: string;
}

type Json = Readonly<Record<string, unknown>>;

// What any route that needs a key can answer with.
const COMMON_PROBLEMS: readonly ProblemCode[] = [
  "invalid_params",
  "invalid_query",
  "invalid_token",
  "plan_required",
  "insufficient_scope",
  "rate_limited",
  "internal",
  "unavailable",
];
const BODY_PROBLEMS: readonly ProblemCode[] = [
  "malformed_body",
  "body_too_large",
  "unsupported_media_type",
  "invalid_body",
];

/** The OpenAPI 3.1 document of a route set, extensions included and marked with `x-origin: imprint`. */
export function renderOpenApi(routeSet: RouteSetName, { serverUrl, version }: OpenApiOptions): Json {
  const extensions = new Set(extensionRoutes().map(({ operation }) => operation));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routesOf(routeSet), ...extensionRoutes()]) {
    const path = (paths[route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}")] ??= {});
    const origin = extensions.has(route.operation) ? { "x-origin": "imprint" } : {};
    path[route.method.toLowerCase()] = { ...describeRoute(route), ...origin };
  }
  return {
    openapi: "3.1.0",
    info: { title: `Page publishing, route set ${routeSet.toUpperCase()}`, version },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: { Problem: schemaOf(problemSchema, "output") },
    },
  };
}

function describeRoute(route: Route): Json {
  const { operation, method, path, scope, body } = route;
  return {
    operationId: operation,
    tags: [operation.split(".", 1)[0]],
    ...(scope === undefined ? {} : { security: [{ key: [] }], "x-scope": scope }),
    parameters: [...pathParameters(path), ...queryParameters(route), ...headerParameters(method)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: describeBody(body) } }),
    responses: { ...describeAnswers(route), ...describeProblems(route) },
  };
}

function pathParameters(path: string): readonly Json[] {
  return Array.from(path.matchAll(/:([A-Za-z]+)/g), ([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } };
  });
}

function queryParameters({ query }: Route): readonly Json[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    return { name, in: "query", required: false, schema: schemaOf(schema, "input") };
  });
}

function headerParameters(method: string): readonly Json[] {
  const header = (name: string) => ({ name, in: "header", required: false, schema: { type: "string" } });
  if (method === "POST") return [header("Idempotency-Key")];
  if (method === "GET") return [header("If-None-Match")];
  return [header("If-Match")];
}

function describeBody(body: Body): Json {
  const schema = schemaOf(body.schema, "input");
  if (body.kind === "bundle") return { "application/x-tar": { schema: { type: "string", format: "binary" } } };
  if (body.kind === "json") return { "application/json": { schema } };
  if (body.kind === "form") return { "application/x-www-form-urlencoded": { schema } };
  const multipart = { "multipart/form-data": { schema: withFile(schema, body.file) } };
  return body.kind === "multipart" ? multipart : { "application/json": { schema }, ...multipart };
}

function withFile(schema: Json, file: string): Json {
  const { properties, required } = schema;
  return {
    ...schema,
    properties: { ...Object(properties), [file]: { type: "string", contentMediaType: "application/octet-stream" } },
    required: [...new Set([...(Array.isArray(required) ? required : []), file])],
  };
}

function describeAnswers({ answers }: Route): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const content = contentOf(answer);
      return [status, { description: descriptionOf(answer), ...(content === undefined ? {} : { content }) }];
    }),
  );
}

function contentOf(answer: ResponseShape): Json | undefined {
  switch (answer.kind) {
    case "empty":
      return undefined;
    case "document":
      return { [answer.contentType]: { schema: { type: "string" } } };
    case "json":
      return { "application/json": { schema: schemaOf(answer.schema, "output") } };
    case "record":
      return { "application/json": { schema: schemaOf(answer.record.full, "output") } };
    case "list":
      return { "application/json": { schema: schemaOf(listOf(answer.record.full), "output") } };
  }
}

function descriptionOf({ kind }: ResponseShape): string {
  return kind === "list" ? "A part of the list." : kind === "empty" ? "Done." : "The answer.";
}

function describeProblems({ scope, body, problems }: Route): Json {
  const common =
    scope === undefined ? COMMON_PROBLEMS.filter((code) => code !== "insufficient_scope") : COMMON_PROBLEMS;
  const codes = [...new Set([...common, ...(body === undefined ? [] : BODY_PROBLEMS), ...problems])];
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join(" "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): Json {
  // What JSON Schema can't say (a transform, a refinement) is left to the service, which answers `invalid_body`.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

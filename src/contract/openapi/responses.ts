import { PROBLEMS, type ProblemCode } from "../problems.ts";
import type { ResponseShape, Route } from "../route.ts";
import type { Json, Schemas } from "./schemas.ts";

// Problems that any route can respond with (a sent key is always checked, even if it isn't needed), and those of routes
// that need a scope, take a body, or change something.
const OF_ALL: readonly ProblemCode[] = [
  "invalid_params",
  "invalid_query",
  "invalid_token",
  "plan_required",
  "rate_limited",
  "internal",
  "unavailable",
];
const OF_SCOPES: readonly ProblemCode[] = ["insufficient_scope"];
const OF_BODIES: readonly ProblemCode[] = [
  "malformed_body",
  "body_too_large",
  "unsupported_media_type",
  "invalid_body",
];
const OF_POSTS: readonly ProblemCode[] = ["idempotency_in_progress", "idempotency_key_reused"];

const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** Headers of responses, by name. */
export const HEADERS: Readonly<Record<string, Json>> = {
  "X-Request-Id": text(
    "Identifies the request in logs and problems; the one that was sent, if any.",
    "req_2m1A3vQq0VYh",
  ),
  ETag: text("Version of the record, or hash of the bytes, for `If-None-Match` and `If-Match`.", '"v3"'),
  Location: text("Address of the created record.", "http://127.0.0.1:4400/a/api/pages/about"),
  Link: text(
    'Address of the next page of the list, with `rel="next"`; absent on the last page.',
    '<http://127.0.0.1:4400/a/api/pages?cursor=MTc2>; rel="next"',
  ),
  RateLimit: text("Remaining requests, and seconds until the window ends.", '"default";r=599;t=42'),
  "RateLimit-Policy": text("Requests allowed per window, and its length in seconds.", '"default";q=600;w=60'),
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 }, example: 3 },
  "Idempotent-Replayed": {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  "WWW-Authenticate": text("How to get a token, and the missing scopes.", 'Bearer error="invalid_token"'),
};

const DOWNLOAD = {
  "Content-Disposition": text("Name of the file.", 'attachment; filename="contact-2026-08-01.csv"'),
};

const RATE = ["RateLimit", "RateLimit-Policy"];

/** Returns the responses shared by operations, by name: those of one or two problems, such as `PageNotFound`. */
export function shareResponses(routes: readonly Route[]): Readonly<Record<string, Json>> {
  const groups = routes.flatMap((route) => [...problemsOf(route)]).filter(([, codes]) => codes.length <= MAX_SHARED);
  return {
    ...Object.fromEntries(groups.map(([status, codes]) => [nameOfCodes(codes), describeProblem(status, codes)])),
    NotModified: {
      description: "The record still has the tag in `If-None-Match`.",
      headers: headersOf(["ETag", "X-Request-Id"]),
    },
  };
}

const MAX_SHARED = 2;

/** `page_not_found` → `PageNotFound`. */
function nameOfCodes(codes: readonly ProblemCode[]): string {
  return codes.map((code) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())).join("Or");
}

function headersOf(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describeProblem(status: number, codes: readonly ProblemCode[]): Json {
  const [code = "internal"] = codes;
  const example = {
    type: `urn:imprint:problem:${code}`,
    title: PROBLEMS[code].title,
    status,
    code,
    requestId: "req_2m1A3vQq0VYh",
  };
  return {
    description: codes.map((each) => `\`${each}\`: ${PROBLEMS[each].title}`).join(" "),
    headers: headersOf(["X-Request-Id", ...(HEADERS_OF[status] ?? [])]),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, example } },
  };
}

export function describeResponses(route: Route, schemas: Schemas): Json {
  const problems = Array.from(problemsOf(route), ([status, codes]) => {
    const isShared = codes.length <= MAX_SHARED;
    return [
      status,
      isShared ? { $ref: `#/components/responses/${nameOfCodes(codes)}` } : describeProblem(status, codes),
    ];
  });
  const answers = Object.entries(route.answers).map(([status, shape]) => [
    status,
    describeResponse({ route, status, shape, schemas }),
  ]);
  const unchanged = route.etag === true ? [[304, { $ref: "#/components/responses/NotModified" }]] : [];
  return Object.fromEntries([...problems, ...unchanged, ...answers]);
}

interface ResponseParts {
  readonly route: Route;
  readonly status: string;
  readonly shape: ResponseShape;
  readonly schemas: Schemas;
}

function describeResponse({ route, status, shape, schemas }: ResponseParts): Json {
  const schema = schemas.responseOf({ operation: route.operation, status, shape });
  const json = schema === undefined ? {} : { "application/json": { schema } };
  const document = shape.kind === "document" ? { [shape.contentType]: { schema: { type: "string" } } } : {};
  const content = { ...document, ...json };
  const isPost = route.method === "POST" && route.scope !== undefined;
  const headers = [
    "X-Request-Id",
    ...RATE,
    ...(route.etag === true ? ["ETag"] : []),
    ...(status === "201" && shape.kind === "record" ? ["Location"] : []),
    ...(shape.kind === "list" ? ["Link"] : []),
    ...(isPost && shape.kind !== "document" ? ["Idempotent-Replayed"] : []),
  ];
  return {
    description: describeStatus(status, shape),
    headers: { ...headersOf(headers), ...(shape.kind === "document" && isPost && DOWNLOAD) },
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function describeStatus(status: string, { kind }: ResponseShape): string {
  if (kind === "empty") return status === "303" ? "Redirects back to the client." : "Done.";
  if (status >= "400")
    return kind === "json" ? "An error in the format of RFC 6749." : "A page that describes the problem.";
  if (kind === "list") return "One page of the list.";
  return status === "201" ? "Created." : "Success.";
}

function problemsOf({ scope, body, method, problems }: Route): ReadonlyMap<number, readonly ProblemCode[]> {
  const codes = new Set([
    ...OF_ALL,
    ...(scope === undefined ? [] : OF_SCOPES),
    ...(body === undefined ? [] : OF_BODIES),
    ...(method === "POST" && scope !== undefined ? OF_POSTS : []),
    ...(method === "GET" ? [] : (["storage_full"] as const)),
    ...problems,
  ]);
  return Map.groupBy(codes, (code) => PROBLEMS[code].status);
}

import { extensionRoutes, routesOf } from "../operations.ts";
import type { Body, Route, RouteSetName } from "../route.ts";
import { describeParameters, shareParameters } from "./parameters.ts";
import { HEADERS, describeResponses, shareResponses } from "./responses.ts";
import { createSchemas, type Json, type Schemas } from "./schemas.ts";

export interface OpenApiOptions {
  /** Base address of the route set. */
  readonly serverUrl: string;
  readonly version: string;
}

const DESCRIPTION = `Publishes pages and their resources. Send an API key as \`Authorization: Bearer <key>\`.

- Lists are paginated, newest first: continue with \`cursor\` until \`nextCursor\` is null.
- Errors are problem details (RFC 9457) with a permanent \`code\` and a pointer to each invalid field.
- \`If-Match: "v3"\` changes a record only if it has version 3; otherwise the response is 412.
- A POST with an \`Idempotency-Key\` can be repeated safely: it is executed only once.
- Responses may gain fields; ignore those that you don't know. Operations marked \`x-origin: imprint\` are extensions of this service.`;

const TAGS: Readonly<Record<string, string>> = {
  pages: "Pages, addressed by slug.",
  sites: "Sites, which group pages.",
  assets: "The library of images and other files.",
  blogs: "Blogs, which hold posts.",
  posts: "Posts of a blog.",
  previewLinks: "Links that show unpublished posts.",
  analytics: "What visitors did on pages.",
  forms: "Forms on published pages.",
  submissions: "What visitors sent through forms.",
  domains: "Custom domains of sites.",
  brandKits: "Colors, fonts and logos.",
  oauth: "Signing in without an API key (OAuth 2.1).",
  account: "Plan, limits and usage.",
  keys: "API keys.",
  users: "The people who use the service.",
  audit: "Who did what in the account.",
  requests: "Requests to the API.",
  signInLinks: "Links to the dashboard.",
  webhooks: "Notifications to other programs about events.",
  deliveries: "Messages sent by webhooks.",
  events: "Events of pages, releases and forms.",
  releases: "Whole sites that are published at once.",
  openapi: "The description of the API.",
};

/** Renders the OpenAPI 3.1 document of a route set, with extensions marked by `x-origin: imprint`. */
export function renderOpenApi(routeSet: RouteSetName, { serverUrl, version }: OpenApiOptions): Json {
  const extensions = extensionRoutes();
  const routes = [...routesOf(routeSet), ...extensions];
  const schemas = createSchemas(routes);
  const shared = shareParameters(routes.map(describeParameters));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [index, route] of routes.entries()) {
    const path = (paths[route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}")] ??= {});
    const origin = extensions.includes(route) ? { "x-origin": "imprint" } : {};
    const described = describeRoute(route, { schemas, parameters: shared.lists[index] ?? [] });
    path[route.method.toLowerCase()] = { ...described, ...origin };
  }
  const tags = [...new Set(routes.map(tagOf))];
  return {
    openapi: "3.1.0",
    info: {
      title: `Page publishing, route set ${routeSet.toUpperCase()}`,
      description: DESCRIPTION,
      version,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? `The ${name}.` })),
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key, `imp_…`." } },
      schemas: schemas.components,
      parameters: shared.components,
      headers: HEADERS,
      responses: shareResponses(routes),
    },
  };
}

interface RouteParts {
  readonly schemas: Schemas;
  readonly parameters: readonly Json[];
}

function describeRoute(route: Route, { schemas, parameters }: RouteParts): Json {
  const { operation, scope, body, summary, description } = route;
  return {
    operationId: operation,
    summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(route)],
    security: securityOf(route),
    ...(scope !== undefined && { "x-scope": scope }),
    parameters,
    ...(body !== undefined && { requestBody: { required: true, content: describeBody(body, schemas) } }),
    responses: describeResponses(route, schemas),
  };
}

// Anyone can read a published page; a draft needs a key.
function securityOf({ scope, problems }: Route): readonly Json[] {
  if (scope !== undefined) return [{ key: [] }];
  return problems.includes("insufficient_scope") ? [{}, { key: [] }] : [];
}

function tagOf({ operation }: Route): string {
  return operation.split(".", 1)[0] ?? operation;
}

function describeBody(body: Body, { bodyOf }: Schemas): Json {
  const { kind } = body;
  if (kind === "bundle") return { "application/x-tar": { schema: { type: "string", format: "binary" } } };
  const schema = bodyOf(body, "json");
  if (kind === "form") return { "application/x-www-form-urlencoded": { schema } };
  if (kind === "json") return { "application/json": { schema } };
  const multipart = { "multipart/form-data": { schema: bodyOf(body, "multipart") } };
  return kind === "multipart" ? multipart : { "application/json": { schema }, ...multipart };
}

import type { Hono } from "hono";
import { findAudience, OAUTH_PATHS, resourceOf } from "../auth/addresses.ts";
import { GRANTABLE_SCOPES } from "../auth/grantable-scopes.ts";
import type { Core } from "../host/core.ts";
import { ProblemError } from "../http/problem.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import type { RequestContext, ServiceEnv } from "../http/request-context.ts";
import { addressOf, readBody } from "../http/messages.ts";
import { createProviderPort, type ProviderPort } from "./provider.ts";

// OAuth routes belong to route set B. At the root, both sets have them, since programs look for them there.
const PREFIXES = ["", "/b"];

/** Registers the authorization server's routes. */
export function registerOAuth(app: Hono<ServiceEnv>, core: Core): void {
  const port = createProviderPort(core);
  let loading: Promise<(request: Request) => Promise<Response>> | undefined;
  const load = async () => {
    const { createAuthorize } = await import("./authorize.ts");
    return createAuthorize(core, port);
  };
  for (const prefix of PREFIXES) {
    app.on(["GET", "POST"], `${prefix}${OAUTH_PATHS.authorize}`, async ({ req }) => {
      loading ??= load();
      return await (
        await loading
      )(req.raw);
    });
    registerEndpoint("token", prefix);
  }
  if (core.settings.strict) return;
  registerEndpoint("register", "");
  registerEndpoint("revoke", "");
  registerDocuments(app, core);

  function registerEndpoint(name: EndpointName, prefix: string): void {
    const endpoint = createEndpoint(core, port, name);
    app.post(`${prefix}${OAUTH_PATHS[name]}`, ({ req, env }) => endpoint(req.raw, env));
    app.options(`${prefix}${OAUTH_PATHS[name]}`, () => allowOrigins("POST"));
  }
}

/** Describes a path below the app's URL: empty, `/a`, `/b` or `/mcp`. Returns `undefined` for others. */
type Describe = (appUrl: string, path: string) => Readonly<Record<string, unknown>> | undefined;

/** Documents with open CORS. */
const DOCUMENTS: readonly { readonly path: string; readonly describe: Describe }[] = [
  {
    path: "/.well-known/oauth-authorization-server",
    describe: (appUrl, path) => (path === "" ? describeServer(appUrl) : undefined),
  },
  { path: "/.well-known/oauth-protected-resource", describe: describeResource },
];

function registerDocuments(app: Hono<ServiceEnv>, { addresses: { appUrl } }: Core): void {
  // If the app's URL has a path, that path is at the end of well-known URLs.
  const base = new URL(appUrl).pathname.replace(/\/$/, "");
  for (const { path, describe } of DOCUMENTS) {
    for (const pattern of [path, `${path}/*`]) {
      app.get(pattern, ({ req }) => {
        const document = describe(appUrl, req.path.slice(path.length).replace(base, ""));
        if (document === undefined) throw new ProblemError("no_such_route");
        return Response.json(document, { headers: { ...CORS_HEADERS, "Cache-Control": "public, max-age=300" } });
      });
      app.options(pattern, () => allowOrigins("GET"));
    }
  }
}

/** An endpoint that programs call without a browser. */
type Endpoint = (request: Request, context: RequestContext) => Promise<Response>;

type EndpointName = "token" | "register" | "revoke";

const REGISTRATIONS_PER_MINUTE = 60;
// Registrations by anyone are stored for a day; a real one has only a name and a few URLs.
const MAX_REGISTRATION_BYTES = 8 * 1024;

// Headers that programs need; the library's others concern sockets and cookies.
const FORWARDED_HEADERS = ["content-type", "www-authenticate"];

/** Creates an endpoint as in RFC 6749, 7591 and 7009, which web pages on any origin can use. */
function createEndpoint(core: Core, port: ProviderPort, name: EndpointName): Endpoint {
  const limiter = createRateLimiter({ perKey: 0, perAddress: REGISTRATIONS_PER_MINUTE, windowSeconds: 60 });
  return async (request, context) => {
    // Also for responses to requests rejected before they reach the library.
    context.addHeaders(CORS_HEADERS);
    const now = core.now();
    const caller = { kind: "address", id: addressOf(request, context, core.settings) } as const;
    if (core.rateLimiter !== undefined) context.addHeaders(await core.rateLimiter.count(caller, now));
    if (name === "register") limiter.count(caller, now);
    const { maxFormBytes } = core.settings.limits;
    const maxBytes = name === "register" ? Math.min(MAX_REGISTRATION_BYTES, maxFormBytes) : maxFormBytes;
    const body = await readBody(request, { maxBytes, code: "body_too_large" });
    const headers = pickHeaders(["content-type", "authorization"], (header) => request.headers.get(header));
    const answer = await port.ask({
      method: "POST",
      path: OAUTH_PATHS[name],
      headers: { ...headers, accept: "application/json", "content-length": String(body.byteLength) },
      body,
    });
    const kept = pickHeaders(FORWARDED_HEADERS, (header) => answer.headers[header]);
    return new Response(answer.body === "" ? null : answer.body, {
      status: answer.status,
      headers: { "Cache-Control": "no-store", ...kept },
    });
  };
}

function pickHeaders(names: readonly string[], find: (name: string) => unknown): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name);
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate",
} as const;

/** Responds to CORS preflight requests from any origin. */
function allowOrigins(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
      "Access-Control-Max-Age": "3600",
    },
  });
}

/** Describes how to get a token (RFC 8414), which is only possible with the code flow and PKCE. */
function describeServer(appUrl: string): Readonly<Record<string, unknown>> {
  const clientMethods = ["none", "client_secret_basic", "client_secret_post"];
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${appUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${appUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${appUrl}${OAUTH_PATHS.revoke}`,
    scopes_supported: GRANTABLE_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Describes which server issues tokens for a URL of the service (RFC 9728). */
function describeResource(appUrl: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const audience = findAudience(appUrl, `${appUrl}${path}`);
  if (audience === undefined) return undefined;
  return {
    resource: audience === "mcp" ? resourceOf(appUrl, "mcp") : `${appUrl}${path}`,
    resource_name: audience === "mcp" ? "Imprint (MCP)" : "Imprint",
    authorization_servers: [appUrl],
    scopes_supported: GRANTABLE_SCOPES,
    bearer_methods_supported: ["header"],
  };
}

import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { readBody, addressOf } from "../http/request.ts";
import { OAUTH_PATHS } from "../auth/addresses.ts";
import type { ProviderPort } from "./ask-provider.ts";

/** An endpoint that programs talk to, without a browser between. */
export type Endpoint = (request: Request, exchange: RequestContext) => Promise<Response>;

export type EndpointName = "token" | "register" | "revoke";

const REGISTRATIONS_PER_MINUTE = 60;
// A stranger's registration is stored for a day; a real one has a name and a few addresses.
const MAX_REGISTRATION_BYTES = 8 * 1024;

// What tells a program about its request; the rest of the library's headers is for sockets and cookies.
const HANDED_ON = ["content-type", "www-authenticate"];

/** Answers programs as RFC 6749, 7591 and 7009 say, also those that run in a browser on any page. */
export function createEndpoint(core: Core, port: ProviderPort, name: EndpointName): Endpoint {
  const limiter = createRateLimiter({ perKey: 0, perAddress: REGISTRATIONS_PER_MINUTE, windowSeconds: 60 });
  return async (request, exchange) => {
    // Also on what is refused before the library is asked.
    exchange.addHeaders(CORS_HEADERS);
    const now = core.now();
    const caller = { kind: "address", id: addressOf(request, exchange, core.settings) } as const;
    if (core.rateLimiter !== undefined) exchange.addHeaders(await core.rateLimiter.count(caller, now));
    if (name === "register") limiter.count(caller, now);
    const { maxFormBytes } = core.settings.limits;
    const maxBytes = name === "register" ? Math.min(MAX_REGISTRATION_BYTES, maxFormBytes) : maxFormBytes;
    const body = await readBody(request, { maxBytes, code: "body_too_large" });
    const headers = pick(request.headers, ["content-type", "authorization"]);
    const answer = await port.ask({
      method: "POST",
      path: OAUTH_PATHS[name],
      headers: { ...headers, accept: "application/json", "content-length": String(body.byteLength) },
      body,
    });
    const kept = HANDED_ON.flatMap((header) => {
      const value = answer.headers[header];
      return typeof value === "string" ? [[header, value] as const] : [];
    });
    return new Response(answer.body === "" ? null : answer.body, {
      status: answer.status,
      headers: { "Cache-Control": "no-store", ...Object.fromEntries(kept) },
    });
  };
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate",
} as const;

/** A document that any page may read. */
export function openDocument(document: Readonly<Record<string, unknown>>): Response {
  return Response.json(document, { headers: { ...CORS_HEADERS, "Cache-Control": "public, max-age=300" } });
}

/** Lets a page of any origin send the request that its browser asks about. */
export function allowOrigins(methods: string): Response {
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

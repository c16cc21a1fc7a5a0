import type { Core } from "../host/core.ts";
import { ProblemError } from "../http/problem.ts";

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Throws `misdirected_request` when a request names another host than that of the service: a page of a stranger whose
 * name was made to lead here (DNS rebinding) would otherwise be taken for one of the service itself.
 */
export function checkHost(request: Request, { addresses }: Core): void {
  const host = request.headers.get("Host") ?? new URL(request.url).host;
  const hostname = URL.parse(`http://${host}`)?.hostname;
  const allowed = [new URL(addresses.appUrl).hostname, ...LOOPBACK_HOSTS];
  if (hostname !== undefined && allowed.includes(hostname)) return;
  throw new ProblemError("misdirected_request", {
    detail: `MCP is not served under the host name ${JSON.stringify(host)}. Behind a proxy, let it pass on the Host header, and give the service its address as \`appUrl\`.`,
  });
}

/**
 * The headers that let a web page of this origin read the answer; none for a program that is no browser. Throws
 * `forbidden_origin` for every origin but the service's own and those of the setting `mcpOrigins`, that of published
 * pages included.
 */
export function checkOrigin(request: Request, { addresses, settings }: Core): Readonly<Record<string, string>> {
  const origin = request.headers.get("Origin");
  if (origin === null) return {};
  if (origin !== new URL(addresses.appUrl).origin && !settings.mcpOrigins.includes(origin)) {
    throw new ProblemError("forbidden_origin", {
      detail: `Web pages of ${JSON.stringify(origin)} may not use MCP here. The setting \`mcpOrigins\` names those that may.`,
    });
  }
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID",
    "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, X-Request-Id",
    "Access-Control-Max-Age": "600",
    Vary: "Origin",
  };
}

export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("Access-Control-Request-Method");
}

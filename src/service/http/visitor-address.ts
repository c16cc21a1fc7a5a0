import type { Exchange } from "../exchange.ts";
import type { HttpRequest } from "../http/request.ts";

/**
 * The address that a request came from. Behind a proxy it is the last one in `X-Forwarded-For`, which the proxy added;
 * everything before it is what the sender claims.
 */
export function addressOf(
  request: Pick<HttpRequest, "headers">,
  { connection }: Pick<Exchange, "connection">,
  { trustProxy }: { readonly trustProxy: boolean },
): string {
  const forwarded = trustProxy ? request.headers.get("X-Forwarded-For")?.split(",").at(-1)?.trim() : undefined;
  if (forwarded !== undefined && forwarded !== "") return forwarded;
  return connection?.incoming.socket.remoteAddress ?? "in process";
}

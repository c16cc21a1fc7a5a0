import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A response as plain values. */
export interface PlainResponse {
  readonly status: number;
  /** By canonical name (`Content-Type`), so that each header always has the same key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
}

/** Result of handling a request: plain values, or a `Response` where performance doesn't matter. */
export type AnyResponse = PlainResponse | Response;

/** Converts a response to Fetch's; without a body for `HEAD`. */
export function toResponse(outcome: AnyResponse, { method }: { readonly method?: string } = {}): Response {
  if (outcome instanceof Response && (method !== "HEAD" || outcome.body === null)) return outcome;
  const { status, headers, body = null } = outcome;
  return new Response(method === "HEAD" ? null : body, { status, headers });
}

/** Converts a `Response` without cookies to plain values. */
export function toPlainResponse(outcome: AnyResponse): PlainResponse {
  if (!(outcome instanceof Response)) return outcome;
  const { status, headers, body } = outcome;
  return { status, headers: Object.fromEntries(headers), body: body ?? undefined };
}

/** Adds headers to a response unless it has them. */
export function withDefaultHeaders(outcome: AnyResponse, headers: Readonly<Record<string, string>>): AnyResponse {
  if (!(outcome instanceof Response)) return { ...outcome, headers: { ...headers, ...outcome.headers } };
  for (const [name, value] of Object.entries(headers)) {
    if (!outcome.headers.has(name)) outcome.headers.set(name, value);
  }
  return outcome;
}

/** Sends a response. Ends quietly if the client has disconnected. */
export async function sendResponse(outgoing: ServerResponse, outcome: AnyResponse): Promise<void> {
  const { status, headers, body } = toPlainResponse(outcome);
  if (!outgoing.req.complete) outgoing.once("finish", () => drainBody(outgoing.req));
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers);
    // If the connection broke, there is no one to report it to.
    return await pipeline(Readable.fromWeb(body), outgoing).catch(() => undefined);
  }
  const isSized = body === undefined || "Content-Length" in headers;
  outgoing.writeHead(status, isSized ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  outgoing.end(body);
}

const MAX_MS = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the rest of a body after an early response, so that clients which read the response only after sending
 * everything receive it. Beyond a limit, closes the connection.
 */
function drainBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let rest = MAX_BYTES;
  const cut = () => incoming.socket.destroySoon();
  const timer = setTimeout(cut, MAX_MS);
  incoming.on("data", (chunk: Buffer) => {
    rest -= chunk.byteLength;
    if (rest < 0) cut();
  });
  incoming.once("close", () => clearTimeout(timer));
  incoming.resume();
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** An answer in plain values. */
export interface PlainResponse {
  readonly status: number;
  /** By names in their usual spelling (`Content-Type`), so that the same header always has the same key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
}

/** What may come out of serving a request: plain values, or a `Response` where nobody waits for the difference. */
export type AnyResponse = PlainResponse | Response;

/** An outcome as Fetch has it; the answer to `HEAD` is without a body. */
export function toResponse(outcome: AnyResponse, { method }: { readonly method?: string } = {}): Response {
  if (outcome instanceof Response && (method !== "HEAD" || outcome.body === null)) return outcome;
  const { status, headers, body = null } = outcome;
  return new Response(method === "HEAD" ? null : body, { status, headers });
}

/** A `Response` without cookies as plain values. */
export function toPlainResponse(outcome: AnyResponse): PlainResponse {
  if (!(outcome instanceof Response)) return outcome;
  const { status, headers, body } = outcome;
  return { status, headers: Object.fromEntries(headers), body: body ?? undefined };
}

/** Gives an outcome these headers unless it has its own. */
export function withDefaultHeaders(outcome: AnyResponse, headers: Readonly<Record<string, string>>): AnyResponse {
  if (!(outcome instanceof Response)) return { ...outcome, headers: { ...headers, ...outcome.headers } };
  for (const [name, value] of Object.entries(headers)) {
    if (!outcome.headers.has(name)) outcome.headers.set(name, value);
  }
  return outcome;
}

/** Sends an answer; ends early and quietly when the one who asked has gone. */
export async function sendResponse(outgoing: ServerResponse, outcome: AnyResponse): Promise<void> {
  const { status, headers, body } = toPlainResponse(outcome);
  if (!outgoing.req.complete) outgoing.once("finish", () => drainBody(outgoing.req));
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers);
    // Nobody is left to learn that the connection broke.
    return await pipeline(Readable.fromWeb(body), outgoing).catch(() => undefined);
  }
  const isSized = body === undefined || "Content-Length" in headers;
  outgoing.writeHead(status, isSized ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  outgoing.end(body);
}

const MAX_MS = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads what is still on its way of a body that was answered before its end, so that a sender which looks at the answer
 * only then gets to see it. A long rest is cut off with the connection.
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

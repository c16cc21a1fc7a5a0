import { ProblemError } from "./problem.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * What the service reads of a request, whichever way it came: over a socket, or as a `Request` of Fetch. What is asked
 * for often is served from this, since making Fetch's objects takes longer than serving a page.
 */
export interface HttpRequest {
  readonly method: string;
  /** Host and port that the sender names. */
  readonly host: string;
  readonly scheme: "http" | "https";
  /** As it was sent, percent-encoded. */
  readonly path: string;
  /** What follows the question mark; empty where there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Reads the body whole. Throws the problem of the limit, or `malformed_body` for one that was cut off. */
  readBody(limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>>;
}

export interface RequestHeaders {
  /** Gives `null` for a header that was not sent, as Fetch does. */
  get(name: string): string | null;
}

export function fromFetchRequest(request: Request): HttpRequest {
  const { pathname, search, host, protocol } = new URL(request.url);
  return {
    method: request.method,
    host,
    scheme: protocol === "https:" ? "https" : "http",
    path: pathname,
    query: search.slice(1),
    headers: request.headers,
    readBody: (limit) => readBody(request, limit),
  };
}

/** The parts of a path between its slashes, decoded; the first one is empty. */
export function splitPath(path: string): readonly string[] {
  const segments = path.split("/");
  return path.includes("%") ? segments.map(decodeSegment) : segments;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // What encodes no text is a name that nothing has.
    return segment;
  }
}

export interface BodyLimit {
  readonly maxBytes: number;
  /** The problem to answer with when the body is larger. */
  readonly code: "body_too_large" | "page_too_large" | "post_too_large" | "asset_too_large";
}

/** Reads a body whole; one that is too large is refused as soon as that is known, whether its length was told or not. */
export async function readBody(request: Request, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("Content-Length");
  try {
    if (declared !== null && !request.headers.has("Transfer-Encoding")) {
      if (Number(declared) > limit.maxBytes) throw tooLarge(limit);
      return new Uint8Array(await request.arrayBuffer());
    }
    return request.body === null ? new Uint8Array() : await readStream(request.body, limit);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw cutOff(error);
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > limit.maxBytes) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The problem of a body beyond its limit. */
export function tooLarge({ maxBytes, code }: BodyLimit): ProblemError {
  return new ProblemError(code, { detail: `The body may have at most ${maxBytes} bytes.` });
}

/** The problem of a body that never came whole. */
export function cutOff(cause: unknown): ProblemError {
  return new ProblemError("malformed_body", { detail: "The body ended before it was complete.", cause });
}

/** Refuses a compressed body: a few kilobytes of it can stand for gigabytes. */
export function refuseEncoded(contentEncoding: string | null): void {
  if (contentEncoding === null || /^\s*(?:identity\s*)?$/i.test(contentEncoding)) return;
  throw new ProblemError("unsupported_media_type", {
    detail: "Send the body as it is, without Content-Encoding.",
    headers: { "Accept-Encoding": "identity" },
  });
}

/**
 * The address that a request came from. Behind a proxy it is the last one in `X-Forwarded-For`, which the proxy added;
 * everything before it is what the sender claims.
 */
export function addressOf(
  request: Pick<HttpRequest, "headers">,
  { connection }: Pick<RequestContext, "connection">,
  { trustProxy }: { readonly trustProxy: boolean },
): string {
  const forwarded = trustProxy ? request.headers.get("X-Forwarded-For")?.split(",").at(-1)?.trim() : undefined;
  if (forwarded !== undefined && forwarded !== "") return forwarded;
  return connection?.incoming.socket.remoteAddress ?? "in process";
}

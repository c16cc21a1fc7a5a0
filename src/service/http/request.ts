import { readBody, type BodyLimit } from "../route-sets/read-body.ts";

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

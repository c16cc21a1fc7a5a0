import type { Addresses } from "../resources/addresses.ts";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ProblemError } from "./problem.ts";
import type { RequestContext } from "./request-context.ts";
import { decodeComponent } from "../../base/decode-component.ts";

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
  // What encodes no text is a name that nothing has.
  return path.includes("%") ? segments.map(decodeComponent) : segments;
}

export interface BodyLimit {
  readonly maxBytes: number;
  /** The problem to answer with when the body is larger. */
  readonly code: "body_too_large" | "page_too_large" | "post_too_large" | "asset_too_large";
}

/** Reads a body whole; one that is too large is refused as soon as that is known, whether its length was declared or not. */
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

/**
 * Parses JSON that somebody sent; throws `SyntaxError`. Half a character, such as the last one of a title that was cut by
 * its length, becomes U+FFFD, as databases store it: otherwise what is stored is never what is sent, and each repetition is
 * a change.
 */
export function parseSentJson(text: string): unknown {
  if (!/\\ud[89a-f]/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
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

/** The `ETag` of a record's version. */
export function versionTag(version: number): string {
  return `"v${version}"`;
}

/** Whether an `If-None-Match` header names the tag, so that the answer is 304. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** What `If-Match` and `If-None-Match: *` of a request that writes ask for; `undefined` where nothing is asked. */
export function readPreconditions(headers: RequestHeaders): Preconditions {
  const ifMatch = headers.get("If-Match");
  const ifAbsent = headers.get("If-None-Match")?.trim() === "*";
  return { ifMatch: ifMatch === null ? undefined : parseVersions(ifMatch), ifAbsent, tag: ifMatch ?? undefined };
}

function parseVersions(header: string): readonly number[] | "any" {
  if (header.trim() === "*") return "any";
  // A weak or foreign tag never matches (RFC 9110, 13.1.1), which an empty list says.
  const versions = header.split(",").flatMap((tag) => /^\s*"v(\d{1,15})"\s*$/.exec(tag)?.[1] ?? []);
  if (versions.length === 0 && !header.includes('"')) {
    throw new ProblemError("version_mismatch", { detail: 'Send the version as a quoted tag: `If-Match: "v3"`.' });
  }
  return versions.map(Number);
}

/** What a request asks of the record as it is now. */
export interface Preconditions {
  /** Versions of which one has to be in force; `any`: there has to be a record. */
  readonly ifMatch?: readonly number[] | "any" | undefined;
  /** The tag as it was sent, for what has no version. */
  readonly tag?: string | undefined;
  /** There must not be a record yet. */
  readonly ifAbsent?: boolean;
}

/** Throws `version_mismatch` or `already_exists` when the record is not as the request asks for. */
export function checkPreconditions(
  { ifMatch, ifAbsent }: Preconditions,
  record: { readonly version: number } | undefined,
): void {
  if (ifAbsent === true && record !== undefined) {
    throw new ProblemError("already_exists", { members: { version: record.version } });
  }
  if (ifMatch === undefined) return;
  const isMet = record !== undefined && (ifMatch === "any" || ifMatch.includes(record.version));
  if (isMet) return;
  throw new ProblemError("version_mismatch", {
    detail: record === undefined ? "There is no record yet." : `The record has version ${record.version}.`,
    members: record === undefined ? {} : { version: record.version },
  });
}

// What a URL parser would change nothing of. `.` begins a name here and no step in the tree of folders.
const PLAIN_TARGET = /^(?:\/(?!\.)[\w.~-]*)+(?:\?[!"$-~]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** Reads a request off its socket; `undefined` when its target or its host is not plain and needs a URL parser. */
export function findSocketRequest(incoming: IncomingMessage): HttpRequest | undefined {
  const { method = "", url: target = "", headers, socket } = incoming;
  const { host = "" } = headers;
  if (!PLAIN_TARGET.test(target) || !PLAIN_HOST.test(host)) return undefined;
  const mark = target.indexOf("?");
  return {
    method,
    host,
    scheme: "encrypted" in socket ? "https" : "http",
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: { get: (name) => findHeader(headers, name) },
    readBody: (limit) => readSocketBody(incoming, limit),
  };
}

function findHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}

async function readSocketBody(incoming: IncomingMessage, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>> {
  const { "content-length": declared, "transfer-encoding": encoding } = incoming.headers;
  if (declared === undefined && encoding === undefined) return new Uint8Array();
  if (Number(declared) > limit.maxBytes) throw tooLarge(limit);
  if (incoming.destroyed) throw cutOff(incoming.errored);
  return await new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer<ArrayBuffer>) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit.maxBytes) return;
      incoming.removeAllListeners("data").pause();
      reject(tooLarge(limit));
    });
    incoming.on("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    incoming.on("error", (error) => reject(cutOff(error)));
    incoming.on("close", () => {
      if (!incoming.complete) reject(cutOff(incoming.errored));
    });
  });
}

/**
 * Throws `forbidden_origin` when a page of another origin sends a request. A page that hides its address
 * (`referrer: no-referrer`) sends the origin `null`, and then the browser's `Sec-Fetch-Site` decides.
 */
export function checkSameOrigin(request: Request, { pagesUrl }: Pick<Addresses, "pagesUrl">): void {
  const origin = request.headers.get("Origin");
  if (origin === null || isOwnOrigin(origin, { pagesUrl, url: request.url })) return;
  if (origin === "null" && request.headers.get("Sec-Fetch-Site") === "same-origin") return;
  throw new ProblemError("forbidden_origin", { detail: "A form can only be sent from the page that it is on." });
}

// A proxy that speaks TLS leaves the host as it was and not the scheme.
function isOwnOrigin(origin: string, { pagesUrl, url }: { readonly pagesUrl: string; readonly url: string }): boolean {
  return origin === new URL(pagesUrl).origin || URL.parse(origin)?.host === new URL(url).host;
}

/** Reads the body of a form; throws `malformed_body` with what is said of one that can't be read. */
export async function readFormData(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  detail: string,
): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch (error) {
    throw new ProblemError("malformed_body", { detail, cause: error });
  }
}

/** Whether a script asks, which can't do anything with a page. */
export function acceptsJson(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

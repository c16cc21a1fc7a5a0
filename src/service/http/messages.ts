import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Addresses } from "../resources/addresses.ts";
import { ProblemError } from "./problem.ts";
import { PROBLEMS } from "../../contract/problems.ts";
import type { RequestContext } from "./request-context.ts";
import { decodeComponent } from "../../base/decode-component.ts";

/**
 * A request from a socket or from Fetch. Frequent requests are handled with this type, since creating Fetch objects
 * takes longer than serving a page.
 */
export interface HttpRequest {
  readonly method: string;
  /** Host and port that the client sent. */
  readonly host: string;
  readonly scheme: "http" | "https";
  /** As sent, percent-encoded. */
  readonly path: string;
  /** The part after the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Reads the full body. Throws the problem of `limit`, or `malformed_body` if the body is truncated. */
  readBody(limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>>;
}

export interface RequestHeaders {
  /** Returns `null` for a missing header, like Fetch. */
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

/** Splits a path at slashes and decodes its parts; the first one is empty. */
export function splitPath(path: string): readonly string[] {
  const segments = path.split("/");
  // Parts with invalid encoding match no name.
  return path.includes("%") ? segments.map(decodeComponent) : segments;
}

export interface BodyLimit {
  readonly maxBytes: number;
  readonly code: "body_too_large" | "page_too_large" | "post_too_large" | "asset_too_large";
}

/**
 * Reads the full body, rejecting one that is too large as early as possible, whether its length was declared or not.
 */
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

/** Creates the problem of a body that exceeds its limit. */
export function tooLarge({ maxBytes, code }: BodyLimit): ProblemError {
  return new ProblemError(code, { detail: `The body may not exceed ${maxBytes} bytes.` });
}

/** Creates the problem of a truncated body. */
export function cutOff(cause: unknown): ProblemError {
  return new ProblemError("malformed_body", { detail: "The body ended before it was complete.", cause });
}

/**
 * Parses JSON from a client. Throws `SyntaxError`. A lone surrogate, such as at the end of a title that was cut to its
 * length, becomes U+FFFD, as databases store it: otherwise, the stored text never equals the sent one, and each
 * repetition is a change.
 */
export function parseSentJson(text: string): unknown {
  if (!/\\ud[89a-f]/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}

/** Rejects a compressed body: a few kilobytes can expand to gigabytes. */
export function refuseEncoded(contentEncoding: string | null): void {
  if (contentEncoding === null || /^\s*(?:identity\s*)?$/i.test(contentEncoding)) return;
  throw new ProblemError("unsupported_media_type", {
    detail: "Send the body uncompressed, without Content-Encoding.",
    headers: { "Accept-Encoding": "identity" },
  });
}

/**
 * Returns the IP address of a client. Behind a proxy, it is the last one in `X-Forwarded-For`, which the proxy added;
 * the client may have forged the earlier ones.
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

/** Returns the `ETag` of a record's version. */
export function versionTag(version: number): string {
  return `"v${version}"`;
}

/** Whether `If-None-Match` contains the tag, so that the response is 304. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Parses `If-Match` and `If-None-Match: *` of a write request. */
export function readPreconditions(headers: RequestHeaders): Preconditions {
  const ifMatch = headers.get("If-Match");
  const ifAbsent = headers.get("If-None-Match")?.trim() === "*";
  return { ifMatch: ifMatch === null ? undefined : parseVersions(ifMatch), ifAbsent, tag: ifMatch ?? undefined };
}

function parseVersions(header: string): readonly number[] | "any" {
  if (header.trim() === "*") return "any";
  // A weak or foreign tag never matches (RFC 9110, 13.1.1): the list stays empty.
  const versions = header.split(",").flatMap((tag) => /^\s*"v(\d{1,15})"\s*$/.exec(tag)?.[1] ?? []);
  if (versions.length === 0 && !header.includes('"')) {
    throw new ProblemError("version_mismatch", { detail: 'Send the version as a quoted tag: `If-Match: "v3"`.' });
  }
  return versions.map(Number);
}

/** Conditions on the current record. */
export interface Preconditions {
  /** Acceptable versions of the record; `any` requires that it exists. */
  readonly ifMatch?: readonly number[] | "any" | undefined;
  /** The tag as sent, for records without versions. */
  readonly tag?: string | undefined;
  /** The record must not exist. */
  readonly ifAbsent?: boolean;
}

/** Throws `version_mismatch` or `already_exists` if the record doesn't meet the conditions. */
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
    detail:
      record === undefined
        ? "There is no record yet."
        : `It was changed: the record has version ${record.version} now. Read it again before you change it.`,
    members: record === undefined ? {} : { version: record.version },
  });
}

// Targets that a URL parser would leave unchanged: no segment starts with `.`.
const PLAIN_TARGET = /^(?:\/(?!\.)[\w.~-]*)+(?:\?[!"$-~]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** Reads a request from its socket; `undefined` if its target or host needs a URL parser. */
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
 * Throws `forbidden_origin` if a page of another origin sent the request. A page without a referrer (`no-referrer`)
 * sends the origin `null`; then the browser's `Sec-Fetch-Site` decides.
 */
export function checkSameOrigin(request: Request, { pagesUrl }: Pick<Addresses, "pagesUrl">): void {
  const origin = request.headers.get("Origin");
  if (origin === null || isOwnOrigin(origin, { pagesUrl, url: request.url })) return;
  if (origin === "null" && request.headers.get("Sec-Fetch-Site") === "same-origin") return;
  throw new ProblemError("forbidden_origin", { detail: "A form can only be submitted from its own page." });
}

// A proxy that terminates TLS preserves the host but not the scheme.
function isOwnOrigin(origin: string, { pagesUrl, url }: { readonly pagesUrl: string; readonly url: string }): boolean {
  return origin === new URL(pagesUrl).origin || URL.parse(origin)?.host === new URL(url).host;
}

/** Reads a form body. Throws `malformed_body` with `detail` if it is unreadable. */
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

/** Whether the client is a script that expects JSON instead of a page. */
export function acceptsJson(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

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

/** `toPlainProblem` as a `Response`. */
export function toProblemResponse(problem: ProblemError, requestId: string): Response {
  return toResponse(toPlainProblem(problem, requestId));
}

/** Formats a problem as in RFC 9457. */
export function toPlainProblem(problem: ProblemError, requestId: string): PlainResponse {
  const { detail, errors, members, headers } = problem.details;
  const { status, title } = PROBLEMS[problem.code];
  const body = {
    type: `urn:imprint:problem:${problem.code}`,
    title,
    status,
    detail,
    code: problem.code,
    requestId,
    errors,
    ...members,
  };
  return {
    status,
    headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

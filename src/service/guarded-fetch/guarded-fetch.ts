import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { messageOf, systemCodeOf } from "../../base/error.ts";
import { isPublicAddress, type Networks } from "./networks.ts";

/** Why a request failed: it isn't allowed (`refused`), or it wasn't possible. */
export type FetchErrorKind = "refused" | "too-large" | "timeout" | "failed";

/** A failed request to another host. The message is one sentence that users may see. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly kind: FetchErrorKind;

  constructor(kind: FetchErrorKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
  }
}

interface SizeLimit {
  readonly maxBytes: number;
  /** What to do with a larger body: throw, or return its beginning. */
  readonly whenLarger: "refuse" | "cut";
}

export interface FetchRequest extends SizeLimit {
  /** @default "GET" */
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total time for DNS, connection, redirects and body. */
  readonly timeoutMs: number;
  /** 0 returns redirects as responses. */
  readonly maxRedirects: number;
  readonly signal?: AbortSignal;
}

export interface Fetched {
  readonly status: number;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The final URL, after redirects. */
  readonly url: string;
}

/** Requests to URLs from untrusted sources. */
export interface GuardedFetch {
  /** Sends a request, checking each redirect. Throws only `FetchError`. */
  fetch(url: string, request: FetchRequest): Promise<Fetched>;
  /** Throws `FetchError` for a URL that is never allowed. */
  checkUrl(url: string): URL;
  /** Aborts running requests and closes the connections. */
  close(): Promise<void>;
}

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardedFetchOptions {
  /** Networks that are allowed in addition to public addresses. */
  readonly networks: Networks;
  /** Hosts of the service itself, which are reachable only within allowed networks. */
  readonly ownHosts: readonly string[];
  /** @default the system's resolver */
  readonly resolve?: Resolve;
}

const CONNECT_TIMEOUT_MS = 10_000;
const USER_AGENT = "astro-imprint";

/**
 * Creates the service's only client for outgoing requests. It checks the same DNS result that it connects to, so that a
 * name can't be public for the check and private for the connection.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const guard = createGuard(options);
  let agent: Promise<Agent> | undefined;

  async function send(url: URL, request: FetchRequest): Promise<Dispatcher.ResponseData> {
    agent ??= openAgent(guard);
    const opened = await agent;
    return await opened.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method ?? "GET",
      headers: { "user-agent": USER_AGENT, "accept-encoding": "identity", ...request.headers },
      body: request.body ?? null,
      signal: request.signal,
    });
  }

  async function follow(start: string, request: FetchRequest): Promise<Fetched> {
    let url = guard.checkUrl(start);
    for (let hop = 0; ; hop++) {
      const answer = await send(url, request);
      const target = request.maxRedirects === 0 ? undefined : redirectOf(answer);
      if (target === undefined) return await receive(answer, url, request);
      discard(answer.body);
      if (hop >= request.maxRedirects) throw new FetchError("failed", "The URL redirects too often.");
      url = guard.checkUrl(resolveRedirect(target, url));
    }
  }

  return {
    checkUrl: (url) => guard.checkUrl(url),
    async fetch(url, request) {
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
      try {
        return await follow(url, { ...request, signal });
      } catch (error) {
        throw asFetchError(error, timeout, request.timeoutMs);
      }
    },
    async close() {
      await (await agent)?.destroy();
    },
  };
}

// undici takes a while to load, so it's loaded on the first request only.
async function openAgent(guard: Guard): Promise<Agent> {
  const { Agent } = await import("undici");
  const lookup: LookupFunction = (hostname, options, callback) => {
    void completeLookup(guard.resolve(hostname), options, callback);
  };
  return new Agent({ allowH2: false, connect: { lookup, timeout: CONNECT_TIMEOUT_MS } });
}

async function completeLookup(
  looking: ReturnType<Guard["resolve"]>,
  { all }: Parameters<LookupFunction>[1],
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  const found = await looking.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (found instanceof Error) return callback(found, "");
  const [first] = found;
  if (all === true || first === undefined) callback(null, [...found]);
  else callback(null, first.address, first.family);
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const { location } = headers;
  return typeof location === "string" ? location : undefined;
}

function resolveRedirect(target: string, base: URL): string {
  const url = URL.parse(target, base.href);
  if (url === null) throw new FetchError("failed", "The URL redirects to an invalid URL.");
  return url.href;
}

async function receive(answer: Dispatcher.ResponseData, url: URL, request: SizeLimit): Promise<Fetched> {
  const headers = flatHeaders(answer.headers);
  const encoding = headers["content-encoding"];
  // A small compressed response may be huge when decompressed; servers that ignore `identity` aren't read.
  if (request.whenLarger === "refuse" && encoding !== undefined && encoding.toLowerCase() !== "identity") {
    discard(answer.body);
    throw new FetchError("failed", `The response is compressed (${encoding}), which was not requested.`);
  }
  const bytes = await readLimited(answer.body, request, Number(headers["content-length"]));
  return { status: answer.statusCode, headers, bytes, url: url.href };
}

function flatHeaders(headers: Dispatcher.ResponseData["headers"]): Fetched["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
}

function asFetchError(error: unknown, timeout: AbortSignal, timeoutMs: number): FetchError {
  const own = findFetchError(error);
  if (own !== undefined) return own;
  if (timeout.aborted) {
    return new FetchError("timeout", `The response took longer than ${timeoutMs / 1000} seconds.`, { cause: error });
  }
  const reason = systemCodeOf(error) ?? messageOf(error);
  return new FetchError("failed", `The URL could not be reached (${reason}).`, { cause: error });
}

// undici wraps the guard's error as the cause of its own.
function findFetchError(thrown: unknown): FetchError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof FetchError) return error;
  }
  return undefined;
}

/** Reads a body up to its limit, and never holds more in memory. */
async function readLimited(
  body: Readable,
  { maxBytes, whenLarger }: SizeLimit,
  declaredBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const isRefused = whenLarger === "refuse";
  if (isRefused && declaredBytes > maxBytes) {
    discard(body);
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop destroys the stream and its connection.
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("The body is not a byte stream.");
    size += chunk.byteLength;
    if (isRefused && size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    if (size >= maxBytes && !isRefused) break;
  }
  return new Uint8Array(Buffer.concat(chunks)).slice(0, maxBytes);
}

function discard(body: Readable): void {
  // Destroying it emits an error, which would end the process without a listener.
  body.once("error", () => {});
  body.destroy();
}

function tooLarge(maxBytes: number): FetchError {
  return new FetchError("too-large", `The response is larger than ${maxBytes} bytes.`);
}

/** Decides which addresses the service may connect to. */
type Guard = ReturnType<typeof createGuard>;

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true });

function createGuard({ networks, ownHosts, resolve = resolveBySystem }: GuardedFetchOptions) {
  function isAllowed(address: string, hostname: string): boolean {
    return networks.has(address) || (isPublicAddress(address) && !ownHosts.includes(hostname));
  }

  return {
    /**
     * Checks a URL without resolving its host. Throws a `refused` `FetchError` for other schemes, for credentials, and
     * for non-public IP addresses in any notation.
     */
    checkUrl(text: string): URL {
      const url = URL.parse(text);
      if (url === null) throw new FetchError("refused", "The URL is invalid.");
      if (url.protocol !== "http:" && url.protocol !== "https:") {
        throw new FetchError("refused", "Only http and https URLs are supported.");
      }
      if (url.username !== "" || url.password !== "") {
        throw new FetchError("refused", "URLs with a user name or password are not supported.");
      }
      // The parser normalizes every notation of an IPv4 address (decimal, octal, hexadecimal, short).
      const hostname = bareHost(url.hostname);
      if (isIP(hostname) !== 0 && !isAllowed(hostname, hostname)) throw notPublic(url.hostname);
      return url;
    },
    /**
     * Resolves a host for a connection to one of these addresses. Throws `FetchError` if any of them isn't allowed,
     * since we can't know which one is used.
     */
    async resolve(hostname: string): Promise<readonly LookupAddress[]> {
      const name = bareHost(hostname);
      const addresses = await resolve(name);
      if (addresses.length === 0) throw new FetchError("failed", `${name} has no address.`);
      if (!addresses.every(({ address }) => isAllowed(address, name))) throw notPublic(name);
      return addresses;
    },
  };
}

/** Removes IPv6 brackets and the trailing dot of an absolute name. */
function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

function notPublic(hostname: string): FetchError {
  return new FetchError("refused", `${hostname} is not a public address.`);
}

import { hasValidChecksum, startsLikeApiKey } from "../contract/api-key.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { RouteSetName } from "../contract/route.ts";
import { ImprintError } from "../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../base/log.ts";
import { isLoopback } from "./transport/proxies.ts";

/** One attempt at one request, reported when it has ended. Never contains the key. */
export interface RequestEvent {
  /** Name of the operation: `pages.put`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query below the base address: `/api/pages?limit=100`. */
  readonly path: string;
  /** HTTP status; `undefined` if there was no response. */
  readonly status: number | undefined;
  /**
   * `undefined` if the attempt succeeded. Otherwise why there was no response (`ECONNREFUSED`,
   * `UND_ERR_HEADERS_TIMEOUT`), or the error code for the response (`SERVICE_FAILED`).
   */
  readonly failure: string | undefined;
  /** From sending the request to having read the response, in milliseconds. */
  readonly ms: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Size of the request body. */
  readonly bytesSent: number;
  /** Size of the response body. */
  readonly bytesReceived: number;
  /** The delay requested with `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** How a client reaches the service. */
export interface ConnectionOptions {
  /**
   * Address of the service up to, but not including, `/api`: `http://localhost:4400`. Throws `OPTIONS_INVALID` if it
   * isn't an absolute http or https URL, or if it contains credentials, a query, or a fragment.
   */
  readonly baseUrl: string;
  /**
   * Key from the service's dashboard. An empty one throws `KEY_MISSING`; one with spaces, quotes, or control
   * characters, or a mistyped `imp_…` key, throws `KEY_MALFORMED`, both before any request.
   */
  readonly apiKey: string;
  /**
   * For a login instead of a key: returns the access token to send, renewed if it is about to expire. Called before
   * every request; its errors end the call. `apiKey` is then the initial token.
   *
   * @default () => apiKey
   */
  readonly accessToken?: () => Promise<string>;
  /**
   * Maximum silence of the service in milliseconds: while connecting (at most 10 s), before a response, and between its
   * parts. A large body gets 20 s more per MB. After a timeout, the request is repeated if that is safe; otherwise
   * `SERVICE_UNREACHABLE` is thrown.
   *
   * @default 30000
   */
  readonly timeoutMs?: number;
  /**
   * Maximum number of times that a request is sent. Only requests that are safe to repeat are sent more than once; 429
   * responses count toward `maxThrottledMs` instead.
   *
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * Maximum total time that one call waits for a service that responds with 429, and the longest `Retry-After` of a 503
   * that is honored, in milliseconds. Beyond it, the call throws `RATE_LIMITED` or `SERVICE_FAILED`.
   *
   * @default 60000
   */
  readonly maxThrottledMs?: number;
  /**
   * Maximum response size that is read, in bytes. A larger one throws `RESPONSE_UNREADABLE`.
   *
   * @default 33554432 (32 MiB)
   */
  readonly maxResponseBytes?: number;
  /**
   * Maximum number of open connections. Further requests wait.
   *
   * @default 128
   */
  readonly maxConnections?: number;
  /**
   * Initial number of concurrent requests. It grows up to `maxConnections` while the service is fast, and shrinks when
   * it isn't.
   *
   * @default 16
   */
  readonly initialConcurrency?: number;
  /**
   * Address under which the service shows published pages, before `/p/`, or a pattern with `{slug}` in its path
   * (`https://x.example/{slug}`). A page's HTML is read there if route set A doesn't show it. Default: reported by the
   * service.
   */
  readonly pagesUrl?: string;
  /** Known dialect of the service. What is missing is learned from rejected requests. Default: nothing is known. */
  readonly dialect?: Dialect;
  /** Aborts every request of the client; calls then throw `ABORTED`. */
  readonly signal?: AbortSignal;
  /**
   * Stops the client gracefully: requests in flight are finished, and nothing else is sent or waited for; calls then
   * throw `ABORTED`.
   */
  readonly stop?: AbortSignal;
  /**
   * Sent as `User-Agent`.
   *
   * @default "astro-imprint"
   */
  readonly userAgent?: string;
  /** Logs retries (debug) and what the service doesn't accept (warn). Never receives the key. */
  readonly logger?: Logger;
  /** Called after every attempt: for progress, concurrency control, or tests. Must not throw. */
  readonly onRequest?: (event: RequestEvent) => void;
  /**
   * Returns the time in milliseconds since 1970, for a `Retry-After` that is a date.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Returns a number from 0 (inclusive) to 1 (exclusive), to add jitter to retries.
   *
   * @default Math.random
   */
  readonly random?: () => number;
  /**
   * Waits; rejects when the signal is aborted.
   *
   * @default setTimeout of node:timers/promises
   */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface ClientOptions extends ConnectionOptions {
  /** The route set of the service. `connect` and `detectRouteSet` detect it. */
  readonly routeSet: RouteSetName;
}

export interface ConnectOptions extends ConnectionOptions {
  /**
   * The route set of the service; `auto` detects it with one to three requests.
   *
   * @default "auto"
   */
  readonly routeSet?: RouteSetName | "auto";
  /**
   * The route set that the service had before. If it reports no account, `auto` then takes the time of one request
   * instead of two.
   */
  readonly likelyRouteSet?: RouteSetName | undefined;
}

const DEFAULTS = {
  timeoutMs: 30_000,
  maxAttempts: 5,
  maxThrottledMs: 60_000,
  maxResponseBytes: 32 * 1024 * 1024,
  maxConnections: 128,
  initialConcurrency: 16,
} satisfies Partial<Record<keyof ConnectionOptions, number>>;

type Defaulted = keyof typeof DEFAULTS;

/** Validated connection options with all defaults filled in. `baseUrl` has no trailing slash. */
export type Settings = ConnectionOptions &
  Required<Pick<ConnectionOptions, Defaulted | "userAgent" | "logger" | "now" | "random">>;

/** Validates the caller's options before anything is sent. */
export function parseConnectionOptions(options: ConnectionOptions): Settings {
  const { apiKey, userAgent = "astro-imprint", logger = SILENT_LOGGER, now = Date.now, random = Math.random } = options;
  checkApiKey(apiKey);
  const numbers = numbersOf(options);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const settings = { ...options, ...numbers, baseUrl, userAgent, logger, now, random };
  if (isReadableOnTheWay(baseUrl)) {
    logger.warn(`The key is sent without encryption to ${baseUrl}. Use https if the service offers it.`);
  }
  return settings;
}

function checkApiKey(key: unknown): void {
  // A key from the environment may be missing, which the compiler can't check.
  if (typeof key !== "string" || key === "") throw new ImprintError("KEY_MISSING", "No API key was given.");
  const odd = /[^\x21-\x7e]|["'`]/.exec(key);
  if (odd !== null) {
    const hint = key.startsWith("Bearer ") ? { hint: "Remove `Bearer` from the start of the key." } : {};
    throw new ImprintError("KEY_MALFORMED", `The API key has ${describe(odd[0])} at character ${odd.index + 1}.`, hint);
  }
  if (startsLikeApiKey(key) && !hasValidChecksum(key)) {
    throw new ImprintError("KEY_MALFORMED", "The API key starts with imp_, but its checksum is wrong.");
  }
}

function describe(character: string): string {
  if (character === " ") return "a space";
  if (/["'`]/.test(character)) return "a quotation mark";
  return /[\r\n]/.test(character) ? "a line break" : "a character that keys never contain";
}

function numbersOf(options: ConnectionOptions): Record<Defaulted, number> {
  const numbers = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(options).filter(([name, value]) => name in DEFAULTS && value !== undefined)),
  };
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`${name}\` must be a whole number of at least 1, but is ${value}.`);
  }
  return numbers;
}

/**
 * Returns the address of a service without trailing slashes. Throws `OPTIONS_INVALID` if it is invalid or contains a
 * password.
 */
export function parseBaseUrl(given: unknown): string {
  const text = String(given);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // Not shown, since a misplaced value may be the key.
    throw new ImprintError("OPTIONS_INVALID", "The address of the service must start with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ImprintError("OPTIONS_INVALID", `The address of the service on ${url.host} must not contain a password.`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ImprintError(
      "OPTIONS_INVALID",
      `The address ${url.origin}${url.pathname} must not be followed by ? or #.`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

import { hasValidChecksum, startsLikeApiKey } from "../contract/api-key.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { RouteSetName } from "../contract/route.ts";
import { ImprintError } from "../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../base/log.ts";
import { isLoopback } from "./transport/proxies.ts";

/** One attempt at one request, reported when it has ended. Never holds the key. */
export interface RequestEvent {
  /** Name of the operation: `pages.put`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query below the base address: `/api/pages?limit=100`. */
  readonly path: string;
  /** HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined;
  /**
   * `undefined` when the attempt succeeded. Else why no answer came (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`), or the
   * code of the error that the answer means (`SERVICE_FAILED`).
   */
  readonly failure: string | undefined;
  /** From handing the request over to having read its answer, in milliseconds. */
  readonly ms: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Size of the request's body. */
  readonly bytesSent: number;
  /** Size of the answer's body. */
  readonly bytesReceived: number;
  /** What the service asked for by `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** How a client reaches the service. */
export interface ConnectionOptions {
  /**
   * Address of the service up to, and without, `/api`: `http://localhost:4400`. One that is not an absolute http or
   * https address, or that holds credentials, a query or a fragment, throws `OPTIONS_INVALID`.
   */
  readonly baseUrl: string;
  /**
   * Key from the service's dashboard. An empty one throws `KEY_MISSING`; one with spaces, quotes or control
   * characters, or a mistyped `imp_…` key, throws `KEY_MALFORMED`, both before any request.
   */
  readonly apiKey: string;
  /**
   * For a login in place of a key: gives the access token to send, got anew where the last one is about to end. Asked
   * before every request; what it throws ends the call. `apiKey` is then a token to begin with.
   *
   * @default () => apiKey
   */
  readonly accessToken?: () => Promise<string>;
  /**
   * Longest silence of the service in milliseconds: while connecting (at most 10 s), before an answer and between its
   * parts. A large body gets 20 s more per MB. What takes longer is repeated where that is safe, else
   * `SERVICE_UNREACHABLE`.
   *
   * @default 30000
   */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent at most. Only requests that are safe to repeat are sent more than once; answers 429
   * are counted by `maxThrottledMs` instead.
   *
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * How long one call waits in all for a service that answers 429, and the longest `Retry-After` of a 503 that is
   * waited for, in milliseconds. Beyond it the call throws `RATE_LIMITED` or `SERVICE_FAILED`.
   *
   * @default 60000
   */
  readonly maxThrottledMs?: number;
  /**
   * Largest answer that is read, in bytes. A larger one throws `RESPONSE_UNREADABLE`.
   *
   * @default 33554432 (32 MiB)
   */
  readonly maxResponseBytes?: number;
  /**
   * Most connections that are open at a time. Further requests wait.
   *
   * @default 128
   */
  readonly maxConnections?: number;
  /**
   * How many requests are on the way at first. It grows while the service is quick, up to `maxConnections`, and shrinks
   * when it is not.
   *
   * @default 16
   */
  readonly initialConcurrency?: number;
  /**
   * Address under which the service shows published pages, before `/p/`, or a pattern with `{slug}` in its path
   * (`https://x.example/{slug}`). Where route set A does not show a page's HTML it is read there. Default: what the
   * service reports.
   */
  readonly pagesUrl?: string;
  /**
   * How the service wants to be written to, as far as it is known from before. What is absent is learned from
   * refusals. Default: nothing is known.
   */
  readonly dialect?: Dialect;
  /** Ends every request of the client; calls then throw `ABORTED`. */
  readonly signal?: AbortSignal;
  /**
   * Stops the client gently: what is on the way is finished, and nothing else is sent or waited for; calls then throw
   * `ABORTED`.
   */
  readonly stop?: AbortSignal;
  /**
   * Sent as `User-Agent`.
   *
   * @default "astro-imprint"
   */
  readonly userAgent?: string;
  /** Notified of repeated requests (debug) and of what the service does not take (warn). Never sees the key. */
  readonly logger?: Logger;
  /** Called after every attempt: for progress, for adapting concurrency, for tests. Must not throw. */
  readonly onRequest?: (event: RequestEvent) => void;
  /**
   * The time in milliseconds since 1970, to read a `Retry-After` that is a date.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * A number from 0 up to 1, to spread repeated requests.
   *
   * @default Math.random
   */
  readonly random?: () => number;
  /**
   * Waits; rejects as soon as the signal is aborted.
   *
   * @default setTimeout of node:timers/promises
   */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface ClientOptions extends ConnectionOptions {
  /** The route set that the service speaks. `connect` and `detectRouteSet` find it out. */
  readonly routeSet: RouteSetName;
}

export interface ConnectOptions extends ConnectionOptions {
  /**
   * The route set that the service speaks; `auto` finds it out with one to three requests.
   *
   * @default "auto"
   */
  readonly routeSet?: RouteSetName | "auto";
  /**
   * The route set that the service spoke before. Where it reports no account, `auto` then takes the time of one request
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

/** Connection options that were checked, with every default filled in. `baseUrl` has no slash at its end. */
export type Settings = ConnectionOptions &
  Required<Pick<ConnectionOptions, Defaulted | "userAgent" | "logger" | "now" | "random">>;

/** Checks what the caller gave, before anything is sent. */
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
  // A key from the environment may be missing where no compiler looks.
  if (typeof key !== "string" || key === "") throw new ImprintError("KEY_MISSING", "No API key was given.");
  const odd = /[^\x21-\x7e]|["'`]/.exec(key);
  if (odd !== null) {
    const hint = key.startsWith("Bearer ") ? { hint: "Give the key alone, without `Bearer` before it." } : {};
    throw new ImprintError("KEY_MALFORMED", `The API key has ${describe(odd[0])} at character ${odd.index + 1}.`, hint);
  }
  if (startsLikeApiKey(key) && !hasValidChecksum(key)) {
    throw new ImprintError("KEY_MALFORMED", "The API key starts with imp_, but its checksum does not fit.");
  }
}

function describe(character: string): string {
  if (character === " ") return "a space";
  if (/["'`]/.test(character)) return "a quotation mark";
  return /[\r\n]/.test(character) ? "a line break" : "a character that keys do not have";
}

function numbersOf(options: ConnectionOptions): Record<Defaulted, number> {
  const numbers = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(options).filter(([name, value]) => name in DEFAULTS && value !== undefined)),
  };
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`${name}\` has to be a whole number of at least 1, but is ${value}.`);
  }
  return numbers;
}

/** The address of a service without slashes at its end; throws `OPTIONS_INVALID` for what can't be one or holds a password. */
export function parseBaseUrl(given: unknown): string {
  const text = String(given);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // Not shown: what stands in the wrong place may be the key.
    throw new ImprintError("OPTIONS_INVALID", "The address of the service has to start with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ImprintError("OPTIONS_INVALID", `The address of the service on ${url.host} must not hold a password.`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ImprintError(
      "OPTIONS_INVALID",
      `The address ${url.origin}${url.pathname} must not have ? or # after it.`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

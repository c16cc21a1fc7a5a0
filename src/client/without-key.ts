import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { readinessSchema, type Readiness } from "../contract/readiness.ts";
import type { ImprintApi } from "./api.ts";
import type { Settings } from "./options.ts";
import { publishedAddress } from "./published-address.ts";
import { findProxies } from "./transport/proxies.ts";
import { parseRetryAfter, planRetry } from "./transport/retry.ts";
import { pause } from "./transport/transport.ts";
import { parseJson } from "../base/json.ts";

// What is read without the key: the address is not necessarily on the service's own host.

interface Reading {
  readonly logger: Logger;
  readonly signal?: AbortSignal | undefined;
}

const ASKS_TO_COME_BACK: ReadonlySet<number> = new Set([429, 503]);

/** Reads addresses as a reader does, again where that is asked for. A client waits for it no longer than for one call. */
export function createVisit(settings: Settings): ImprintApi["visit"] {
  let throttledMs = 0;

  function planReturn(status: number, { headers, tries }: { readonly headers: Headers; readonly tries: number }) {
    if (!ASKS_TO_COME_BACK.has(status) || settings.stop?.aborted === true) return undefined;
    const timing = { date: headers.get("date") ?? undefined, now: settings.now() };
    const retryAfterMs = parseRetryAfter(headers.get("retry-after") ?? undefined, timing);
    const facts = {
      message: "",
      stage: "answered",
      status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    } as const;
    return planRetry(facts, { ...settings, policy: "always", attempts: tries, throttles: tries, throttledMs });
  }

  return async (address, { signal } = {}) => {
    for (let tries = 1; ; tries++) {
      const request = { headers: { accept: "*/*" }, redirect: "follow" } as const;
      const response = await read(address, request, { logger: settings.logger, signal });
      if (response === undefined) return undefined;
      const { status, headers, bytes } = response;
      const delay = planReturn(status, { headers, tries });
      if (delay === undefined) return { status, contentType: headers.get("content-type") ?? undefined, bytes };
      throttledMs += delay;
      await pause(delay, { settings, signal });
    }
  };
}

/**
 * The HTML that readers get of a page; `undefined` when it can't be read. Where the host leads on to another address than
 * the same one with or without a slash at its end, that is another page: one to sign in on, for example.
 */
export async function readPublicPage(
  slug: string,
  { pagesAt, ...reading }: Reading & { readonly pagesAt: string },
): Promise<string | undefined> {
  const address = publishedAddress(pagesAt, slug);
  const response = await read(address, { headers: { accept: "text/html" }, redirect: "follow" }, reading);
  if (response === undefined || response.status < 200 || response.status >= 300) return undefined;
  return placeOf(response.url) === placeOf(address) ? new TextDecoder().decode(response.bytes) : undefined;
}

function placeOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/$/, "")}`;
}

/**
 * How far the service's clock is ahead of this machine's, in milliseconds and right to about a second; `undefined`
 * where the service does not report its time.
 */
export async function readClockSkew(
  baseUrl: string,
  { now = Date.now, ...reading }: Reading & { readonly now?: () => number },
): Promise<number | undefined> {
  const before = now();
  const response = await read(`${baseUrl}/api/pages?limit=1`, { headers: {}, redirect: "manual" }, reading);
  const serviceTime = Date.parse(response?.headers.get("date") ?? "");
  // The header names whole seconds: on average it is half a second behind.
  return Number.isNaN(serviceTime) ? undefined : Math.round(serviceTime + 500 - (before + now()) / 2);
}

/** What the service reports of its health. Other services than ours don't say. */
export async function readReadiness(baseUrl: string, reading: Reading): Promise<Readiness | undefined> {
  const response = await read(new URL("/readyz", baseUrl).href, { headers: {}, redirect: "error" }, reading);
  if (response === undefined) return undefined;
  return readinessSchema.safeParse(parseJson(new TextDecoder().decode(response.bytes))).data;
}

const TIMEOUT_MS = 15_000;

async function read(
  address: string,
  request: Omit<PlainRequest, "signal">,
  { logger, signal }: Reading,
): Promise<PlainResponse | undefined> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await sendPlainly(address, {
      ...request,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    logger.debug(`${address} can't be read: ${messageOf(error)}`);
    return undefined;
  }
}

interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Where redirects led to. */
  readonly url: string;
  readonly bytes: Uint8Array;
}

export interface PlainRequest {
  /** @default "GET" */
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: "follow" | "error" | "manual";
  readonly signal: AbortSignal | undefined;
}

/** Sends a request without the key, through the proxy that the environment names for it. Throws what `fetch` throws. */
export async function sendPlainly(address: string, request: PlainRequest): Promise<PlainResponse> {
  const { method = "GET", headers, body = null, redirect, signal = null } = request;
  const proxies = findProxies(address, process.env);
  const init = { method, headers, body, redirect, signal };
  if (proxies === undefined) return readResponse(await fetch(address, init));
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent(proxies);
  try {
    return await readResponse(await fetchThrough(address, { ...init, dispatcher }));
  } finally {
    await dispatcher.destroy();
  }
}

async function readResponse(response: {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}): Promise<PlainResponse> {
  const { status, headers, url } = response;
  return { status, headers: new Headers([...headers]), url, bytes: new Uint8Array(await response.arrayBuffer()) };
}

import { randomUUID } from "node:crypto";
import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { readinessSchema, type Readiness } from "../contract/readiness.ts";
import type { ImprintApi, Visit } from "./api.ts";
import type { Settings } from "./options.ts";
import { publishedAddress } from "./published-address.ts";
import { isSamePlace } from "./read-visit.ts";
import {
  isDownload,
  lengthOf,
  MEASURING,
  refererOf,
  sendPlainly,
  type PlainHead,
  type PlainRequest,
  type PlainResponse,
} from "./transport/plain.ts";
import { parseRetryAfter, planRetry } from "./transport/retry.ts";
import { isSignInPage } from "./transport/sign-in-page.ts";
import { pause } from "./transport/transport.ts";
import { parseJson } from "../base/json.ts";

// Requests without the key, since the address may not be on the service's own host.

interface Reading {
  readonly logger: Logger;
  readonly signal?: AbortSignal | undefined;
}

const ASKS_TO_COME_BACK: ReadonlySet<number> = new Set([429, 503]);

/**
 * Reads addresses as a reader does, and retries if the server requests it. A client's total wait is no longer than for
 * one call.
 */
export function createVisit(settings: Settings): ImprintApi["visit"] {
  let throttledMs = 0;

  function planReturn(
    status: number,
    { headers, tries }: { readonly headers: PlainHead["headers"]; readonly tries: number },
  ) {
    if (!ASKS_TO_COME_BACK.has(status) || settings.stop?.aborted === true) return undefined;
    const timing = { date: headers.get("date"), now: settings.now() };
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), timing);
    const facts = {
      message: "",
      stage: "answered",
      status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    } as const;
    return planRetry(facts, { ...settings, policy: "always", attempts: tries, throttles: tries, throttledMs });
  }

  return async (asked, { signal, fresh = false, from, reads = "body" } = {}) => {
    const address = fresh ? withUnusedQuery(asked) : asked;
    const measuring = reads === "length" ? MEASURING : undefined;
    const headers = {
      ...{ accept: "*/*", ...refererOf(from), ...measuring?.headers },
      ...(fresh && { "cache-control": "no-cache" }),
    };
    for (let tries = 1; ; tries++) {
      const request = { ...measuring, headers, redirect: "follow" } as const;
      const response = await read(address, request, { logger: settings.logger, signal });
      if (response === undefined) return undefined;
      const delay = planReturn(response.status, { headers: response.headers, tries });
      if (delay === undefined) {
        const visit = visitOf(response);
        return reads === "length" ? { ...visit, length: lengthOf(response) } : visit;
      }
      throttledMs += delay;
      await pause(delay, { settings, signal });
    }
  };
}

/** Reads what a reader gets from a response. */
export function visitOf({ status, url, headers, bytes }: PlainResponse): Visit {
  return {
    ...{ status, url, bytes, length: bytes.length },
    contentType: headers.get("content-type"),
    cacheAge: cacheAgeOf(headers),
    policy: policyOf(headers),
    robots: headers.get("x-robots-tag"),
    refresh: headers.get("refresh"),
    isDownload: isDownload(headers),
  };
}

// `Age` has whole seconds. The other fields are those of RFC 9211, and what common caches send instead.
const HIT_FIELDS = ["cache-status", "x-cache", "x-cache-status", "cf-cache-status", "x-proxy-cache"];

function cacheAgeOf(headers: PlainHead["headers"]): number | undefined {
  const age = Number(headers.get("age"));
  if (age > 0) return age;
  return HIT_FIELDS.some((field) => /\bhit\b/i.test(headers.get(field) ?? "")) ? 0 : undefined;
}

// Many caches store a response for each query.
function withUnusedQuery(address: string): string {
  const url = new URL(address);
  url.searchParams.set("imprint", randomUUID());
  return url.href;
}

/**
 * Returns the HTML of a page as readers get it, or `undefined` if it can't be read. If the host redirects to an address
 * that differs in more than a trailing slash, that is another page, such as a sign-in page.
 */
export async function readPublicPage(
  slug: string,
  { pagesAt, ...reading }: Reading & { readonly pagesAt: string },
): Promise<string | undefined> {
  const address = publishedAddress(pagesAt, slug);
  const response = await read(address, { headers: { accept: "text/html" }, redirect: "follow" }, reading);
  if (response === undefined || response.status < 200 || response.status >= 300) return undefined;
  const html = new TextDecoder().decode(response.bytes);
  // A form to sign in is shown in place of the page, unless the page is such a form itself.
  const isPage = isSamePlace(response.url, address) && (!isSignInPage(html) || OWN_MARKER.test(html));
  return isPage ? html : undefined;
}

const OWN_MARKER = /<meta[^>]*\sname=["']?imprint["'\s]/i;

/** Returns the health reported by the service. Only our own service reports it. */
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

// Browsers ignore `X-Frame-Options` beside `frame-ancestors`, and an unknown value.
function policyOf(headers: ReadonlyMap<string, string>): string | undefined {
  const policy = headers.get("content-security-policy");
  const framing = FRAMING[headers.get("x-frame-options")?.trim().toLowerCase() ?? ""];
  if (framing === undefined || /frame-ancestors/i.test(policy ?? "")) return policy;
  return policy === undefined ? framing : `${policy}, ${framing}`;
}

const FRAMING: Readonly<Record<string, string>> = {
  deny: "frame-ancestors 'none'",
  sameorigin: "frame-ancestors 'self'",
};

import { pluralize } from "../../base/pluralize.ts";
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { RateLimit } from "../host/options.ts";
import { ProblemError } from "./problem.ts";
import type { RateWindow } from "../store/requests.ts";

/** Counts requests in this process's memory, or across processes in a database. */
export interface SharedLimiter {
  /** Like `RateLimiter.count`. */
  count(who: Caller, now: Date): Promise<Readonly<Record<string, string>>>;
}

/** Counts requests in this process's memory. */
export interface RateLimiter {
  /** Counts a request of a key or IP address. Returns the rate limit headers, or throws `rate_limited`. */
  count(who: Caller, now: Date): Readonly<Record<string, string>>;
}

/** Whom a request is counted for. */
export type Caller = { readonly kind: "key"; readonly id: string } | { readonly kind: "address"; readonly id: string };

/** Counts in fixed windows per key and address; an IPv6 /64 network counts as one address. */
export function createRateLimiter(limit: Required<RateLimit>): RateLimiter {
  const windowMs = limit.windowSeconds * 1000;
  let windows = new Map<string, RateWindow>();
  let sweepsFrom = 0;

  // A window that ends later than a new one comes from a wrong clock.
  function isOpen({ endsAt }: RateWindow, now: number): boolean {
    return endsAt > now && endsAt <= now + windowMs;
  }

  function count(name: string, now: number): RateWindow {
    const known = windows.get(name);
    const open = known !== undefined && isOpen(known, now) ? known : { requests: 0, endsAt: now + windowMs };
    // Sweeps once per window: a client with very many addresses must not make each of its requests expensive.
    if (windows.size > 10_000 && (now >= sweepsFrom || sweepsFrom > now + windowMs)) {
      windows = new Map([...windows].filter(([, window]) => isOpen(window, now)));
      sweepsFrom = now + windowMs;
    }
    const counted = { requests: open.requests + 1, endsAt: open.endsAt };
    windows.set(name, counted);
    return counted;
  }

  return {
    count(who, now) {
      return evaluateWindow(count(nameOf(who), now.getTime()), { who, limit, now });
    },
  };
}

/** Returns the counter name of a caller: a single IPv6 machine can choose from 2^64 addresses. */
export function nameOf({ kind, id }: Caller): string {
  if (kind === "key" || !isIPv6(id)) return `${kind}:${id}`;
  const address = ipaddr.process(id.replace(/%.*$/, ""));
  return `${kind}:${address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(":") : address.toString()}`;
}

export interface Judged {
  readonly who: Caller;
  readonly limit: Required<RateLimit>;
  readonly now: Date;
}

/** Returns the rate limit headers of a window. Throws `rate_limited` if it is exceeded. */
export function evaluateWindow(
  { requests, endsAt }: RateWindow,
  { who, limit: { perKey, perAddress, windowSeconds }, now }: Judged,
): Readonly<Record<string, string>> {
  const quota = who.kind === "key" ? perKey : perAddress;
  const seconds = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
  const headers = {
    "RateLimit-Policy": `"default";q=${quota};w=${windowSeconds}`,
    RateLimit: `"default";r=${Math.max(0, quota - requests)};t=${seconds}`,
  };
  if (requests <= quota) return headers;
  throw new ProblemError("rate_limited", {
    detail: `The limit is ${pluralize(quota, "request")} in ${pluralize(windowSeconds, "second")}.`,
    headers: { ...headers, "Retry-After": String(seconds) },
  });
}

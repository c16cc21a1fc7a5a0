import type { RateLimit } from "./options.ts";
import { ProblemError } from "./resources/problem-error.ts";

export interface RateLimiter {
  /** Counts a request of a key or address; gives the headers that tell what is left, or throws `rate_limited`. */
  count(who: Caller, now: Date): Readonly<Record<string, string>>;
}

/** Who a request is counted for. */
export type Caller = { readonly kind: "key"; readonly id: string } | { readonly kind: "address"; readonly id: string };

interface Counter {
  readonly endsAt: number;
  count: number;
}

/** Counts in fixed windows, a window for each key and address. */
export function createRateLimiter({ perKey, perAddress, windowSeconds }: Required<RateLimit>): RateLimiter {
  let counters = new Map<string, Counter>();

  function counterOf(name: string, now: number): Counter {
    const known = counters.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    if (counters.size > 10_000) counters = new Map([...counters].filter(([, { endsAt }]) => endsAt > now));
    const counter = { endsAt: now + windowSeconds * 1000, count: 0 };
    counters.set(name, counter);
    return counter;
  }

  return {
    count({ kind, id }, now) {
      const counter = counterOf(`${kind}:${id}`, now.getTime());
      const quota = kind === "key" ? perKey : perAddress;
      counter.count++;
      const seconds = Math.max(1, Math.ceil((counter.endsAt - now.getTime()) / 1000));
      const headers = {
        "RateLimit-Policy": `"default";q=${quota};w=${windowSeconds}`,
        RateLimit: `"default";r=${Math.max(0, quota - counter.count)};t=${seconds}`,
      };
      if (counter.count <= quota) return headers;
      throw new ProblemError("rate_limited", {
        detail: `At most ${quota} requests in ${windowSeconds} seconds are answered.`,
        headers: { ...headers, "Retry-After": String(seconds) },
      });
    },
  };
}

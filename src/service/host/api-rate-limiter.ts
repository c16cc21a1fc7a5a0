import type { RateLimit } from "./options.ts";
import { createRateLimiter, evaluateWindow, type Caller } from "../http/rate-limiter.ts";
import { isPostgres } from "../store/database.ts";
import { countRequest } from "../store/requests.ts";
import type { Database } from "../store/tables.ts";

export interface ApiRateLimiter {
  /** Counts a request of a key or address. Returns the rate limit headers, or throws `rate_limited`. */
  count(who: Caller, now: Date): Promise<Readonly<Record<string, string>>>;
}

/**
 * Limits API requests. On PostgreSQL, where several processes may share the database, requests of a key are counted
 * across processes. Each process counts IP addresses for itself, since they aren't stored.
 */
export function createApiRateLimiter(limit: Required<RateLimit>, database: Database): ApiRateLimiter {
  const own = createRateLimiter(limit);
  const isShared = isPostgres(database);
  return {
    async count(who, now) {
      if (!isShared || who.kind === "address") return own.count(who, now);
      const window = { now: now.getTime(), windowMs: limit.windowSeconds * 1000 };
      return evaluateWindow(await countRequest(database, who.id, window), { who, limit, now });
    },
  };
}

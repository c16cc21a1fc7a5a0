import type { RateLimit } from "./options.ts";
import { createRateLimiter, judgeWindow, type Caller } from "../http/rate-limiter.ts";
import { isPostgres } from "../store/database.ts";
import { countRequest } from "../store/requests.ts";
import type { Database } from "../store/tables.ts";

export interface ApiRateLimiter {
  /** Counts a request of a key or address; returns the headers that report what is left, or throws `rate_limited`. */
  count(who: Caller, now: Date): Promise<Readonly<Record<string, string>>>;
}

/**
 * Limits the requests to the API. Where several processes may share the database, which is PostgreSQL, those of a key are
 * counted for all of them together. Addresses are counted by each process for itself, since those of people are stored
 * nowhere.
 */
export function createApiRateLimiter(limit: Required<RateLimit>, database: Database): ApiRateLimiter {
  const own = createRateLimiter(limit);
  const isShared = isPostgres(database);
  return {
    async count(who, now) {
      if (!isShared || who.kind === "address") return own.count(who, now);
      const window = { now: now.getTime(), windowMs: limit.windowSeconds * 1000 };
      return judgeWindow(await countRequest(database, who.id, window), { who, limit, now });
    },
  };
}

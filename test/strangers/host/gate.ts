import { setTimeout } from "node:timers/promises";
import type { Dialect } from "../dialect.ts";
import { renderError, type Answer } from "./wire.ts";
import type { PassingClock } from "../../passing-clock.ts";

const DAY_MS = 86_400_000;

/** Middleware of all routes: rate limit, latency, and stored responses by idempotency key. */
export interface Gate {
  /** Returns a refusal if there were too many requests within the last second. */
  limit(): Answer | undefined;
  wait(): Promise<void>;
  findStored(request: Request): Answer | undefined;
  store(request: Request, answer: Answer): void;
}

export function createGate(dialect: Dialect, clock: Pick<PassingClock, "now">): Gate {
  let recent: readonly number[] = [];
  const stored = new Map<string, { readonly answer: Answer; readonly until: number }>();
  return {
    limit() {
      if (dialect.rate === undefined) return undefined;
      const now = clock.now().getTime();
      recent = recent.filter((time) => time > now - 1000);
      if (recent.length < dialect.rate.perSecond) {
        recent = [...recent, now];
        return undefined;
      }
      const refused = renderError(dialect, 429, "Too many requests.");
      return dialect.rate.retryAfter === "sent"
        ? { ...refused, headers: { ...refused.headers, "retry-after": "1" } }
        : refused;
    },
    async wait() {
      if (dialect.latencyMs > 0) await setTimeout(dialect.latencyMs);
    },
    findStored(request) {
      const key = dialect.idempotency === "ignored" ? undefined : keyOf(request);
      const found = key === undefined ? undefined : stored.get(key);
      if (found === undefined || found.until < clock.now().getTime()) return undefined;
      if (dialect.idempotency === "replayed") return found.answer;
      return { ...found.answer, headers: { ...found.answer.headers, "idempotency-replayed": "true" } };
    },
    store(request, answer) {
      const key = keyOf(request);
      if (key !== undefined) stored.set(key, { answer, until: clock.now().getTime() + DAY_MS });
    },
  };
}

function keyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method === "GET") return undefined;
  return `${request.method} ${new URL(request.url).pathname} ${key}`;
}

import type { Verdict } from "../store/webhooks.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before each attempt after the previous one, as recommended by Standard Webhooks. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.1;
const LONGEST_WAIT_MS = 24 * HOUR_MS;

export interface AttemptResult {
  readonly attempts: number;
  /** `undefined` if there was no response. */
  readonly status: number | undefined;
  /** The response's `Retry-After` header. */
  readonly retryAfter: string | undefined;
}

/** Decides on a delivery after an attempt; `chance` between 0 and 1 spreads simultaneous retries by ± 10%. */
export function evaluateAttempt(
  { attempts, status, retryAfter }: AttemptResult,
  { now, chance }: { readonly now: Date; readonly chance: number },
): Verdict {
  if (status !== undefined && status >= 200 && status < 300) return { kind: "delivered" };
  const delayMs = ATTEMPT_DELAYS_MS[attempts];
  if (status === 410 || delayMs === undefined) return { kind: "failed" };
  const spreadMs = Math.round(delayMs * (1 - JITTER + 2 * JITTER * chance));
  const askedMs = Math.min(parseRetryAfter(retryAfter, now) ?? 0, LONGEST_WAIT_MS);
  return { kind: "again", at: new Date(now.getTime() + Math.max(spreadMs, askedMs)) };
}

/** Returns the delay in a `Retry-After` header, in seconds or as a date. */
function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

import { outcomeOfFacts, type RequestFacts } from "./outcome.ts";

/**
 * When a request may be resent: `always` because repeating it changes nothing more, `unsent` only if the service
 * certainly did nothing, or `never`.
 */
export type RepeatPolicy = "always" | "unsent" | "never";

export interface RetryState {
  readonly policy: RepeatPolicy;
  /** How often the request was sent, not counting 429 responses. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** How many 429 responses it got. */
  readonly throttles: number;
  /** How long the call has waited after 429 responses. */
  readonly throttledMs: number;
  readonly maxThrottledMs: number;
  readonly random: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const SHORTEST_THROTTLE_MS = 100;

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

// Errors that repeating can't fix: host name, certificate, protocol, response size.
const LASTING_CODES =
  /^(?:ENOTFOUND|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID)/;

/** Returns how long to wait before resending the request, in milliseconds, or `undefined` if it must not be resent. */
export function planRetry(facts: RequestFacts, state: RetryState): number | undefined {
  const outcome = outcomeOfFacts({ ...facts, mayBeDone: false });
  if (state.policy === "never" || (state.policy === "unsent" && !/^(?:not-sent|throttled)$/.test(outcome))) {
    return undefined;
  }
  return outcome === "throttled" ? throttleDelay(facts, state) : failureDelay(facts, state);
}

function throttleDelay({ retryAfterMs, isFixedLimit }: RequestFacts, state: RetryState): number | undefined {
  if (isFixedLimit === true && state.throttles >= state.maxAttempts) return undefined;
  const asked = retryAfterMs ?? backoff(state.throttles, state.random);
  const delay = Math.max(SHORTEST_THROTTLE_MS, spread(asked, { retryAfterMs, random: state.random }));
  return state.throttledMs + delay > state.maxThrottledMs ? undefined : delay;
}

function failureDelay(facts: RequestFacts, state: RetryState): number | undefined {
  if (state.attempts >= state.maxAttempts || !isPassing(facts)) return undefined;
  const { retryAfterMs } = facts;
  if (retryAfterMs !== undefined && retryAfterMs > state.maxThrottledMs) return undefined;
  return spread(retryAfterMs ?? backoff(state.attempts, state.random), { retryAfterMs, random: state.random });
}

function isPassing({ status, code, problemCode }: RequestFacts): boolean {
  if (code !== undefined) return !LASTING_CODES.test(code);
  return (status !== undefined && PASSING_STATUSES.has(status)) || problemCode === "idempotency_in_progress";
}

// Full jitter: clients that failed together don't return together.
function backoff(tries: number, random: () => number): number {
  return random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1));
}

// A delay requested by the service is never shortened; since it is the same for all waiting requests, jitter is added.
function spread(delay: number, { retryAfterMs, random }: { retryAfterMs: number | undefined; random: () => number }) {
  return retryAfterMs === undefined ? delay : delay + random() * FIRST_DELAY_MS;
}

/**
 * Parses `Retry-After`: seconds, or a date. A date is compared with the `Date` of the same response, if any, so that a
 * wrong clock on this machine doesn't matter.
 */
export function parseRetryAfter(
  value: string | undefined,
  { date, now }: { readonly date: string | undefined; readonly now: number },
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(date ?? "");
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt));
}

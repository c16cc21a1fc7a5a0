import { outcomeOfFacts, type RequestFacts } from "./outcome.ts";

/**
 * When a request may be sent again: `always` because a repeated one changes nothing more, `unsent` only while the
 * service surely did nothing, or `never`.
 */
export type RepeatPolicy = "always" | "unsent" | "never";

export interface RetryState {
  readonly policy: RepeatPolicy;
  /** How often the request was sent, answers 429 not counted. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** How often the service answered 429 to it. */
  readonly throttles: number;
  /** How long the call has waited after answers 429. */
  readonly throttledMs: number;
  readonly maxThrottledMs: number;
  readonly random: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const SHORTEST_THROTTLE_MS = 100;

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

// What stays the same however often it is tried: the host name, its certificate, its protocol, the size of an answer.
const LASTING_CODES =
  /^(?:ENOTFOUND|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID)/;

/** How long to wait before the request is sent again, in milliseconds; `undefined` when it must not be. */
export function planRetry(facts: RequestFacts, state: RetryState): number | undefined {
  const outcome = outcomeOfFacts({ ...facts, mayBeDone: false });
  if (state.policy === "never" || (state.policy === "unsent" && !/^(?:not-sent|throttled)$/.test(outcome))) {
    return undefined;
  }
  return outcome === "throttled" ? throttleDelay(facts, state) : failureDelay(facts, state);
}

function throttleDelay({ retryAfterMs }: RequestFacts, state: RetryState): number | undefined {
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

// Full jitter: clients that failed together do not come back together.
function backoff(tries: number, random: () => number): number {
  return random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1));
}

// A time that the service named is never cut short; it is the same for all that wait, so it is spread afterwards.
function spread(delay: number, { retryAfterMs, random }: { retryAfterMs: number | undefined; random: () => number }) {
  return retryAfterMs === undefined ? delay : delay + random() * FIRST_DELAY_MS;
}

/**
 * Reads `Retry-After`: seconds, or a date. A date is compared with the `Date` of the same answer where there is one,
 * so that a wrong clock on this machine does not matter.
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

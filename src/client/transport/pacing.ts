import type { GateOptions, GateResult } from "./gate.ts";
import { readQuota } from "./quota.ts";
import { isLimiting, LIMITING, type Limiting } from "./refusals.ts";

/** Delays requests that the service would reject anyway. */
export interface Pacing {
  /** How long the next request must wait, in milliseconds; `Infinity`: until one in flight has ended. */
  delay(running: number): number;
  sent(): void;
  /** The wait requested by `delay` is over, whatever the clock shows. */
  waited(until: number): void;
  answered(result: GateResult): void;
}

/** What a service reports about its window. */
interface Quota {
  /** The lowest remaining count in any response of this window. */
  readonly left: number;
  readonly endsAt: number;
}

// Many consecutive rejections may result from many concurrent requests, unless the service counts requests. Once its
// rate is known, the end of a window isn't worth a pause.
const SHUT_AFTER_REFUSALS = 32;
const COUNTED_AFTER_REFUSALS = 8;

/**
 * Two limits besides the number of concurrent requests. If the service announces its quota, nothing beyond it is sent.
 * If it only rejects, and a substantial share within a second, requests are spaced by the rate that it accepted in that
 * second, until the rejections stop.
 */
export function createPacing(now: () => number, { longestWaitMs }: Pick<GateOptions, "longestWaitMs">): Pacing {
  const rate = createRate(now);
  let quota: Quota | undefined;
  let pausedUntil = 0;
  let refusalsInARow = 0;
  let lastDoneAt = now();

  // Seconds are rounded up. From the first response of a window, its length shows more precisely when it ends.
  function recordQuota({ headers, ms }: GateResult): void {
    const reported = readQuota(headers);
    if (reported === undefined) return;
    const { left, resetMs, windowMs = resetMs } = reported;
    const at = now();
    if (quota !== undefined && at - ms < quota.endsAt) {
      quota = { ...quota, left: Math.min(quota.left, left) };
      return;
    }
    quota = { left, endsAt: at + Math.min(windowMs, resetMs) };
  }

  function recordRefusal(kind: "throttled" | "busy", retryAfterMs: number | undefined): void {
    refusalsInARow += 1;
    const isCounted = kind === "throttled" && !rate.isKnown;
    const fewest = isCounted ? COUNTED_AFTER_REFUSALS : SHUT_AFTER_REFUSALS;
    if (refusalsInARow < fewest || retryAfterMs === undefined) return;
    // A delay beyond the maximum wait is left to each request to handle.
    if (retryAfterMs > longestWaitMs || now() - lastDoneAt > longestWaitMs) return;
    pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
    // The pause of a counted second is part of its rate; that of a service outage isn't.
    if (kind === "busy") rate.skipUntil(pausedUntil);
  }

  return {
    delay(running) {
      const at = now();
      const spaced = Math.max(pausedUntil - at, rate.delay(running));
      if (quota === undefined || at >= quota.endsAt || quota.left > running) return spaced;
      if (quota.endsAt - at > longestWaitMs) return spaced;
      return running > 0 ? Number.POSITIVE_INFINITY : Math.max(spaced, quota.endsAt - at);
    },
    sent: () => rate.sent(),
    waited(until) {
      if (pausedUntil <= until) pausedUntil = 0;
      rate.waited();
      // A request that waited for the end of a window is in the next one, whatever this clock shows.
      if (quota !== undefined && quota.left <= 0) quota = undefined;
    },
    answered(result) {
      recordQuota(result);
      const { kind } = result;
      if (kind === "failed") return;
      if (kind === "done") {
        refusalsInARow = 0;
        lastDoneAt = now();
      } else recordRefusal(kind, result.retryAfterMs);
      if (quota === undefined) rate.note(kind);
    },
  };
}

/** If a service rejects a substantial share of requests, spaces them by the rate that it accepted. */
interface Rate {
  readonly isKnown: boolean;
  /** How long the next request must wait, in milliseconds; `Infinity`: until one in flight has ended. */
  delay(running: number): number;
  sent(): void;
  /** The wait requested by `delay` is over, whatever the clock shows. */
  waited(): void;
  note(kind: "done" | "throttled" | "busy"): void;
  /** Nothing can be accepted until then, which doesn't affect the rate. */
  skipUntil(at: number): void;
}

const WINDOW_MS = 1000;
// Rejections often arrive before successes, so a burst is judged only after most requests that were in flight when it
// looked like a limit have ended; until then, nothing is sent.
const UNANSWERED_SHARE = 0.2;
const FEWEST_FOR_RATE = 5;
const BELOW_ACCEPTED = 0.95;
// A rate grows ever faster, so that a host that still has a limit rejects again before the rate would be dropped.
const DOUBLED_AFTER_MS = 10_000;
const DROPPED_AFTER_MS = 8000;
// If requests are already spaced, fewer rejections show that the rate has exceeded the limit.
const WHEN_SPACED: Limiting = { fewest: 3, share: 0.1 };

function createRate(now: () => number): Rate {
  let rate: { readonly perMs: number; readonly since: number } | undefined;
  /**
   * Requests per millisecond accepted in the previous window: one with many rejections doesn't lower the rate below
   * that.
   */
  let acceptedBefore = 0;
  let refusedAt = now();
  let nextAt = 0;
  let answers = startWindow(now());
  /** During a burst that looks like a limit: how many requests may still be in flight when it is judged. */
  let doubt: { unanswered: number | undefined } | undefined;

  function endWindow(ms: number): void {
    doubt = undefined;
    // A window that ends late was idle, or waited, for too long to be meaningful.
    const accepted = ms < 2 * WINDOW_MS ? (answers.done / Math.max(ms, WINDOW_MS)) * BELOW_ACCEPTED : 0;
    const isRefusing = isLimiting(answers, rate === undefined ? LIMITING : WHEN_SPACED);
    if (isRefusing) refusedAt = now();
    if (accepted > 0 && isRefusing) {
      rate = { perMs: Math.max(accepted, acceptedBefore), since: now() };
      nextAt = now();
    }
    if (ms < WINDOW_MS) return;
    acceptedBefore = accepted;
    answers = startWindow(now());
  }

  function spacingMs(): number {
    if (rate === undefined) return 0;
    if (now() - refusedAt > DROPPED_AFTER_MS) rate = undefined;
    return rate === undefined ? 0 : 1 / (rate.perMs * (1 + ((now() - rate.since) / DOUBLED_AFTER_MS) ** 3));
  }

  return {
    get isKnown() {
      return rate !== undefined;
    },
    delay(running) {
      if (doubt !== undefined) {
        doubt.unanswered ??= running * UNANSWERED_SHARE;
        if (running > doubt.unanswered) return Number.POSITIVE_INFINITY;
        endWindow(now() - answers.since);
      }
      return rate === undefined ? 0 : Math.max(0, nextAt - now());
    },
    sent() {
      nextAt = Math.max(nextAt, now()) + spacingMs();
    },
    waited() {
      nextAt = Math.min(nextAt, now());
    },
    note(kind) {
      const ms = now() - answers.since;
      if (ms < 0) return;
      const { done, refused } = answers;
      answers = kind === "done" ? { ...answers, done: done + 1 } : { ...answers, refused: refused + 1 };
      // Many 429 responses after a burst show that the second's share is used up. For 503, only a whole second shows
      // that.
      const isBurst = kind === "throttled" && rate === undefined && done >= FEWEST_FOR_RATE;
      if (ms >= WINDOW_MS) endWindow(ms);
      else if (isBurst && isLimiting(answers)) doubt ??= { unanswered: undefined };
    },
    skipUntil(at) {
      answers = startWindow(at);
    },
  };
}

function startWindow(since: number): { readonly since: number; readonly done: number; readonly refused: number } {
  return { since, done: 0, refused: 0 };
}

import type { GateOptions, GateResult } from "./gate.ts";
import { readQuota } from "./quota.ts";
import { isLimiting, LIMITING, type Limiting } from "./refusals.ts";

/** Holds requests back that the service would refuse anyway. */
export interface Pacing {
  /** How long the next request has to wait, in milliseconds; `Infinity`: until one of those on the way has ended. */
  delay(running: number): number;
  sent(): void;
  /** The time up to which `delay` asked to wait is over, whatever the clock says. */
  waited(until: number): void;
  answered(result: GateResult): void;
}

/** What a service says about its window. */
interface Quota {
  /** The fewest that any answer of this window left. */
  readonly left: number;
  readonly endsAt: number;
}

// Many refusals in a row may come from many requests at once, unless the service counts them. Once its rate is known, the
// end of a window is not worth a pause.
const SHUT_AFTER_REFUSALS = 32;
const COUNTED_AFTER_REFUSALS = 8;

/**
 * Two brakes beside the number of requests on the way. Where the service announces its quota, nothing is sent that it
 * does not cover. Where it only refuses, and a real share of what it got in a second, requests are spaced by the rate at
 * which it accepted others in that second, until it refuses no more.
 */
export function createPacing(now: () => number, { longestWaitMs }: Pick<GateOptions, "longestWaitMs">): Pacing {
  const rate = createRate(now);
  let quota: Quota | undefined;
  let pausedUntil = 0;
  let refusalsInARow = 0;
  let lastDoneAt = now();

  // Seconds are rounded up. From the first answer of a window its length says more precisely when it ends.
  function noteQuota({ headers, ms }: GateResult): void {
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

  function noteRefusal(kind: "throttled" | "busy", retryAfterMs: number | undefined): void {
    refusalsInARow += 1;
    const isCounted = kind === "throttled" && !rate.isKnown;
    const fewest = isCounted ? COUNTED_AFTER_REFUSALS : SHUT_AFTER_REFUSALS;
    if (refusalsInARow < fewest || retryAfterMs === undefined) return;
    // What takes longer than anybody waits is left to every request's own end.
    if (retryAfterMs > longestWaitMs || now() - lastDoneAt > longestWaitMs) return;
    pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
    // The pause of a counted second is a part of its rate; that of a service that was down says nothing.
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
      // Whoever waited for the end of a window stands in the next one, whatever this clock says.
      if (quota !== undefined && quota.left <= 0) quota = undefined;
    },
    answered(result) {
      noteQuota(result);
      const { kind } = result;
      if (kind === "failed") return;
      if (kind === "done") {
        refusalsInARow = 0;
        lastDoneAt = now();
      } else noteRefusal(kind, result.retryAfterMs);
      if (quota === undefined) rate.note(kind);
    },
  };
}

/** Spaces requests where a service refuses a real share of them, by the rate at which it accepted others. */
interface Rate {
  readonly isKnown: boolean;
  /** How long the next request has to wait, in milliseconds; `Infinity`: until one of those on the way has ended. */
  delay(running: number): number;
  sent(): void;
  /** The time that `delay` asked for is over, whatever the clock says. */
  waited(): void;
  note(kind: "done" | "throttled" | "busy"): void;
  /** Nothing can be accepted up to then, and that says nothing about the rate. */
  skipUntil(at: number): void;
}

const WINDOW_MS = 1000;
// What is refused is often answered before what was accepted: a burst is judged when most of what was on the way when it
// looked like a limit has been answered, and nothing is sent until then.
const UNANSWERED_SHARE = 0.2;
const FEWEST_FOR_RATE = 5;
const BELOW_ACCEPTED = 0.95;
// A rate grows ever faster, so that a host that still has it refuses again before it would be dropped.
const DOUBLED_AFTER_MS = 10_000;
const DROPPED_AFTER_MS = 8000;
// Of requests that are already spaced, fewer say that the rate has grown beyond the limit.
const WHEN_SPACED: Limiting = { fewest: 3, share: 0.1 };

function createRate(now: () => number): Rate {
  let rate: { readonly perMs: number; readonly since: number } | undefined;
  /** What the window before accepted in a millisecond: one that refused much does not take the rate below that. */
  let acceptedBefore = 0;
  let refusedAt = now();
  let nextAt = 0;
  let answers = startWindow(now());
  /** In a burst that looks like a limit: how many requests may still be on the way when it is judged. */
  let doubt: { unanswered: number | undefined } | undefined;

  function endWindow(ms: number): void {
    doubt = undefined;
    // One that ends late was idle, or waited, for longer than it can say anything about.
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
      // Many 429 after a burst say that the second's share is used up. Only a whole second says so of a 503.
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

import type { GateResult } from "./gate.ts";
import { readQuota } from "./quota.ts";
import { createRate } from "./rate.ts";

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

export interface PacingOptions {
  /** A window that ends later than this is not waited for: the service's own refusal then says so. */
  readonly longestWaitMs: number;
}

/**
 * Two brakes beside the number of requests on the way. Where the service announces its quota, nothing is sent that it
 * does not cover. Where it only refuses, and a real share of what it got in a second, requests are spaced by the rate at
 * which it accepted others in that second, until it refuses no more.
 */
export function createPacing(now: () => number, { longestWaitMs }: PacingOptions): Pacing {
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
      const spaced = Math.max(pausedUntil - at, rate.delay());
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

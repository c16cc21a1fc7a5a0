import type { GateResult } from "./gate.ts";
import { readQuota } from "./quota.ts";

/** Holds requests back that the service would refuse anyway. */
export interface Pacing {
  /** How long the next request has to wait, in milliseconds; `Infinity`: until one of those on the way has ended. */
  delay(running: number): number;
  sent(): void;
  /** The time that `delay` asked for is over. */
  waited(): void;
  answered(result: GateResult): void;
}

/** What a service says about its window. */
interface Quota {
  /** The fewest that any answer of this window left. */
  readonly left: number;
  readonly endsAt: number;
}

const RATE_WINDOW_MS = 1000;
const SHUT_AFTER_MS = 500;
const FEWEST_FOR_RATE = 5;
const BELOW_DELIVERED = 0.95;
const GROWTH_PER_ANSWER = 1.0005;

export interface PacingOptions {
  /** A window that ends later than this is not waited for: the service's own refusal then says so. */
  readonly longestWaitMs: number;
}

/**
 * Two brakes beside the number of requests on the way. Where the service announces its quota, nothing is sent that it
 * does not cover. Where it only refuses, requests are spaced by the rate at which it answered before it did.
 */
export function createPacing(now: () => number, { longestWaitMs }: PacingOptions): Pacing {
  let quota: Quota | undefined;
  let rate: number | undefined;
  let nextAt = 0;
  let pausedUntil = 0;
  let refusalsInARow = 0;
  let lastDoneAt = Number.NEGATIVE_INFINITY;
  let delivered: number[] = [];

  // Seconds are rounded up. From the first answer of a window its length tells better when it ends.
  function noteQuota({ headers, ms }: GateResult): void {
    const told = readQuota(headers);
    if (told === undefined) return;
    const { left, resetMs, windowMs = resetMs } = told;
    const at = now();
    if (quota !== undefined && at - ms < quota.endsAt) {
      quota = { ...quota, left: Math.min(quota.left, left) };
      return;
    }
    quota = { left, endsAt: at + Math.min(windowMs, resetMs) };
  }

  function slowDown(): void {
    const from = now() - RATE_WINDOW_MS;
    delivered = delivered.filter((at) => at >= from);
    if (delivered.length < FEWEST_FOR_RATE || quota !== undefined) return;
    const measured = (delivered.length / RATE_WINDOW_MS) * BELOW_DELIVERED;
    rate = Math.min(rate ?? measured, measured);
  }

  return {
    delay(running) {
      const at = now();
      const spaced = Math.max(0, pausedUntil - at, rate === undefined ? 0 : nextAt - at);
      if (quota === undefined || at >= quota.endsAt || quota.left > running) return spaced;
      if (quota.endsAt - at > longestWaitMs) return spaced;
      return running > 0 ? Number.POSITIVE_INFINITY : Math.max(spaced, quota.endsAt - at);
    },
    sent() {
      if (rate !== undefined) nextAt = Math.max(nextAt, now()) + 1 / rate;
    },
    waited() {
      pausedUntil = 0;
      nextAt = Math.min(nextAt, now());
      // Whoever waited for the end of a window stands in the next one, whatever this clock says.
      if (quota !== undefined && quota.left <= 0) quota = undefined;
    },
    answered(result) {
      noteQuota(result);
      if (result.kind === "done") {
        refusalsInARow = 0;
        lastDoneAt = now();
        if (rate !== undefined) rate *= GROWTH_PER_ANSWER;
        delivered.push(now());
        if (delivered.length > 4096) delivered = delivered.slice(-2048);
        return;
      }
      if (result.kind === "failed") return;
      refusalsInARow += 1;
      if (result.kind === "throttled") slowDown();
      // Only when nothing at all gets through does everything wait: many refusals at once come from many requests.
      const isShut = refusalsInARow > 16 && now() - lastDoneAt > SHUT_AFTER_MS;
      if (isShut && result.retryAfterMs !== undefined) pausedUntil = now() + result.retryAfterMs;
    },
  };
}

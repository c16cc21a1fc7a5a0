import type { GateResult } from "./gate.ts";

/** Holds requests back that the service would refuse anyway. */
export interface Pacing {
  /** How long the next request has to wait, in milliseconds; `Infinity`: until one of those on the way has ended. */
  delay(running: number): number;
  sent(): void;
  /** The time that `delay` asked for is over. */
  waited(): void;
  answered(result: GateResult): void;
}

/** What a service says about its window: `RateLimit-Policy: "default";q=600;w=60` and `RateLimit: "default";r=12;t=30`. */
interface Quota {
  readonly size: number;
  /** The fewest that any answer of this window left. */
  readonly left: number;
  readonly endsAt: number;
}

const RATE_WINDOW_MS = 1000;
const FEWEST_FOR_RATE = 5;
const BELOW_DELIVERED = 0.95;
const GROWTH_PER_ANSWER = 1.0005;

/**
 * Two brakes beside the number of requests on the way. Where the service announces its quota, nothing is sent that it
 * does not cover. Where it only refuses, requests are spaced by the rate at which it answered before it did.
 */
export function createPacing(now: () => number): Pacing {
  let quota: Quota | undefined;
  let rate: number | undefined;
  let nextAt = 0;
  let pausedUntil = 0;
  let refusalsInARow = 0;
  let delivered: number[] = [];

  // Seconds are rounded up. From the first answer of a window its length tells better when it ends.
  function readQuota({ headers, ms }: GateResult): void {
    const left = numberIn(headers.get("ratelimit"), "r") ?? numberOf(headers.get("ratelimit-remaining"));
    const seconds = numberIn(headers.get("ratelimit"), "t") ?? numberOf(headers.get("ratelimit-reset"));
    if (left === undefined || seconds === undefined) return;
    const at = now();
    if (quota !== undefined && at - ms < quota.endsAt) {
      quota = { ...quota, left: Math.min(quota.left, left) };
      return;
    }
    const size = numberIn(headers.get("ratelimit-policy"), "q") ?? left;
    const length = numberIn(headers.get("ratelimit-policy"), "w") ?? seconds;
    quota = { size, left, endsAt: at + Math.min(length, seconds) * 1000 };
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
      readQuota(result);
      if (result.kind === "done") {
        refusalsInARow = 0;
        if (rate !== undefined) rate *= GROWTH_PER_ANSWER;
        delivered.push(now());
        if (delivered.length > 4096) delivered = delivered.slice(-2048);
        return;
      }
      if (result.kind === "failed") return;
      refusalsInARow += 1;
      if (result.kind === "throttled") slowDown();
      // Only when nothing at all gets through does everything wait.
      if (refusalsInARow > 16 && result.retryAfterMs !== undefined) pausedUntil = now() + result.retryAfterMs;
    },
  };
}

function numberIn(header: string | undefined, name: string): number | undefined {
  return numberOf(new RegExp(`;\\s*${name}=(\\d+)`).exec(header ?? "")?.[1]);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

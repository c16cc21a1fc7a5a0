import type { GateResult } from "./gate.ts";

/** When a request was sent, as far as its end says something about the limit. */
export interface SentIn {
  readonly epoch: number;
  /** Whether the limit was reached with it: only then does its success say that more would be possible. */
  readonly wasFull: boolean;
}

/** How many requests may be on the way at a time, learned from how they end. */
export interface Limit {
  readonly size: number;
  /** Changes with every cut: what was sent before a cut does not cut again. */
  readonly epoch: number;
  note(result: GateResult, sent: SentIn): void;
}

const CUT = 0.75;
// Who begins finds out with a leap how much is too much, and goes back behind it.
const FIRST_CUT = 0.6;
const FIRST_GROWTH = 0.7;
// Near what was too much before, the next refusal says where the end is: one step back is enough.
const NEAR_CEILING = 0.9;
const SLOW_NEAR_CEILING = 0.01;
// Answers are also slow because they are large or because this process is busy, so that only much slower ones count,
// and never cut below where every run begins.
const SLOW_FACTOR = 4;
const SLOW_AT_LEAST_MS = 100;
const FEWEST = 2;

export function createLimit({ initial, max }: { readonly initial: number; readonly max: number }): Limit {
  let limit = Math.min(initial, max);
  let ceiling = Number.POSITIVE_INFINITY;
  let epoch = 0;
  let busyInEpoch = 0;
  let latency = { sum: 0, count: 0, best: Number.POSITIVE_INFINITY };

  function isNearCeiling(): boolean {
    return limit > ceiling * NEAR_CEILING;
  }

  function factorOfCut(): number {
    if (ceiling === Number.POSITIVE_INFINITY) return FIRST_CUT;
    return isNearCeiling() ? NEAR_CEILING : CUT;
  }

  function cut(): void {
    const before = limit;
    epoch += 1;
    busyInEpoch = 0;
    limit = Math.max(FEWEST, limit * factorOfCut());
    ceiling = before;
    latency = { ...latency, sum: 0, count: 0 };
  }

  function grow(wasFull: boolean): void {
    if (!wasFull) return;
    const step = ceiling === Number.POSITIVE_INFINITY ? FIRST_GROWTH : 1 / limit;
    limit = Math.min(max, limit + (isNearCeiling() ? step * SLOW_NEAR_CEILING : step));
  }

  function noteLatency(ms: number): void {
    const { sum, count, best } = latency;
    latency = { sum: sum + ms, count: count + 1, best };
    if (latency.count < Math.max(limit, 16)) return;
    const mean = latency.sum / latency.count;
    latency = { sum: 0, count: 0, best: Math.min(best * 1.02, mean) };
    if (limit > initial && mean > best * SLOW_FACTOR + SLOW_AT_LEAST_MS) cut();
  }

  return {
    get size() {
      return Math.floor(limit);
    },
    get epoch() {
      return epoch;
    },
    note({ kind, ms }, sent) {
      if (kind === "done") {
        grow(sent.wasFull);
        noteLatency(ms);
      }
      if (sent.epoch !== epoch) return;
      if (kind === "throttled") cut();
      // A single 503 is an accident, unless it is expected; a second one among the same requests is a service that has
      // enough.
      if (kind === "busy" && (++busyInEpoch > 1 || isNearCeiling())) cut();
    },
  };
}

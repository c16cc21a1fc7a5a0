import { createPacing } from "./pacing.ts";
import { isLimiting, type Limiting } from "./refusals.ts";

/** What a request met, as far as it says something about how busy the service is. */
export interface GateResult {
  readonly kind: "done" | "throttled" | "busy" | "failed";
  /** From sending to the end of the answer, in milliseconds. */
  readonly ms: number;
  readonly retryAfterMs: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
}

/** One request's turn. */
export interface Turn {
  leave(result: GateResult): void;
}

/**
 * Decides how many requests are on the way at a time: quick when the service is quick, no storm of refusals when it is
 * not. Grows by two thirds a round trip at first. A real share of refusals, or rising latency, cuts it once for all
 * requests that were on the way together; it then stays near what was accepted, and grows back within seconds.
 */
export interface Gate {
  /** Waits for a turn. When the signal is aborted the turn comes at once: the request then ends by itself. */
  enter(signal: AbortSignal | undefined): Promise<Turn>;
  /** How many requests at a time the service was found to take. */
  readonly concurrency: number;
}

export interface GateOptions {
  /** Where to begin. */
  readonly initial: number;
  readonly max: number;
  /** The end of a window in which nothing more is taken is waited for so long at most, in milliseconds. */
  readonly longestWaitMs: number;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function createGate({ initial, max, longestWaitMs, now, sleep }: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  const pacing = createPacing(now, { longestWaitMs });
  const limit = createLimit({ initial, max, now });
  let running = 0;
  let isWaking = false;

  function admit(): void {
    while (waiting.length > 0 && running < limit.size && !isWaking) {
      const delay = pacing.delay(running);
      if (delay === Number.POSITIVE_INFINITY) return;
      if (delay > 0) return wake(delay);
      pacing.sent();
      waiting.shift()?.();
    }
  }

  function wake(delay: number): void {
    isWaking = true;
    const until = now() + delay;
    void sleep(delay).then(() => {
      isWaking = false;
      pacing.waited(until);
      admit();
    });
  }

  function leave(result: GateResult, turn: SentIn): void {
    running -= 1;
    pacing.answered(result);
    limit.note(result, turn);
    admit();
  }

  function start(): Turn {
    running += 1;
    const turn = { epoch: limit.epoch, wasFull: running >= limit.size };
    return { leave: (result) => leave(result, turn) };
  }

  return {
    get concurrency() {
      return limit.size;
    },
    enter(signal) {
      if (signal?.aborted === true) return Promise.resolve(start());
      return new Promise((resolve) => {
        function go(): void {
          signal?.removeEventListener("abort", giveUp);
          resolve(start());
        }
        function giveUp(): void {
          waiting.splice(waiting.indexOf(go), 1);
          resolve(start());
        }
        signal?.addEventListener("abort", giveUp, { once: true });
        waiting.push(go);
        admit();
      });
    },
  };
}

/** When a request was sent, as far as its end says something about the limit. */
interface SentIn {
  readonly epoch: number;
  /** Whether the limit was reached with it: only then does its success say that more would be possible. */
  readonly wasFull: boolean;
}

/** How many requests may be on the way at a time, learned from how they end. */
interface Limit {
  readonly size: number;
  /** Changes with every cut: what was sent before a cut does not cut again. */
  readonly epoch: number;
  note(result: GateResult, sent: SentIn): void;
}

interface Cut {
  readonly at: number;
  readonly size: number;
}

const FEWEST = 2;
const GROWTH = 0.7;
// Back to the size of one round trip before, which was accepted.
const FIRST_CUT = 1 / (1 + GROWTH);
const CUT = 0.75;
// After a cut the size stays near what was accepted, then grows ever faster: it doubles in this time.
const DOUBLED_AFTER_MS = 2000;
const FEWEST_ANSWERS = 20;
// Among so few answers, five accidents are rare. Where a limit was met once, fewer refusals mean it.
const FIRST: Limiting = { fewest: 5, share: 0.25 };
const LATER: Limiting = { fewest: 4, share: 0.2 };
// After so many successes in a row, fewer say that the size has just become too large.
const CLEAN_RUN = 64;
const STEP_SHARE = 0.08;
// Answers are also slow because they are large or because this process is busy, so that only much slower ones count,
// and never cut below where every run begins.
const SLOW_FACTOR = 4;
const SLOW_AT_LEAST_MS = 100;

function createLimit({ initial, max, now }: Pick<GateOptions, "initial" | "max" | "now">): Limit {
  let limit = Math.min(initial, max);
  let epoch = 0;
  let lastCut: Cut | undefined;
  /** Of the last answers to what was sent since the cut: whether they were refusals. */
  let answers: boolean[] = [];
  let roundTripMs = 0;
  let latency = { sum: 0, count: 0, best: Number.POSITIVE_INFINITY };

  function noteAnswer(isRefusal: boolean): void {
    answers.push(isRefusal);
    if (answers.length > CLEAN_RUN + Math.max(FEWEST_ANSWERS, limit)) answers.shift();
    if (!isRefusal || now() - (lastCut?.at ?? Number.NEGATIVE_INFINITY) < roundTripMs) return;
    const last = answers.slice(-Math.max(FEWEST_ANSWERS, limit / 2));
    const refusals = last.filter(Boolean).length;
    if (lastCut !== undefined && refusals >= Math.max(2, STEP_SHARE * limit) && wasClean()) {
      cut(Math.max(lastCut.size, limit * FIRST_CUT));
    } else if (isLimiting({ done: last.length - refusals, refused: refusals }, lastCut === undefined ? FIRST : LATER)) {
      cut(limit * (lastCut === undefined ? FIRST_CUT : CUT));
    }
  }

  /** Whether nothing was refused before the answers of the last round trip. */
  function wasClean(): boolean {
    const before = answers.slice(0, -Math.floor(limit));
    return before.length >= CLEAN_RUN && !before.includes(true);
  }

  function cut(size: number): void {
    limit = Math.max(FEWEST, size);
    lastCut = { at: now(), size: limit };
    epoch += 1;
    answers = [];
    latency = { ...latency, sum: 0, count: 0 };
  }

  function noteLatency(ms: number): void {
    roundTripMs = ms;
    const { sum, count, best } = latency;
    latency = { sum: sum + ms, count: count + 1, best };
    if (latency.count < Math.max(limit, 16)) return;
    const mean = latency.sum / latency.count;
    latency = { sum: 0, count: 0, best: Math.min(best * 1.02, mean) };
    if (limit > initial && mean > best * SLOW_FACTOR + SLOW_AT_LEAST_MS) cut(Math.max(initial, limit * CUT));
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
        if (sent.wasFull) limit = Math.min(max, limit + GROWTH, Math.max(limit, allowedSize(lastCut, now())));
        noteLatency(ms);
      }
      if (kind !== "failed" && sent.epoch === epoch) noteAnswer(kind !== "done");
    },
  };
}

function allowedSize(lastCut: Cut | undefined, at: number): number {
  if (lastCut === undefined) return Number.POSITIVE_INFINITY;
  return lastCut.size * (1 + ((at - lastCut.at) / DOUBLED_AFTER_MS) ** 3);
}

import { createPacing } from "./pacing.ts";
import { isLimiting, type Limiting } from "./refusals.ts";

/** Result of a request, as far as it shows how busy the service is. */
export interface GateResult {
  readonly kind: "done" | "throttled" | "busy" | "failed";
  /** From sending to the end of the response, in milliseconds. */
  readonly ms: number;
  readonly retryAfterMs: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
}

/** The slot of one request. */
export interface Turn {
  leave(result: GateResult): void;
}

/**
 * Controls the number of concurrent requests: many if the service is fast, without a storm of rejections if it isn't.
 * Grows by two thirds per round trip at first. A substantial share of rejections, or rising latency, cuts it once for
 * all requests that were in flight together; it then stays near what was accepted, and recovers within seconds.
 */
export interface Gate {
  /** Waits for a slot. If the signal is aborted, resolves immediately; the request then ends by itself. */
  enter(signal: AbortSignal | undefined): Promise<Turn>;
  /** Number of concurrent requests that the service was found to handle. */
  readonly concurrency: number;
}

export interface GateOptions {
  /** Initial number of concurrent requests. */
  readonly initial: number;
  readonly max: number;
  /** Maximum wait for the end of an exhausted quota window, in milliseconds. */
  readonly longestWaitMs: number;
  /** Returns milliseconds of a monotonic clock. */
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

/** When a request was sent, as far as its result relates to the limit. */
interface SentIn {
  readonly epoch: number;
  /** Whether it filled the limit: only then does its success show that more is possible. */
  readonly wasFull: boolean;
}

/** The maximum number of concurrent requests, learned from results. */
interface Limit {
  readonly size: number;
  /** Changes with every cut: requests sent before a cut don't cause another one. */
  readonly epoch: number;
  note(result: GateResult, sent: SentIn): void;
}

interface Cut {
  readonly at: number;
  readonly size: number;
}

const FEWEST = 2;
const GROWTH = 0.7;
// Back to the size one round trip ago, which was accepted.
const FIRST_CUT = 1 / (1 + GROWTH);
const CUT = 0.75;
// After a cut, the size stays near what was accepted and then grows ever faster: it doubles in this time.
const DOUBLED_AFTER_MS = 2000;
const FEWEST_ANSWERS = 20;
// Among so few responses, five accidents are rare. Once a limit has been reached, fewer rejections suffice.
const FIRST: Limiting = { fewest: 5, share: 0.25 };
const LATER: Limiting = { fewest: 4, share: 0.2 };
// After this many consecutive successes, fewer rejections show that the size has just become too large.
const CLEAN_RUN = 64;
const STEP_SHARE = 0.08;
// Responses are also slow if they are large or this process is busy, so only much slower ones count, and they never cut
// below the initial size.
const SLOW_FACTOR = 4;
const SLOW_AT_LEAST_MS = 100;

function createLimit({ initial, max, now }: Pick<GateOptions, "initial" | "max" | "now">): Limit {
  let limit = Math.min(initial, max);
  let epoch = 0;
  let lastCut: Cut | undefined;
  /** Whether each of the last responses to requests since the cut was a rejection. */
  let answers: boolean[] = [];
  let roundTripMs = 0;
  let latency = { sum: 0, count: 0, best: Number.POSITIVE_INFINITY };

  function recordResponse(isRefusal: boolean): void {
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

  /** Whether nothing was rejected before the responses of the last round trip. */
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

  function recordLatency(ms: number): void {
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
        recordLatency(ms);
      }
      if (kind !== "failed" && sent.epoch === epoch) recordResponse(kind !== "done");
    },
  };
}

function allowedSize(lastCut: Cut | undefined, at: number): number {
  if (lastCut === undefined) return Number.POSITIVE_INFINITY;
  return lastCut.size * (1 + ((at - lastCut.at) / DOUBLED_AFTER_MS) ** 3);
}

import { createLimit, type SentIn } from "./limit.ts";
import { createPacing } from "./pacing.ts";

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

/** Spaces requests where a service refuses a real share of them, by the rate at which it accepted others. */
export interface Rate {
  readonly isKnown: boolean;
  /** How long the next request has to wait, in milliseconds. */
  delay(): number;
  sent(): void;
  /** The time that `delay` asked for is over, whatever the clock says. */
  waited(): void;
  note(kind: "done" | "throttled" | "busy"): void;
  /** Nothing can be accepted up to then, and that says nothing about the rate. */
  skipUntil(at: number): void;
}

const WINDOW_MS = 1000;
const FEWEST_FOR_RATE = 5;
const BELOW_ACCEPTED = 0.95;
// A rate grows ever faster, so that a host that still has it refuses again before it would be dropped.
const DOUBLED_AFTER_MS = 10_000;
const DROPPED_AFTER_MS = 8000;
// Any service refuses a request now and then. Several among few answers are a limit; of requests that are already
// spaced, fewer say that the rate has grown beyond it.
const REAL = { fewest: 4, share: 0.2 } as const;
const REAL_WHEN_SPACED = { fewest: 3, share: 0.1 } as const;

export function createRate(now: () => number): Rate {
  let rate: { readonly perMs: number; readonly since: number } | undefined;
  /** What the window before accepted in a millisecond: one that refused much does not take the rate below that. */
  let acceptedBefore = 0;
  let refusedAt = now();
  let nextAt = 0;
  let answers = startWindow(now());

  function isRealShare(): boolean {
    const { done, refused } = answers;
    const { fewest, share } = rate === undefined ? REAL : REAL_WHEN_SPACED;
    return refused >= fewest && refused >= share * (done + refused);
  }

  function endWindow(ms: number): void {
    // One that ends late was idle, or waited, for longer than it can say anything about.
    const accepted = ms < 2 * WINDOW_MS ? (answers.done / Math.max(ms, WINDOW_MS)) * BELOW_ACCEPTED : 0;
    if (accepted > 0 && isRealShare()) {
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
    delay: () => (rate === undefined ? 0 : Math.max(0, nextAt - now())),
    sent() {
      nextAt = Math.max(nextAt, now()) + spacingMs();
    },
    waited() {
      nextAt = Math.min(nextAt, now());
    },
    note(kind) {
      if (kind !== "done") refusedAt = now();
      const ms = now() - answers.since;
      if (ms < 0) return;
      const { done, refused } = answers;
      answers = kind === "done" ? { ...answers, done: done + 1 } : { ...answers, refused: refused + 1 };
      // A first 429 after a burst says that the second's share is used up. Only a whole second says so of a 503.
      const isBurst = kind === "throttled" && rate === undefined && done >= FEWEST_FOR_RATE;
      if (ms >= WINDOW_MS || (isBurst && isRealShare())) endWindow(ms);
    },
    skipUntil(at) {
      answers = startWindow(at);
    },
  };
}

function startWindow(since: number): { readonly since: number; readonly done: number; readonly refused: number } {
  return { since, done: 0, refused: 0 };
}

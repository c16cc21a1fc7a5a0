import { createGate, type Gate, type GateOptions, type GateResult } from "../../../src/client/transport/gate.ts";
import { seededRandom } from "../seeded-random.ts";

export interface Service {
  /** Returns the result of a request, given the number of concurrent ones. */
  answer(request: { readonly at: number; readonly running: number }): Omit<GateResult, "ms">;
  readonly latencyMs: number;
  /** Duration of a refusal. Default: 5. */
  readonly refusalMs?: number;
}

export interface Simulated {
  readonly ms: number;
  readonly refused: number;
  readonly mostAtOnce: number;
  readonly concurrency: number;
}

export const NO_HEADERS = new Map<string, string>();
export const DONE = { kind: "done", retryAfterMs: undefined, headers: NO_HEADERS } as const;

function openOwnGate(clock: Pick<GateOptions, "now" | "sleep">): Gate {
  return createGate({ initial: 16, max: 128, longestWaitMs: 60_000, ...clock });
}

/** A gate that doesn't adapt: always the same number of concurrent requests. */
export function openFixedGate(concurrency: number): () => Gate {
  return () => {
    const waiting: (() => void)[] = [];
    let running = 0;
    const leave = () => (waiting.length === 0 ? void (running -= 1) : waiting.shift()?.());
    return {
      concurrency,
      enter: () =>
        new Promise((resolve) => {
          waiting.push(() => resolve({ leave }));
          if (running === concurrency) return;
          running += 1;
          waiting.shift()?.();
        }),
    };
  };
}

/** Sends requests through a gate, retrying refused ones, in virtual time. */
export async function simulate(
  requests: number,
  { answer, latencyMs, refusalMs = 5 }: Service,
  openGate: (clock: Pick<GateOptions, "now" | "sleep">) => Gate = openOwnGate,
): Promise<Simulated> {
  let at = 0;
  let [running, refused, mostAtOnce, sent] = [0, 0, 0, 0];
  const timers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => timers.push({ at: at + ms, wake }));
  const gate = openGate({ now: () => at, sleep });

  async function send(): Promise<void> {
    const turn = await gate.enter(undefined);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    const result = answer({ at, running });
    // A rejected request doesn't take a slot.
    if (result.kind !== "done") running -= 1;
    await sleep((result.kind === "done" ? latencyMs : refusalMs) + unevenness());
    if (result.kind === "done") running -= 1;
    turn.leave({ ...result, ms: result.kind === "done" ? latencyMs : refusalMs });
    if (result.kind === "done") return;
    refused += 1;
    await sleep(result.retryAfterMs ?? 100);
    await send();
  }

  // Responses of a real service never arrive all at the same moment.
  function unevenness(): number {
    sent += 1;
    return ((sent * 7) % 11) - 5;
  }

  let isFinished = false;
  const all = Promise.all(Array.from({ length: requests }, send)).then(() => {
    isFinished = true;
  });
  while (!isFinished) {
    await new Promise((resolve) => setImmediate(resolve));
    timers.sort((one, other) => one.at - other.at);
    const next = timers.shift();
    if (next === undefined) continue;
    at = Math.max(at, next.at);
    next.wake();
  }
  await all;
  return { ms: at, refused, mostAtOnce, concurrency: gate.concurrency };
}

export interface Faults {
  /** Default: 500, 503 and 429. */
  readonly kinds?: readonly GateResult["kind"][];
  /** Share of them with `Retry-After: 1`. Default: half. */
  readonly telling?: number;
  /** Default: 7. */
  readonly seed?: number;
}

/** Reproducible faults in the given share of all responses. */
export function seededFaults(
  share: number,
  { kinds = ["failed", "busy", "throttled"], telling = 0.5, seed = 7 }: Faults = {},
): () => Omit<GateResult, "ms"> {
  const next = seededRandom(seed);
  return () => {
    if (next() >= share) return DONE;
    const kind = kinds[Math.floor(next() * kinds.length)] ?? "failed";
    return { kind, retryAfterMs: next() < telling ? 1000 : undefined, headers: NO_HEADERS };
  };
}

export interface Counting {
  /** In windows of one second, with a bucket for one second's requests, or with a bucket for a single one. */
  readonly counts: "windows" | "bucket" | "spaces";
  readonly retryAfterMs?: number;
  readonly kind?: "throttled" | "busy";
}

/** A host with a rate limit per second. */
export function rateLimited(
  perSecond: number,
  { counts, retryAfterMs, kind = "throttled" }: Counting,
): Service["answer"] {
  const capacity = counts === "spaces" ? 1 : perSecond;
  let [tokens, filledAt] = [capacity, 0];
  return ({ at }) => {
    const filled = counts === "windows" ? Math.floor(at / 1000) - Math.floor(filledAt / 1000) : (at - filledAt) / 1000;
    tokens = Math.min(capacity, tokens + filled * perSecond);
    filledAt = at;
    if (tokens < 1) return { kind, retryAfterMs, headers: NO_HEADERS };
    tokens -= 1;
    return DONE;
  };
}

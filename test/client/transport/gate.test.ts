import { describe, expect, it } from "vitest";
import { createGate } from "../../../src/client/transport/gate.ts";
import type { GateResult } from "../../../src/client/transport/gate.ts";

interface Service {
  /** What a request gets that is sent while so many others are on the way. */
  answer(request: { readonly at: number; readonly running: number }): Omit<GateResult, "ms">;
  readonly latencyMs: number;
  /** How long a refusal takes. Default: 5. */
  readonly refusalMs?: number;
}

interface Simulated {
  readonly ms: number;
  readonly refused: number;
  readonly mostAtOnce: number;
  readonly concurrency: number;
}

const DONE = { kind: "done", retryAfterMs: undefined, headers: new Map<string, string>() } as const;

/** Sends so many requests through a gate, refused ones again, in a time that only passes when nothing else happens. */
async function simulate(requests: number, { answer, latencyMs, refusalMs = 5 }: Service): Promise<Simulated> {
  let at = 0;
  let [running, refused, mostAtOnce, sent] = [0, 0, 0, 0];
  const timers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => timers.push({ at: at + ms, wake }));
  const gate = createGate({ initial: 16, max: 128, longestWaitMs: 60_000, now: () => at, sleep });

  async function send(): Promise<void> {
    const turn = await gate.enter(undefined);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    const result = answer({ at, running });
    // Who is refused takes no slot.
    if (result.kind !== "done") running -= 1;
    await sleep((result.kind === "done" ? latencyMs : refusalMs) + unevenness());
    if (result.kind === "done") running -= 1;
    turn.leave({ ...result, ms: latencyMs });
    if (result.kind === "done") return;
    refused += 1;
    await sleep(result.retryAfterMs ?? 100);
    await send();
  }

  // Answers of a real service never come all at the same moment.
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

describe("the gate", () => {
  it("comes near the most connections at a quick service within a few round trips", async () => {
    const { ms, mostAtOnce } = await simulate(2000, { latencyMs: 50, answer: () => DONE });
    expect(mostAtOnce).toBe(128);
    expect(ms).toBeLessThan((2000 / 128) * 50 * 1.3);
  });

  it.each([
    { when: "at once", refusalMs: 5 },
    { when: "as late as it answers", refusalMs: 50 },
  ])("stays within 1.3 times the ideal at a service of 16 slots that refuses $when", async ({ refusalMs }) => {
    const full = { kind: "busy", retryAfterMs: 1000, headers: new Map<string, string>() } as const;
    const answer: Service["answer"] = ({ running }) => (running > 16 ? full : DONE);
    const run = await simulate(1000, { latencyMs: 50, refusalMs, answer });
    expect(run.ms).toBeLessThan((1000 / 16) * 50 * 1.3);
    expect(run.refused).toBeLessThan(1000 * 0.02);
  });

  it("stays within 1.3 times the ideal of a quota that is announced, with less than 2 % refused", async () => {
    let window = { endsAt: 0, left: 0 };
    const run = await simulate(1000, {
      latencyMs: 50,
      answer({ at }) {
        if (at >= window.endsAt) window = { endsAt: at + 1000, left: 100 };
        window = { ...window, left: window.left - 1 };
        const headers = new Map([
          ["ratelimit-policy", '"default";q=100;w=1'],
          ["ratelimit", `"default";r=${Math.max(0, window.left)};t=1`],
        ]);
        return window.left >= 0 ? { ...DONE, headers } : { kind: "throttled", retryAfterMs: 1000, headers };
      },
    });
    expect(run.ms).toBeLessThan(10_000 * 1.3);
    expect(run.refused).toBeLessThan(20);
  });

  it("is refused nothing by a service that counts down in X-RateLimit headers", async () => {
    let window = { endsAt: 0, left: 0 };
    const run = await simulate(300, {
      latencyMs: 50,
      answer({ at }) {
        if (at >= window.endsAt) window = { endsAt: at + 1000, left: 100 };
        window = { ...window, left: window.left - 1 };
        const headers = new Map([
          ["x-ratelimit-limit", "100"],
          ["x-ratelimit-remaining", String(Math.max(0, window.left))],
          ["x-ratelimit-reset", String((window.endsAt - at) / 1000)],
        ]);
        return window.left >= 0 ? { ...DONE, headers } : { kind: "throttled", retryAfterMs: 1000, headers };
      },
    });
    expect(run.refused).toBe(0);
    expect(run.ms).toBeLessThan(3000 * 1.3);
  });

  it("lets the service itself refuse what would have to wait longer than is waited for", async () => {
    const headers = new Map([
      ["x-ratelimit-remaining", "0"],
      ["x-ratelimit-reset", "3600"],
    ]);
    const run = await simulate(3, { latencyMs: 50, answer: () => ({ ...DONE, headers }) });
    expect(run.ms).toBeLessThan(1000);
  });

  it("does not slow down for a single 503", async () => {
    let number = 0;
    const once = { kind: "busy", retryAfterMs: undefined, headers: new Map<string, string>() } as const;
    const run = await simulate(2000, { latencyMs: 50, answer: () => (number++ === 300 ? once : DONE) });
    expect(run).toMatchObject({ refused: 1, concurrency: 128 });
  });

  it("lets a request through at once whose signal is aborted, to end by itself", async () => {
    const gate = createGate({ initial: 1, max: 1, longestWaitMs: 0, now: () => 0, sleep: async () => {} });
    const controller = new AbortController();
    await gate.enter(undefined);
    const second = gate.enter(controller.signal);
    controller.abort();
    await expect(second).resolves.toHaveProperty("leave");
  });
});

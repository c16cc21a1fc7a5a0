import { describe, expect, it } from "vitest";
import { createGate } from "../../../src/client/transport/gate.ts";
import {
  DONE,
  NO_HEADERS,
  openFixedGate,
  rateLimited,
  seededFaults,
  simulate,
  type Service,
} from "./simulated-hosts.ts";
import { IS_WHOLE } from "../../whole.ts";

describe("the concurrency gate", () => {
  it("approaches the connection limit at a fast service within a few round trips", async () => {
    const { ms, mostAtOnce } = await simulate(2000, { latencyMs: 50, answer: () => DONE });
    expect(mostAtOnce).toBe(128);
    expect(ms).toBeLessThan((2000 / 128) * 50 * 1.3);
  });

  it.each([
    { when: "at once", refusalMs: 5 },
    { when: "as late as it responds", refusalMs: 50 },
  ])(
    "stays within 1.3 times the ideal at a service with 16 slots that rejects requests $when",
    async ({ refusalMs }) => {
      const full = { kind: "busy", retryAfterMs: 1000, headers: new Map<string, string>() } as const;
      const answer: Service["answer"] = ({ running }) => (running > 16 ? full : DONE);
      const run = await simulate(1000, { latencyMs: 50, refusalMs, answer });
      expect(run.ms).toBeLessThan((1000 / 16) * 50 * 1.3);
      expect(run.refused).toBeLessThan(1000 * 0.05);
    },
  );

  it("stays within 1.3 times the ideal of an announced quota, with less than 2% rejected", async () => {
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

  it("causes no rejections at a service that counts down in X-RateLimit headers", async () => {
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

  it("lets the service itself reject requests that would exceed the maximum wait", async () => {
    const headers = new Map([
      ["x-ratelimit-remaining", "0"],
      ["x-ratelimit-reset", "3600"],
    ]);
    const run = await simulate(3, { latencyMs: 50, answer: () => ({ ...DONE, headers }) });
    expect(run.ms).toBeLessThan(1000);
  });

  it("doesn't slow down for a single 503", async () => {
    let number = 0;
    const once = { kind: "busy", retryAfterMs: undefined, headers: new Map<string, string>() } as const;
    const run = await simulate(2000, { latencyMs: 50, answer: () => (number++ === 300 ? once : DONE) });
    expect(run).toMatchObject({ refused: 1, concurrency: 128 });
  });

  it.each([0.01, 0.05])("treats a share of %d of mixed faults as random, not as a limit", async (share) => {
    const whole = await simulate(2000, { latencyMs: 50, answer: () => DONE });
    const run = await simulate(2000, { latencyMs: 50, answer: seededFaults(share) });
    expect(run.concurrency).toBe(128);
    // Only the delays of the failed requests themselves: 1,000 ms each, and twice for some of them.
    expect(run.ms).toBeLessThan(whole.ms * 1.1 + 2100);
  });

  it.each([
    { name: "mixed faults", kinds: ["failed", "busy", "throttled"], telling: 0.5 },
    { name: "429 responses without Retry-After", kinds: ["throttled"], telling: 0 },
    { name: "503 responses without Retry-After", kinds: ["busy"], telling: 0 },
    { name: "429 responses with Retry-After", kinds: ["throttled"], telling: 1 },
  ] as const)("is at most twice as slow as a fixed limit if one request in twenty gets $name", async (faults) => {
    for (const requests of IS_WHOLE ? [300, 1000, 3000] : [300, 1000]) {
      for (const latencyMs of [20, 50, 200]) {
        for (const refusalMs of [5, latencyMs]) {
          for (const seed of IS_WHOLE ? [1, 2, 3, 4] : [1]) {
            const service = () => ({ latencyMs, refusalMs, answer: seededFaults(0.05, { ...faults, seed }) });
            const floor = await simulate(requests, service(), openFixedGate(64));
            const { ms } = await simulate(requests, service());
            expect.soft(ms / floor.ms, `${requests} requests, ${latencyMs} ms, dice ${seed}`).toBeLessThan(2);
          }
        }
      }
    }
  });

  it("backs off once for a burst of failures, and recovers within seconds despite further faults", async () => {
    const fault = seededFaults(0.01);
    const shut = { kind: "busy", retryAfterMs: undefined, headers: NO_HEADERS } as const;
    const sizes: number[] = [];
    const run = await simulate(12_000, {
      latencyMs: 50,
      answer: ({ at, running }) => {
        if (at > 2000 && at < 2100) return shut;
        if (at > 2100) sizes.push(running);
        return fault();
      },
    });
    expect(Math.max(...sizes.slice(0, 200))).toBeLessThan(64);
    expect(run.concurrency).toBe(128);
    expect(run.ms).toBeLessThan(8000);
  });

  it.each([
    { name: "windows of 20 with Retry-After", rate: 20, counts: "windows", retryAfterMs: 1000 },
    { name: "windows of 20 without it", rate: 20, counts: "windows" },
    { name: "a bucket of 20 with Retry-After", rate: 20, counts: "bucket", retryAfterMs: 1000 },
    { name: "a bucket of 20 without it", rate: 20, counts: "bucket" },
    { name: "windows of 50 with Retry-After", rate: 50, counts: "windows", retryAfterMs: 1000 },
    { name: "windows of 50 without it", rate: 50, counts: "windows" },
    { name: "a bucket of 50 with Retry-After", rate: 50, counts: "bucket", retryAfterMs: 1000 },
    { name: "a bucket of 50 without it", rate: 50, counts: "bucket" },
    { name: "a bucket of 100 with Retry-After", rate: 100, counts: "bucket", retryAfterMs: 1000 },
    { name: "a bucket of 100 without it", rate: 100, counts: "bucket" },
  ] as const)("approaches the rate limit, with about one rejection in ten, of $name", async ({ rate, ...how }) => {
    const run = await simulate(1000, { latencyMs: 50, answer: rateLimited(rate, how) });
    expect((1000 / run.ms) * 1000).toBeGreaterThan(rate * 0.85);
    expect(run.refused).toBeLessThan(100);
  });

  it("learns, after a second, the rate of a host that returns 503 and accepts only spaced requests", async () => {
    const run = await simulate(1000, { latencyMs: 50, answer: rateLimited(20, { counts: "spaces", kind: "busy" }) });
    expect((1000 / run.ms) * 1000).toBeGreaterThan(20 * 0.75);
    expect(run.refused).toBeLessThan(500);
  });

  it("drops the learned rate of a host that no longer rejects requests", async () => {
    const limited = rateLimited(20, { counts: "bucket", retryAfterMs: 1000 });
    const run = await simulate(3000, {
      latencyMs: 50,
      answer: (request) => (request.at < 10_000 ? limited(request) : DONE),
    });
    expect(run.ms).toBeLessThan(20_000);
    expect(run.concurrency).toBe(128);
  });

  it("sends few requests to a host that rejects everything for a while", async () => {
    const shut = { kind: "busy", retryAfterMs: 1000, headers: NO_HEADERS } as const;
    const run = await simulate(1000, { latencyMs: 50, answer: ({ at }) => (at < 20_000 ? shut : DONE) });
    expect(run.refused).toBeLessThan(200);
    expect(run.ms).toBeLessThan(28_000);
  });

  it("never goes below its initial concurrency because responses become slow", async () => {
    const gate = createGate({ initial: 16, max: 128, longestWaitMs: 0, now: () => 0, sleep: async () => {} });
    for (const ms of [10, 10, 1000, 1000]) {
      const turns = await Promise.all(Array.from({ length: gate.concurrency }, () => gate.enter(undefined)));
      for (const turn of turns) turn.leave({ ...DONE, ms });
    }
    expect(gate.concurrency).toBe(16);
  });

  it("admits an aborted request at once, so that it can end", async () => {
    const gate = createGate({ initial: 1, max: 1, longestWaitMs: 0, now: () => 0, sleep: async () => {} });
    const controller = new AbortController();
    await gate.enter(undefined);
    const second = gate.enter(controller.signal);
    controller.abort();
    await expect(second).resolves.toHaveProperty("leave");
  });
});

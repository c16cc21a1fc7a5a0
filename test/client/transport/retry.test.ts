import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRetryAfter, planRetry, type RetryState } from "../../../src/client/transport/retry.ts";
import type { RequestFacts } from "../../../src/client/transport/outcome.ts";

const FIRST: RetryState = {
  policy: "always",
  attempts: 1,
  maxAttempts: 5,
  throttles: 0,
  throttledMs: 0,
  maxThrottledMs: 60_000,
  random: () => 0.5,
};

function answered(status: number, more: Partial<RequestFacts> = {}): RequestFacts {
  return { message: "", stage: "answered", status, ...more };
}

function broken(code: string, stage: RequestFacts["stage"] = "on-the-way"): RequestFacts {
  return { message: "", stage, code };
}

describe("a request that is safe to retry", () => {
  it.each([
    ["500", answered(500)],
    ["502", answered(502)],
    ["503", answered(503)],
    ["504", answered(504)],
    ["408", answered(408)],
    ["425", answered(425)],
    ["a closed connection", broken("UND_ERR_SOCKET")],
    ["a reset connection", broken("ECONNRESET")],
    ["a silent service", broken("UND_ERR_HEADERS_TIMEOUT")],
    ["a refused connection", broken("ECONNREFUSED", "before-sending")],
    ["a response that isn't JSON", answered(200, { code: "BAD_JSON" })],
    ["a key whose first request is still running", answered(409, { problemCode: "idempotency_in_progress" })],
  ])("is retried after %s, with half of the first delay at a random value of 0.5", (_, facts) => {
    expect(planRetry(facts, FIRST)).toBe(125);
  });

  it.each([
    ["400", answered(400)],
    ["401", answered(401)],
    ["404", answered(404)],
    ["409", answered(409)],
    ["412", answered(412)],
    ["413", answered(413)],
    ["422", answered(422)],
    ["501", answered(501)],
    ["507", answered(507)],
    ["a redirect", answered(302)],
    ["an unknown host", broken("ENOTFOUND", "before-sending")],
    ["an expired certificate", broken("CERT_HAS_EXPIRED", "before-sending")],
    ["a server that doesn't speak HTTP", broken("HPE_INVALID_CONSTANT")],
    ["a response that is too large", broken("UND_ERR_RES_EXCEEDED_MAX_SIZE")],
  ])("isn't retried after %s, which wouldn't change", (_, facts) => {
    expect(planRetry(facts, FIRST)).toBeUndefined();
  });

  it("waits longer with each attempt, up to ten seconds, and fails after the last one", () => {
    const delays = [1, 2, 3, 4, 8].map((attempts) => {
      return planRetry(answered(503), { ...FIRST, attempts, maxAttempts: 9, random: () => 1 });
    });
    expect(delays).toEqual([250, 500, 1000, 2000, 10_000]);
    expect(planRetry(answered(503), { ...FIRST, attempts: 5 })).toBeUndefined();
  });
});

describe("a request that must not run twice", () => {
  it.each([
    ["a refused connection", broken("ECONNREFUSED", "before-sending"), 125],
    ["429", answered(429), 125],
    ["503", answered(503), undefined],
    ["a closed connection", broken("UND_ERR_SOCKET"), undefined],
    ["a silent service", broken("UND_ERR_HEADERS_TIMEOUT"), undefined],
    ["a response that isn't JSON", answered(201, { code: "BAD_JSON" }), undefined],
  ])("is retried after %s only if it certainly didn't run", (_, facts, delay) => {
    expect(planRetry(facts, { ...FIRST, policy: "unsent", throttles: 1 })).toBe(delay);
  });

  it.each([broken("ECONNREFUSED", "before-sending"), answered(429), answered(503)])(
    "is never retried if retries are disabled",
    (facts) => {
      expect(planRetry(facts, { ...FIRST, policy: "never" })).toBeUndefined();
    },
  );
});

describe("Retry-After", () => {
  it("is never shortened, and concurrent waits are spread", () => {
    expect(planRetry(answered(503, { retryAfterMs: 2000 }), { ...FIRST, random: () => 0 })).toBe(2000);
    expect(planRetry(answered(503, { retryAfterMs: 2000 }), { ...FIRST, random: () => 1 })).toBe(2250);
  });

  it("ends the call if it exceeds the maximum wait", () => {
    expect(planRetry(answered(503, { retryAfterMs: 60_001 }), FIRST)).toBeUndefined();
    expect(planRetry(answered(429, { retryAfterMs: 60_001 }), FIRST)).toBeUndefined();
  });

  it("of several 429 responses adds up, and doesn't count as attempts", () => {
    const throttled = { ...FIRST, attempts: 0, throttles: 20, throttledMs: 50_000, random: () => 0 };
    expect(planRetry(answered(429, { retryAfterMs: 9000 }), throttled)).toBe(9000);
    expect(planRetry(answered(429, { retryAfterMs: 11_000 }), throttled)).toBeUndefined();
  });

  it("isn't expected after a response about what a plan holds, which is repeated only as often as a failure", () => {
    const full = answered(429, { isFixedLimit: true });
    expect(planRetry(full, { ...FIRST, throttles: 4 })).toBeGreaterThan(0);
    expect(planRetry(full, { ...FIRST, throttles: 5 })).toBeUndefined();
  });

  it("that is missing or zero still causes a delay for a throttled request", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.constant(0), { nil: undefined }),
        (dice, ms) => {
          const delay = planRetry(answered(429, { retryAfterMs: ms }), { ...FIRST, throttles: 3, random: () => dice });
          expect(delay).toBeGreaterThanOrEqual(100);
        },
      ),
    );
  });

  const NOW = Date.parse("2026-08-01T12:00:00Z");
  it.each([
    ["120", undefined, 120_000],
    ["0", undefined, 0],
    ["1.5", undefined, 1500],
    ["Sat, 01 Aug 2026 12:00:30 GMT", undefined, 30_000],
    ["Sat, 01 Aug 2026 11:00:00 GMT", undefined, 0],
    ["Sat, 01 Aug 2030 00:01:00 GMT", "Sat, 01 Aug 2030 00:00:00 GMT", 60_000],
    ["soon", undefined, undefined],
    ["", undefined, undefined],
    [undefined, undefined, undefined],
  ])("%s with the date %s means %s ms", (value, date, ms) => {
    expect(parseRetryAfter(value, { date, now: NOW })).toBe(ms);
  });
});

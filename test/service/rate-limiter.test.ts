import { expect, it } from "vitest";
import { createRateLimiter } from "../../src/service/http/rate-limiter.ts";

/** Whether the second address can still send a request after the first one has reached its limit. */
function maySendAfter(first: string, second: string): boolean {
  const limiter = createRateLimiter({ perKey: 1, perAddress: 1, windowSeconds: 60 });
  const now = new Date("2026-03-01T10:00:00Z");
  limiter.count({ kind: "address", id: first }, now);
  try {
    limiter.count({ kind: "address", id: second }, now);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ["203.0.113.1", "203.0.113.1"],
  ["203.0.113.1", "::ffff:203.0.113.1"],
  ["2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff"],
  ["fe80::1%eth0", "fe80::2%eth0"],
])("counts %s and %s as one client", (first, second) => {
  expect(maySendAfter(first, second)).toBe(false);
});

it.each([
  ["203.0.113.1", "203.0.113.2"],
  ["2001:db8:0:1::1", "2001:db8:0:2::1"],
  ["in process", "203.0.113.1"],
])("counts %s and %s separately", (first, second) => {
  expect(maySendAfter(first, second)).toBe(true);
});

it("starts over in the next window, even with very many addresses", () => {
  const limiter = createRateLimiter({ perKey: 1, perAddress: 1, windowSeconds: 60 });
  const count = (number: number, second: number) =>
    limiter.count({ kind: "key", id: String(number) }, new Date(Date.UTC(2026, 2, 1, 10, 0, second)));
  for (let number = 0; number < 12_000; number++) count(number, 0);
  expect(() => count(0, 59)).toThrow("The limit is 1 request in");
  expect(count(0, 60)["RateLimit"]).toBe('"default";r=0;t=60');
});

it("recovers from a window that a wrong clock opened far in the future", () => {
  const limiter = createRateLimiter({ perKey: 1, perAddress: 1, windowSeconds: 60 });
  const who = { kind: "address", id: "192.0.2.1" } as const;
  limiter.count(who, new Date("2030-01-01T00:00:00Z"));
  const right = new Date("2026-01-01T00:00:00Z");
  expect(limiter.count(who, right)).toMatchObject({ RateLimit: '"default";r=0;t=60' });
  expect(() => limiter.count(who, right)).toThrow("The limit is 1 request in 60 seconds.");
});

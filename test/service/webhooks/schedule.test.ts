import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATTEMPT_DELAYS_MS, evaluateAttempt } from "../../../src/service/webhooks/schedule.ts";
import { renderPayload } from "../../../src/service/resources/events.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const HOUR = 3_600_000;

function judge(result: Partial<Parameters<typeof evaluateAttempt>[0]>, chance = 0.5) {
  return evaluateAttempt({ attempts: 1, status: 500, retryAfter: undefined, ...result }, { now: NOW, chance });
}

describe("an attempt", () => {
  it("with any status from 200 to 299 succeeds, and no other does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        expect(judge({ status }).kind === "delivered").toBe(status >= 200 && status < 300);
      }),
    );
  });

  it("is followed by another one within ten percent of the schedule, at random", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
        const verdict = judge({ attempts }, chance);
        const wait = verdict.kind === "again" ? verdict.at.getTime() - NOW.getTime() : Number.NaN;
        const planned = ATTEMPT_DELAYS_MS[attempts] ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(planned * 0.9 - 1);
        expect(wait).toBeLessThanOrEqual(planned * 1.1 + 1);
      }),
    );
  });

  it.each([
    ["the tenth", { attempts: 10 }],
    ["one with status 410", { status: 410 }],
  ])("is the last if it is %s", (_, result) => {
    expect(judge(result)).toEqual({ kind: "failed" });
  });

  it.each([
    ["3600", HOUR],
    [" 7200 ", 2 * HOUR],
    [new Date(NOW.getTime() + HOUR).toUTCString(), HOUR],
    ["86400000", 24 * HOUR],
    ["1", 5000],
    ["-5", 5000],
    ["never", 5000],
    ["", 5000],
    [new Date(0).toUTCString(), 5000],
  ])(
    "with Retry-After %j is followed by another one after that delay, but not earlier than scheduled",
    (retryAfter, ms) => {
      expect(judge({ retryAfter })).toEqual({ kind: "again", at: new Date(NOW.getTime() + ms) });
    },
  );
});

describe("a payload", () => {
  it("contains the type, the time, and the data", () => {
    expect(renderPayload({ type: "page.published", at: NOW, data: { slug: "größe" } })).toBe(
      '{"type":"page.published","timestamp":"2026-01-01T00:00:00.000Z","data":{"slug":"größe"}}',
    );
  });

  it("that would be too large keeps its short fields and is marked as truncated", () => {
    const data = { submissionId: "sb_1", email: null, fields: { text: "x".repeat(30_000) }, note: "y".repeat(300) };
    expect(JSON.parse(renderPayload({ type: "form.submitted", at: NOW, data })).data).toEqual({
      submissionId: "sb_1",
      email: null,
      thin: true,
    });
  });

  it("is never larger than 20 KiB, whatever a visitor sends", () => {
    const field = fc.oneof(
      fc.string({ maxLength: 40_000, unit: "binary" }),
      fc.array(fc.string(), { maxLength: 2000 }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 50 }), field, { maxKeys: 50 }), (fields) => {
        const payload = renderPayload({ type: "form.submitted", at: NOW, data: { submissionId: "sb_1", fields } });
        expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(20 * 1024);
        expect(JSON.parse(payload).data.submissionId).toBe("sb_1");
      }),
      { numRuns: 50 },
    );
  });
});

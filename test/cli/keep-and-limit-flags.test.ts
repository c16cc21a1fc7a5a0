import { expect, it } from "vitest";
import { parseLimits, parseRetention } from "../../src/cli/serve-flags.ts";

it("parses retention periods", () => {
  const texts = ["requests=3", "events=90", "submissions=365", "stats=forever"];
  expect(parseRetention(texts)).toEqual({ requestLogDays: 3, eventDays: 90, submissionDays: 365, statsDays: null });
});

it.each(["events", "events=", "events=0", "events=-1", "pages=3", "=3", "events=1.5"])(
  "rejects %s as a retention period",
  (text) => {
    expect(() => parseRetention([text])).toThrow(expect.objectContaining({ code: "USAGE" }));
  },
);

it("parses account limits", () => {
  expect(parseLimits(["pages=100000", "sites=500"])).toEqual({ maxPages: 100_000, maxSites: 500 });
});

it.each(["pages", "pages=", "pages=0", "pages=-1", "pages=forever", "pages=1=2", "posts=3", "toString=1"])(
  "rejects %s as a limit",
  (text) => {
    expect(() => parseLimits([text])).toThrow(expect.objectContaining({ code: "USAGE" }));
  },
);

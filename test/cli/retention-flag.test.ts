import { expect, it } from "vitest";
import { parseRetention } from "../../src/cli/serve-flags.ts";

it("reads how long to keep what grows", () => {
  const texts = ["requests=3", "events=90", "submissions=365", "stats=forever"];
  expect(parseRetention(texts)).toEqual({ requestLogDays: 3, eventDays: 90, submissionDays: 365, statsDays: null });
});

it.each(["events", "events=", "events=0", "events=-1", "pages=3", "=3", "events=1.5"])("refuses %s", (text) => {
  expect(() => parseRetention([text])).toThrow(expect.objectContaining({ code: "USAGE" }));
});

import { describe, expect, it } from "vitest";
import { readQuota } from "../../../src/client/transport/quota.ts";

const DATE = "Sat, 21 Nov 2026 10:00:00 GMT";
const AT = Date.parse(DATE) / 1000;

describe("the quota in a response", () => {
  it.each([
    [
      "the draft standard with a named policy",
      { ratelimit: '"default";r=12;t=30', "ratelimit-policy": '"default";q=600;w=60' },
      { left: 12, resetMs: 30_000, windowMs: 60_000 },
    ],
    [
      "the strictest of several limits",
      {
        ratelimit: '"day";r=900;t=4000, "burst";r=3;t=1',
        "ratelimit-policy": '"day";q=1000;w=86400, "burst";q=10;w=1',
      },
      { left: 3, resetMs: 1000, windowMs: 1000 },
    ],
    ["an earlier draft", { ratelimit: "limit=100, remaining=5, reset=7" }, { left: 5, resetMs: 7000 }],
    ["separate fields", { "ratelimit-remaining": "4", "ratelimit-reset": "9" }, { left: 4, resetMs: 9000 }],
    [
      "X- fields with seconds",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "12" },
      { left: 0, resetMs: 12_000 },
    ],
    [
      "X- fields with a time",
      { "x-ratelimit-remaining": "8", "x-ratelimit-reset": String(AT + 20), date: DATE },
      { left: 8, resetMs: 20_000 },
    ],
  ])("is read from %s", (_, headers, quota) => {
    expect(readQuota(new Map(Object.entries(headers)))).toMatchObject(quota);
  });

  it.each([
    ["there are no headers", {}],
    ["the end of the window is missing", { "x-ratelimit-remaining": "0" }],
    [
      "a time can't be compared with the service's clock",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(AT) },
    ],
    [
      "the values aren't numbers",
      { ratelimit: '"default";r=many;t=soon', "ratelimit-remaining": "", "ratelimit-reset": "" },
    ],
  ])("is unknown if %s", (_, headers) => {
    expect(readQuota(new Map(Object.entries(headers)))).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import type { Outcome } from "../../../src/sync/apply.ts";
import { ImprintError } from "../../../src/base/error.ts";
import { renderGithubAnnotations, renderGithubSummary } from "../../../src/sync/report/render-github.ts";
import { reportOutcomes } from "../../../src/sync/report/report.ts";

function reportOf(outcomes: readonly Outcome[]) {
  return reportOutcomes(outcomes, {
    changes: [],
    target: { baseUrl: "http://service", routeSet: "a" },
    warnings: [],
    links: {},
    requests: { total: 3, writes: 1 },
    elapsedMs: 1200,
    strict: false,
    invalidPosts: [],
  });
}

const done: Outcome = {
  resource: "page",
  kind: "create",
  name: "about",
  reason: "new",
  status: "done",
  url: "http://p/about",
  bytes: 10,
};
const failed: Outcome = {
  resource: "page",
  kind: "update",
  name: "home",
  reason: "changed",
  status: "failed",
  error: new ImprintError("SERVICE_FAILED", "It broke: 50%\nat once"),
};

it("makes one annotation for a failure that the runner reads back as it was", () => {
  const [line = "", ...others] = renderGithubAnnotations(reportOf([done, failed]))
    .trimEnd()
    .split("\n");
  expect(others).toEqual([]);
  expect(line).toMatch(/^::error title=page home failed::It broke: 50%25%0Aat once \(SERVICE_FAILED\)%0A/);
});

it("writes a summary with counts, addresses and failures", () => {
  const summary = renderGithubSummary(reportOf([done, failed]));
  expect(summary).toContain("[about](http://p/about)");
  expect(summary).toContain("| pages | 1 | 1 |");
  expect(summary).toContain("Not everything could be published");
});

it("lets no name break out of its cell or become markup", () => {
  const summary = renderGithubSummary(reportOf([{ ...done, name: "a|b <img src=x> [l](http://x) `c`\nd" }]));
  expect(summary).not.toMatch(/<img|\[l\]|`c`|a\|b/);
});

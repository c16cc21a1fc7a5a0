import { expect, it } from "vitest";
import { ImprintError } from "../../../src/base/error.ts";
import { renderGithubAnnotations, renderGithubSummary } from "../../../src/sync/report/render-ci.ts";
import { reportOutcomes, type ReportInput } from "../../../src/sync/report/report.ts";
import type { Outcome } from "../../../src/base/outcome.ts";

function reportOf(outcomes: readonly Outcome[], input: Partial<ReportInput> = {}) {
  return reportOutcomes(outcomes, {
    changes: [],
    target: { baseUrl: "http://service", routeSet: "a" },
    warnings: [],
    links: {},
    requests: { total: 3, writes: 1 },
    elapsedMs: 1200,
    strict: false,
    invalidPosts: [],
    ...input,
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

it("creates one annotation per failure, which the runner decodes correctly", () => {
  const [line = "", ...others] = renderGithubAnnotations(reportOf([done, failed]))
    .trimEnd()
    .split("\n");
  expect(others).toEqual([]);
  expect(line).toMatch(/^::error title=page home failed::It broke: 50%25%0Aat once \(SERVICE_FAILED\)%0A/);
});

it("links to the lines of failed posts and posts on hold, but not to files of the build", () => {
  const location = { file: "blog/a.md", line: 3, column: 1 };
  const report = reportOf([], {
    invalidPosts: [{ file: "blog/a.md", error: new ImprintError("POST_INVALID", "No date.", { location }) }],
    warnings: [
      { code: "post-on-hold", file: "blog/b.md", line: 4, column: 1, message: "Unknown status." },
      { code: "dangling-link", file: "index.html", line: 9, message: "No such page." },
    ],
  });
  expect(renderGithubAnnotations(report).trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^::error file=blog\/a\.md,line=3,col=1,title=post blog\/a\.md failed::No date\./),
    "::warning file=blog/b.md,line=4,col=1,title=blog/b.md::Unknown status.",
    "::warning title=index.html::No such page.",
  ]);
});

it("writes a summary with counts, addresses, and failures", () => {
  const summary = renderGithubSummary(reportOf([done, failed]));
  expect(summary).toContain("[about](http://p/about)");
  expect(summary).toContain("| pages | 1 | 1 |");
  expect(summary).toContain("Not everything could be published");
});

it("escapes names, so that they can't break out of their cell or become markup", () => {
  const summary = renderGithubSummary(reportOf([{ ...done, name: "a|b <img src=x> [l](http://x) `c`\nd" }]));
  expect(summary).not.toMatch(/<img|\[l\]|`c`|a\|b/);
});

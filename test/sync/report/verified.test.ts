import { expect, it } from "vitest";
import { renderCodeQuality, renderGithubAnnotations, renderGithubSummary } from "../../../src/sync/report/render-ci.ts";
import { renderText } from "../../../src/sync/report/render-text.ts";
import { reportOutcomes } from "../../../src/sync/report/report.ts";

const usedBy = ["index", "about", "a", "b", "c", "d"];
const hint = "Run `imprint publish` again to upload it.";
const problem = { kind: "file", address: "https://files.example/logo.png", found: "404", usedBy, hint } as const;
const report = reportOutcomes([], {
  target: { baseUrl: "http://service", routeSet: "a" },
  changes: [],
  warnings: [],
  links: {},
  requests: { total: 3, writes: 1 },
  elapsedMs: 1200,
  strict: false,
  invalidPosts: [],
  verified: { pages: 12, posts: 0, files: 34, links: 80, problems: [problem], redirects: [] },
});

it("sets the exit code to 1 and reports one file of many pages in one line", () => {
  expect(report.exitCode).toBe(1);
  const text = renderText(report);
  expect(text).toContain("Verified 12 pages, 34 files and 80 links: 1 problem.");
  expect(text).toContain(
    "x file https://files.example/logo.png: 404\n      used by 6 pages: index, about, a, b, c, …\n",
  );
});

it("doesn't call anything live if nothing is published", () => {
  const verified = { pages: 0, posts: 0, files: 0, links: 0, problems: [], redirects: [] };
  const text = renderText({ ...report, verified });
  expect(text).toContain("Nothing was verified: no page of this site is published.");
  expect(text).not.toContain("all live");
});

it("prints an error in the log and a table in the summary on GitHub", () => {
  expect(renderGithubAnnotations(report)).toBe(
    `::error title=not live::file https://files.example/logo.png: 404%0Aused by 6 pages: index, about, a, b, c, …%0A${hint}\n`,
  );
  expect(renderGithubSummary(report)).toContain(
    "| file | index, about, a, b, c, d | https://files.example/logo.png | 404 |",
  );
});

it("creates a blocker in GitLab's code quality report", () => {
  expect(JSON.parse(renderCodeQuality(report))).toMatchObject([
    { check_name: "not-live", severity: "blocker", location: { path: "index" } },
  ]);
});

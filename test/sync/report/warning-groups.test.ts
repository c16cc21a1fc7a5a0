import { expect, it } from "vitest";
import type { SiteWarning } from "../../../src/site/model.ts";
import { renderCodeQuality, renderGithubAnnotations, renderGithubSummary } from "../../../src/sync/report/render-ci.ts";
import { renderText } from "../../../src/sync/report/render-text.ts";
import { isClean, reportPlan, type Report } from "../../../src/sync/report/report.ts";

function reportOf(warnings: readonly SiteWarning[]): Report {
  return reportPlan({
    changes: [],
    target: { baseUrl: "https://pages.example.org", routeSet: "a" },
    warnings,
    links: {},
    requests: { total: 1, writes: 0 },
    elapsedMs: 10,
    strict: false,
    invalidPosts: [],
  });
}

const LOST = {
  code: "missing-file",
  message: "<img> refers to /photos/lost.jpg, which is missing from the built site.",
  target: "/photos/lost.jpg",
};
const onFourPages: readonly SiteWarning[] = [
  { ...LOST, file: "a/index.html", line: 7 },
  { ...LOST, file: "b/index.html", line: 8 },
  { ...LOST, file: "a/index.html", line: 9 },
  {
    ...LOST,
    file: "c/index.html",
    line: 7,
    message: "<source> names ../photos/lost.jpg, which the built site …",
  },
  { ...LOST, file: "d/index.html", line: 7 },
];
const single = {
  code: "pagefind",
  file: "a/index.html",
  line: 12,
  message: "The search can't find its index.",
};

it("prints a repeated warning in one line, with the number of pages and the first three", () => {
  expect(renderText(reportOf([...onFourPages, single]))).toContain(
    [
      "  ! 4 pages  <img> refers to /photos/lost.jpg, which is missing from the built site.",
      "      a/index.html:7",
      "      b/index.html:8",
      "      c/index.html:7",
      "      … and 1 more",
      "  ! a/index.html:12  The search can't find its index.",
      "",
    ].join("\n"),
  );
});

it("names a page once if it has the warning in several places", () => {
  const warnings = [7, 9].map((line) => ({ ...LOST, file: "a/index.html", line }));
  expect(renderText(reportOf(warnings))).toContain(
    "  ! a/index.html:7 and 1 more place  <img> refers to /photos/lost.jpg",
  );
});

it("lists every place in the JSON, with the number of pages", () => {
  expect(reportOf([...onFourPages, single]).warnings).toEqual([
    {
      ...onFourPages[0],
      pages: 4,
      places: [
        { file: "a/index.html", line: 7 },
        { file: "b/index.html", line: 8 },
        { file: "a/index.html", line: 9 },
        { file: "c/index.html", line: 7 },
        { file: "d/index.html", line: 7 },
      ],
    },
    { ...single, pages: 1, places: [{ file: "a/index.html", line: 12 }] },
  ]);
});

it("creates one finding on GitLab, which stays the same if more pages have the warning", () => {
  const [before] = JSON.parse(renderCodeQuality(reportOf(onFourPages.slice(0, 2))));
  const findings = JSON.parse(renderCodeQuality(reportOf(onFourPages)));
  expect(findings).toHaveLength(1);
  expect(findings[0].fingerprint).toBe(before.fingerprint);
  expect(findings[0].location).toEqual({ path: "a/index.html", lines: { begin: 7 } });
  expect(findings[0].description).toContain("4 pages: a/index.html:7, b/index.html:8, c/index.html:7, … and 1 more");
});

it("never hides a warning because of others", () => {
  const others = Array.from({ length: 40 }, (_, index) => ({
    ...LOST,
    file: "a/index.html",
    target: `/photos/${index}.jpg`,
    message: `<img> names /photos/${index}.jpg, which the built site does not have.`,
  }));
  const report = reportOf([...others, single]);
  expect(renderText(report)).toContain(single.message);
  expect(renderGithubSummary(report)).toContain(single.message);
  const annotations = renderGithubAnnotations(report).trimEnd().split("\n");
  expect(annotations).toHaveLength(10);
  expect(annotations.at(-1)).toMatch(/^::warning title=32 more warnings::a\/index\.html: <img>/);
  expect(annotations.at(-1)).toContain(single.message);
});

it("prints the first twelve warnings of a kind, and how many others there are", () => {
  const links = Array.from({ length: 250 }, (_, index) => ({
    ...{ code: "dangling-link", file: `notes/${index}/index.html`, line: 4 },
    message: `Broken link: the built site has no /old/${index}/.`,
  }));
  const report = reportOf([...links, single]);
  const lines = renderText(report).split("\n");
  expect(lines.filter((line) => line.includes("Broken link"))).toHaveLength(12);
  expect(lines.slice(lines.findIndex((line) => line.includes("/old/11/")) + 1).slice(0, 2)).toEqual([
    "    … and 238 more like these; `imprint plan --json` lists all",
    "  ! a/index.html:12  The search can't find its index.",
  ]);
  const rows = renderGithubSummary(report).split("\n");
  expect(rows.filter((row) => row.includes("Broken link"))).toHaveLength(100);
  expect(rows).toContain("| dangling-link | … and 150 more |  |");
  expect(report.warnings).toHaveLength(251);
});

it("a report needs attention for a warning, but not for a notice", () => {
  const notice: SiteWarning = { ...LOST, file: "a/index.html", isNotice: true };
  expect(isClean(reportOf([]))).toBe(true);
  expect(isClean(reportOf([notice]))).toBe(true);
  expect(isClean(reportOf([notice, single]))).toBe(false);
});

it("counts routes as pages, and anything else as files", () => {
  const warnings = (files: readonly string[]) => files.map((file) => ({ ...LOST, file }));
  expect(renderText(reportOf(warnings(["/about/", "/", "team/index.html"])))).toContain("! 3 pages ");
  expect(renderText(reportOf(warnings(["src/a.md", "src/b.md"])))).toContain("! 2 files ");
});

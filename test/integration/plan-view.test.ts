import { expect, it } from "vitest";
import { viewPlan } from "../../src/integration/toolbar/plan-view.ts";
import { reportPlan } from "../../src/sync/report/report.ts";

it("the toolbar shows the page's warnings and those of sources, but lists posts on hold elsewhere", () => {
  const warnings = [
    { code: "post-on-hold", file: "src/content/blog/a.md", line: 8, message: "Unknown status." },
    { code: "dangling-link", file: "about/index.html", line: 3, message: "No such page." },
    { code: "dangling-link", file: "index.html", line: 9, message: "Nor this." },
    { code: "post-picture", file: "src/content/blog/b.md", message: "No such picture." },
  ] as const;
  const report = reportPlan({
    ...{ changes: [], warnings, links: {}, elapsedMs: 0, strict: false, invalidPosts: [] },
    target: { baseUrl: "https://pages.example.org", routeSet: "a" },
    requests: { total: 0, writes: 0 },
  });
  const view = viewPlan({ report, route: "/about/", slug: "about", file: "about/index.html", diff: "", at: 0 }, false);
  expect(view.warnings).toEqual([
    { message: "No such page.", place: "about/index.html:3" },
    { message: "No such picture.", place: "src/content/blog/b.md" },
  ]);
  expect(view.otherWarnings).toBe(1);
});

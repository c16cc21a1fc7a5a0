import fc from "fast-check";
import { expect, it } from "vitest";
import { ImprintError } from "../../../src/base/error.ts";
import type { ChangeSummary } from "../../../src/sync/changes.ts";
import { renderText } from "../../../src/sync/report/render-text.ts";
import { reportOutcomes } from "../../../src/sync/report/report.ts";
import type { Outcome } from "../../../src/base/outcome.ts";

const input = {
  target: { baseUrl: "http://service", routeSet: "a" },
  warnings: [],
  links: {},
  requests: { total: 3, writes: 1 },
  elapsedMs: 1200,
  strict: false,
  invalidPosts: [],
} as const;

const changes: readonly ChangeSummary[] = [
  { resource: "asset", kind: "create", name: "hero.png", reason: "new" },
  { resource: "asset", kind: "create", name: "hero.png", reason: "new" },
  { resource: "page", kind: "create", name: "about", reason: "new" },
  { resource: "page", kind: "update", name: "index", reason: "changed" },
  { resource: "page", kind: "delete", name: "old", reason: "gone" },
];

it("lists outcomes in the order of the plan, regardless of the order of responses", () => {
  const outcomes = changes.map((change, index): Outcome => ({ ...change, status: "done", bytes: index }));
  fc.assert(
    fc.property(fc.shuffledSubarray([...outcomes], { minLength: outcomes.length }), (answered) => {
      const { entries } = reportOutcomes(answered, { ...input, changes });
      expect(entries.map(({ bytes }) => bytes)).toEqual([0, 1, 2, 3, 4]);
    }),
  );
});

it("names a page once that failed several checks, or was blocked after it was sent", () => {
  const about = { resource: "page", kind: "create", name: "about", reason: "new" } as const;
  const error = new ImprintError("NOT_LIVE", "Readers don't see it.");
  const outcomes: readonly Outcome[] = [
    { ...about, status: "done", bytes: 473 },
    { ...about, status: "failed", error, bytes: 473 },
    { ...about, status: "failed", error: new ImprintError("NOT_LIVE", "It is a draft."), bytes: 473 },
    { ...about, kind: "blocked", status: "skipped" },
  ];
  const { entries } = reportOutcomes(outcomes, { ...input, changes });
  expect(entries).toMatchObject([{ name: "about", kind: "failed", error: { message: "Readers don't see it." } }]);
});

it("lists what a preview leaves untouched, and what seems unused in the library", () => {
  const spareAssets = { count: 2, bytes: 3400 };
  const text = renderText(reportOutcomes([], { ...input, changes: [], preview: "pr-12", spareAssets }));
  expect(text).toContain("Nothing changed at the preview pr-12 at http://service.");
  expect(text).toContain("  A preview doesn't change the live pages, the site, posts, or the brand kit.");
  expect(text).toContain("  2 files in the library seem unused (3.4 kB): see `imprint assets prune`.");
});

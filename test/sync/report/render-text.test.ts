import { expect, it } from "vitest";
import { renderText } from "../../../src/sync/report/render-text.ts";
import { reportOutcomes, reportPlan } from "../../../src/sync/report/report.ts";
import { ImprintError } from "../../../src/base/error.ts";
import { wrapFor } from "../../../src/cli/terminal.ts";
import type { Outcome } from "../../../src/base/outcome.ts";

const input = {
  changes: [],
  target: { baseUrl: "https://pages.example.org", routeSet: "a" },
  warnings: [
    {
      code: "dangling-link",
      file: "index.html",
      line: 12,
      message: "The link to /nowhere/ leads to no page of the site.",
    },
  ],
  links: { home: "https://site.example.org/p/index" },
  requests: { total: 9, writes: 3 },
  elapsedMs: 1240,
  strict: false,
  invalidPosts: [],
} as const;

const outcomes: readonly Outcome[] = [
  {
    resource: "asset",
    kind: "create",
    name: "hero.webp",
    reason: "new",
    status: "done",
    url: "https://x/a",
    bytes: 61_000,
  },
  {
    resource: "page",
    kind: "create",
    name: "about",
    reason: "new",
    status: "done",
    url: "https://x/p/about",
    bytes: 2100,
  },
  {
    ...{ resource: "page", kind: "update", name: "contact", reason: "its content changed", status: "failed" },
    error: new ImprintError("SERVICE_REFUSED", "PUT /api/pages/contact was answered with 422.", {
      hint: "Make it smaller.",
    }),
  },
];

const pages = { out: { isTTY: true, columns: 60, write() {} } };

it("lists addresses of pages and posts in a log, but not of library files", () => {
  expect(renderText(reportOutcomes(outcomes, input))).toMatchInlineSnapshot(`
    "Not everything could be published to https://pages.example.org.

      pages       1 published · 1 failed
        x contact: PUT /api/pages/contact was answered with 422.
          Make it smaller.
        + about 2.1 kB  https://x/p/about
      assets      1 published
        + hero.webp 61 kB

      ! index.html:12  The link to /nowhere/ leads to no page of the site.

      Site  https://site.example.org/p/index
      1.2 s, 9 requests (3 writes), 63 kB sent
    "
  `);
});

it("says of a page that couldn't be deleted that everything else is published", () => {
  const [asset, page] = outcomes;
  const ofPage = { resource: "page", name: "old", reason: "no longer in the site" } as const;
  const error = new ImprintError("SERVICE_REFUSED", "DELETE /api/pages/old was answered with 500.", { hint: "Wait." });
  const removal = { ...ofPage, kind: "delete", status: "failed", error } as const;
  const blocked = { ...ofPage, kind: "blocked", status: "skipped", isLeftover: true } as const;
  const kept = { resource: "page", kind: "keep", name: "index", reason: "unchanged", status: "skipped" } as const;
  const firstLine = (done: readonly (Outcome | undefined)[]) =>
    renderText(
      reportOutcomes(
        done.filter((each) => each !== undefined),
        { ...input, warnings: [] },
      ),
    ).split("\n")[0];
  for (const left of [removal, blocked]) {
    expect(firstLine([asset, page, left])).toBe(
      "Published to https://pages.example.org, but not everything could be deleted.",
    );
    expect(firstLine([kept, left])).toBe(
      "Nothing changed at https://pages.example.org, but not everything could be deleted.",
    );
  }
  expect(firstLine([...outcomes, removal])).toBe("Not everything could be published to https://pages.example.org.");
});

it("says of a plan what can't be published, and names an invalid file once", () => {
  const [, failed] = outcomes;
  const message = 'blog/ink.md:4:1 "draft" must be true or false.';
  const invalid: Outcome = {
    ...{ resource: "post", kind: "create", name: "blog/ink.md", reason: "invalid", status: "failed" },
    error: new ImprintError("POST_INVALID", message),
  };
  const report = reportOutcomes([invalid, ...(failed === undefined ? [] : [failed])], { ...input, warnings: [] });
  const text = renderText({ ...report, dryRun: true });
  expect(text.split("\n")[0]).toBe("Not everything can be published to https://pages.example.org.");
  expect(text).toContain(`x ${message}`);
});

it("wraps at the width of a terminal", () => {
  const options = { wrap: wrapFor(pages.out), addresses: false };
  const text = renderText(reportOutcomes(outcomes, input), options);
  expect(text).toMatchInlineSnapshot(`
    "Not everything could be published to
      https://pages.example.org.

      pages       1 published · 1 failed
        x contact: PUT /api/pages/contact was answered with
          422.
          Make it smaller.
        + about 2.1 kB
      assets      1 published
        + hero.webp 61 kB

      ! index.html:12  The link to /nowhere/ leads to no page
        of the site.

      Site  https://site.example.org/p/index
      1.2 s, 9 requests (3 writes), 63 kB sent
    "
  `);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
});

it("shows reasons in a plan for everything except what is new", () => {
  const changes = [
    { resource: "page", kind: "create", name: "about", reason: "the service has no such page" },
    { resource: "page", kind: "update", name: "contact", reason: "its content changed" },
    { resource: "page", kind: "keep", name: "index", reason: "nothing changed" },
  ] as const;
  expect(renderText(reportPlan({ ...input, changes, warnings: [] }))).toMatchInlineSnapshot(`
    "Plan for https://pages.example.org. Nothing is sent.

      pages       1 to publish · 1 to update · 1 unchanged
        + about
        ~ contact: its content changed

      Site  https://site.example.org/p/index
      1.2 s, 9 requests (3 writes), nothing sent
    "
  `);
});

import { describe, expect, it } from "vitest";
import {
  parseForm,
  parseHeatmap,
  parsePageAnalytics,
  parsePageStats,
  parseScrollDepth,
  parseSubmission,
} from "../../../src/client/records/visitor-records.ts";

const CONTEXT = { baseUrl: "http://service", from: "GET /api/x", redact: (text: string) => text };

describe("a submission of another service", () => {
  it.each([
    [
      { submissionId: "1", fields: { a: "x", b: ["1", "2"], c: null, d: true } },
      [
        ["a", "x"],
        ["b", ["1", "2"]],
        ["d", "true"],
      ],
    ],
    [{ id: 7, data: { a: 1 } }, [["a", "1"]]],
    [
      {
        submission: {
          id: "1",
          answers: [
            { name: "a", value: "x" },
            { key: "b", value: { deep: 1 } },
          ],
        },
      },
      [
        ["a", "x"],
        ["b", '{"deep":1}'],
      ],
    ],
    [{ id: "1" }, []],
  ])("is read from %j", (json, fields) => {
    expect([...parseSubmission(json, CONTEXT).fields]).toEqual(fields);
  });

  it("without an id is an error", () => {
    expect(() => parseSubmission({ fields: {} }, CONTEXT)).toThrow("submission with an ID");
  });
});

describe("records of another service", () => {
  it("are read under the usual field names", () => {
    expect(parseForm({ form_id: "f", title: "Contact", inputs: [{ name: "a" }, {}] }, CONTEXT)).toMatchObject({
      ...{ id: "f", name: "Contact", fields: [{ name: "a" }] },
    });
    expect(parsePageStats({ page_slug: "a", pageviews: 3, unique_visitors: 2 }, CONTEXT)).toMatchObject({
      slug: "a",
      views: 3,
      visitors: 2,
    });
    expect(
      parsePageAnalytics(
        { data: { views: 3, timeline: [{ date: "2026-08-01", views: 3 }] } },
        { ...CONTEXT, asked: "a" },
      ),
    ).toMatchObject({
      totals: { slug: "a", views: 3 },
      series: [{ at: new Date("2026-08-01"), views: 3, visitors: 0 }],
    });
    expect(parseHeatmap({ clicks: [{ x: 1, y: 2 }, { x: "1" }] }, CONTEXT)).toMatchObject({
      points: [{ x: 1, y: 2, count: 1 }],
      elements: [],
    });
    expect(parseScrollDepth({ depths: [{ percent: 25, count: 4 }] }, CONTEXT)).toMatchObject({
      buckets: [{ depth: 25, reached: 4 }],
    });
  });

  it.each([parseForm, parsePageStats, parseHeatmap, parseScrollDepth])(
    "without the required fields cause an error: %o",
    (parse) => {
      expect(() => parse({ error: "x" }, CONTEXT)).toThrow(expect.objectContaining({ code: "RESPONSE_UNREADABLE" }));
    },
  );
});

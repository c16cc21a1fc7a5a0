import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutHeatmap, cutHtml } from "../../../src/service/mcp/answers.ts";

describe("the HTML of a page", () => {
  it("is cut into parts that make the whole, and never through a character", () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
    const property = fc.property(text, fc.integer({ min: 1, max: 8_000 }), (piece, times) => {
      const html = piece.repeat(times);
      const parts: string[] = [];
      for (let offset: unknown = 0; typeof offset === "number";) {
        const part = cutHtml({ slug: "one", html }, offset);
        parts.push(String(part["html"]));
        offset = part["nextHtmlOffset"];
      }
      expect(parts.join("")).toBe(html);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it("is not there beyond its end, and other records stay as they are", () => {
    expect(cutHtml({ html: "<p>" }, 100)).toEqual({ html: "", nextHtmlOffset: null });
    expect(cutHtml({ slug: "one" }, 0)).toEqual({ slug: "one" });
  });
});

describe("a heat map", () => {
  it("keeps the cells that were clicked most", () => {
    const points = Array.from({ length: 3_000 }, (_, count) => ({ x: 0, y: count, count }));
    const cut = cutHeatmap({ views: 1, points })["points"];
    expect(cut).toHaveLength(1_000);
    expect(cut).toMatchObject({ 0: { count: 2_999 }, 999: { count: 2_000 } });
  });
});

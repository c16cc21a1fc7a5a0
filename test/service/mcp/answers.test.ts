import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutHeatmap, cutHtml, findInHtml } from "../../../src/service/mcp/answers.ts";

describe("the HTML of a page", () => {
  it("is split into parts that make up the whole, never within a character", () => {
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

  it("is empty beyond its end, and other records stay unchanged", () => {
    expect(cutHtml({ html: "<p>" }, 100)).toEqual({ html: "", nextHtmlOffset: null });
    expect(cutHtml({ slug: "one" }, 0)).toEqual({ slug: "one" });
  });
});

describe("a heat map", () => {
  it("keeps the cells with the most clicks", () => {
    const points = Array.from({ length: 3_000 }, (_, count) => ({ x: 0, y: count, count }));
    const cut = cutHeatmap({ views: 1, points })["points"];
    expect(cut).toHaveLength(1_000);
    expect(cut).toMatchObject({ 0: { count: 2_999 }, 999: { count: 2_000 } });
  });
});

describe("a search in the HTML of a page", () => {
  it("shows each match with its context", () => {
    const record = { slug: "one", version: 3, title: "One", html: "<p>one</p><p>two</p><p>one</p>" };
    expect(findInHtml(record, { find: "one", around: 3 })).toMatchObject({
      ...{ slug: "one", version: 3, count: 2 },
      places: [
        { offset: 3, text: "<p>one</p" },
        { offset: 23, text: "<p>one</p" },
      ],
    });
    expect(findInHtml(record, { find: "three", around: 3 })).toMatchObject({ count: 0, places: [] });
  });

  it("never splits a character, and shows the first twenty of many matches", () => {
    const found = findInHtml({ html: "a😀b😀".repeat(100) }, { find: "b", around: 1 });
    expect(found).toMatchObject({ count: 100 });
    const places: readonly { readonly text: string }[] = Object(found)["places"];
    expect(places).toHaveLength(20);
    expect(places.every(({ text }) => text.isWellFormed())).toBe(true);
  });
});

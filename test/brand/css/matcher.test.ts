import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../src/brand/css/matcher.ts";
import { parseDocument } from "../../../src/brand/document.ts";
import { asDelivered } from "../../../src/brand/page/look.ts";

describe("matching selectors", () => {
  it("stops at a selector that takes too long, reports it, and continues", () => {
    const page = parseDocument(`${"<div>".repeat(150)}<p id="it">Text</p>`);
    const it = page.elements.find(({ attribs }) => attribs["id"] === "it");
    const matcher = createMatcher(asDelivered);
    const hostile = `.no ${"div ".repeat(30)}p`;
    expect(it !== undefined && matcher.matches(it, hostile)).toBe(false);
    expect([...matcher.problems]).toEqual([[hostile, "The work exceeds 5000 steps."]]);
    expect(it !== undefined && matcher.matches(it, "div p")).toBe(true);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineFinder } from "../../src/html/edits.ts";

describe("createLineFinder", () => {
  it("counts line breaks of every kind once, regardless of the order of lookups", () => {
    const text = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "<p>"), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (pieces, places) => {
        const source = pieces.join("");
        const findLine = createLineFinder(source);
        for (const place of places.filter((place) => !splitsBreak(source, place))) {
          expect(findLine(place)).toBe(source.slice(0, place).split(/\r\n|\r|\n/).length);
        }
      }),
    );
  });
});

function splitsBreak(text: string, place: number): boolean {
  return text.slice(place - 1, place + 1) === "\r\n";
}

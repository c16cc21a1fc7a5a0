import fc from "fast-check";
import { expect, it, test } from "vitest";
import { changesBetween, keepLineEnds, mergeTexts, splitLines } from "../../src/base/text-changes.ts";

const text = fc
  .array(fc.tuple(fc.constantFrom("one", "two", "", "three"), fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 12 })
  .map((lines) => lines.map((line) => line.join("")).join(""));

test("text returned from a form unchanged keeps every line end", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("", "end"), (lines, end) => {
      const original = lines + end;
      expect(keepLineEnds(original, original.replaceAll(/\r\n?/g, "\n"))).toBe(original);
    }),
  );
});

test("the changes describe what was typed, and transform one text into the other", () => {
  fc.assert(
    fc.property(text, text, (original, typed) => {
      const plain = typed.replaceAll(/\r\n?/g, "\n");
      expect(keepLineEnds(original, plain).replaceAll(/\r\n?/g, "\n")).toBe(plain);
      const [before, after] = [splitLines(original), splitLines(typed)];
      const result: string[] = [];
      let place = 0;
      for (const { start, end, lines } of changesBetween(before, after)) {
        result.push(...before.slice(place, start), ...lines);
        place = end;
      }
      expect([...result, ...before.slice(place)]).toEqual(after);
    }),
  );
});

it.each([
  ["only the edited line of mixed ends changes", "a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
  ["a new line gets the line end of the previous one", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
  ["no line end is added to the end of the file", "a\r\nb", "a\nB", "a\r\nB"],
] as const)("%s", (...[, original, edited, expected]) => {
  expect(keepLineEnds(original, edited)).toBe(expected);
});

it.each([
  ["changes in different places are merged", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n", 0],
  ["the same change is applied once", "a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n", 0],
  [
    "both versions of a conflicting place are kept",
    "a\nb\nc\n",
    "a\nmine\nc\n",
    "a\ntheirs\nc\n",
    "a\n<<<<<<< Yours\nmine\n=======\ntheirs\n>>>>>>> Saved meanwhile\nc\n",
    1,
  ],
] as const)("%s", (...[, base, mine, theirs, expected, conflicts]) => {
  expect(mergeTexts({ base, mine, theirs })).toEqual({ text: expected, conflicts });
});

test("merging loses no text: a side without changes gets the other's text", () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeTexts({ base, mine: base, theirs: other })).toEqual({ text: other, conflicts: 0 });
      expect(mergeTexts({ base, mine: other, theirs: base })).toEqual({ text: other, conflicts: 0 });
    }),
  );
});

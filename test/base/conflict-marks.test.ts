import { expect, test } from "vitest";
import { countConflicts, describeConflicts } from "../../src/base/conflict-marks.ts";
import { mergeTexts } from "../../src/base/text-changes.ts";

const BOTH = mergeTexts({ base: "a\nb\nc\n", mine: "A\nb\nC\n", theirs: "1\nb\n3\n" }).text;

test.each([
  ["each place of a merged text", BOTH, 2],
  ["whatever its line ends are", BOTH.replaceAll("\n", "\r\n"), 2],
  ["a place whose first mark was deleted", "b\n=======\nc\n>>>>>>> Saved meanwhile", 1],
  ["no heading, and no mark of another program", "Title\n=======\n\n<<<<<<< HEAD\n>>>>>>> theirs\n", 0],
  ["no mark within a line", "Write `<<<<<<< Yours` as the first line.\n", 0],
] as const)("counts as a conflict: %s", (_, text, count) => {
  expect(countConflicts(text)).toBe(count);
});

test("the sentence names the number of places", () => {
  expect(describeConflicts(1)).toMatch(/^1 place needs your decision, /);
  expect(describeConflicts(2)).toMatch(/^2 places need your decision, /);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { joinWords, splitWords } from "../../src/base/word-list.ts";

test.each([
  ["a, b", ["a", "b"]],
  [" a ,, b,a,", ["a", "b"]],
  ['"Portland, Oregon", paper', ["Portland, Oregon", "paper"]],
  ['paper,"Portland, Oregon"', ["paper", "Portland, Oregon"]],
  ['"say ""hi"", please"', ['say "hi", please']],
  ['12" vinyl, "quoted" word, 7"', ['12" vinyl', '"quoted" word', '7"']],
  ['"open, end', ['"open', "end"]],
  ["", []],
  [",", []],
])("%s is read as %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("each list of different words comes back as it was", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', " ") }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(fc.uniqueArray(word), (words) => {
      expect(splitWords(joinWords(words))).toEqual(words);
    }),
  );
});

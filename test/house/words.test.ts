import { expect, it } from "vitest";
import { findRetiredWords, retiredWordsIn } from "../../tools/house/words.ts";

it("sources and docs use the terms of the glossary", () => {
  expect(findRetiredWords()).toEqual([]);
});

it("detects retired words in text and in names, but not in plain English", () => {
  const words = (text: string) => retiredWordsIn("docs/a.md", text).map(({ word }) => word);
  expect(words("The plan tells both, and mends them.\nconst scene = keeper;")).toEqual([
    "tells",
    "mends",
    "scene",
    "keeper",
  ]);
  expect(words("It can't tell whether the post exists. A workspace, an answered question.")).toEqual([]);
});

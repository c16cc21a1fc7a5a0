import { readSiteText } from "../../../site/read-file.ts";
import type { BuiltPage, BuiltSite } from "../../../site/model.ts";
import { findBody, type FoundBody } from "./find-body.ts";
import { countWords, wordsOfMarkdown } from "./words.ts";

/** Least share of a post's words that its page has to show. What components do with their text is not known. */
export const MIN_SHARE = 0.9;
/** A part of a page that has so many more words than the post is more than the post. */
const MAX_GROWTH = 3;
const MAX_EXTRA_WORDS = 100;

/** How a built page shows the text of a post. */
export interface MeasuredBody {
  /** `undefined` where none of the text is found. */
  readonly body: FoundBody | undefined;
  /** How many words the post has. */
  readonly words: number;
  /** Whether the text stands among many other words, as in a list of posts. */
  readonly isAmongOthers: boolean;
}

/** Looks for the text of a markdown post in a page of the built site. */
export function measureBody(markdown: string, page: BuiltPage, { root }: Pick<BuiltSite, "root">): MeasuredBody {
  const words = wordsOfMarkdown(markdown);
  const hasWords = blocksOf(markdown).map((block) => wordsOfMarkdown(block).length > 0);
  const edges = { start: hasWords.indexOf(true), end: hasWords.toReversed().indexOf(true) };
  const body = findBody(readSiteText(root, page.file), countWords(words), edges);
  const isAmongOthers = body !== undefined && body.words > words.length * MAX_GROWTH + MAX_EXTRA_WORDS;
  return { body, words: words.length, isAmongOthers };
}

function blocksOf(markdown: string): readonly string[] {
  const text = markdown.replaceAll(/^(?:import|export)\s[^\n]*$/gm, "");
  return text.split(/\n\s*\n/).filter((block) => block.trim() !== "");
}

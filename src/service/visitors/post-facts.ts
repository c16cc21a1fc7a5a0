import { findBodyLanguage } from "../../html/post-body.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf } from "../../html/tree.ts";
import { readPostBodies } from "../store/published-posts.ts";
import type { PostSummary } from "../store/posts.ts";
import type { Database } from "../store/tables.ts";

/** What the body of a post says of itself. */
export interface PostFacts {
  /** How long it takes to read; at least 1. */
  readonly minutes: number;
  /** Language tag of the element around the whole body; `undefined` where it has none. */
  readonly language: string | undefined;
}

const MAX_FACTS = 5000;
// By content hash: segmenting a long text takes tens of milliseconds, and lists show 20 posts.
const known = new Map<string, PostFacts>();

/** Reading time and language of posts, by the posts' ids. Bodies are read once for each version of a post. */
export async function findPostFacts(
  database: Database,
  posts: readonly PostSummary[],
): Promise<ReadonlyMap<string, PostFacts>> {
  const hashes = new Map(posts.map(({ id, contentHash }) => [id, contentHash]));
  const unread = posts.filter(({ contentHash }) => !known.has(contentHash)).map(({ id }) => id);
  const found = new Map(posts.flatMap(({ id, contentHash }) => [[id, known.get(contentHash)] as const]));
  for (const { id, body } of await readPostBodies(database, unread)) {
    const facts = readFacts(body);
    if (known.size >= MAX_FACTS) known.clear();
    known.set(hashes.get(id) ?? "", facts);
    found.set(id, facts);
  }
  return new Map(Array.from(found, ([id, facts]) => [id, facts ?? readFacts("")]));
}

function readFacts(body: string): PostFacts {
  const document = parseHtml(body);
  const language = findBodyLanguage(document);
  return { minutes: countMinutes(textOf(document.root), language), language };
}

const WORDS_PER_MINUTE = 210;
// Chinese and Japanese are read by characters: what counts as a word there is the segmenter's guess.
const CHARACTERS_PER_MINUTE = 500;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function countMinutes(text: string, language: string | undefined): number {
  let words = 0;
  let characters = 0;
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
    if (isWordLike !== true) continue;
    if (CJK.test(segment)) characters += segment.length;
    else words += 1;
  }
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE));
}

import { parseHtml } from "../../html/parse.ts";
import { textOf, textsOf, visitElements } from "../../html/tree.ts";
import type { SitePost } from "../post.ts";
import { wordsOf } from "../render/lift/words.ts";
import { isBeginning } from "./resemblance.ts";

interface ShownTitle {
  /** The HTML of the post's page; `undefined` if it can't be read. */
  readonly page: string | undefined;
  /** The post's text, whose words don't count as its title. Default: all words of the page count. */
  readonly text?: string;
  /** The title in the service's list. */
  readonly listed: string | undefined;
}

/**
 * Returns the title that readers see instead of a post's own: the beginning of it, or none of it. A blog may change
 * punctuation and letter case, add words, or show titles in its list only.
 */
export function findLostTitle(
  { title }: Pick<SitePost, "title">,
  { page, text = "", listed }: ShownTitle,
): { instead: string } | undefined {
  const words = wordsOf(title);
  if (words.length === 0 || (page === undefined && listed === undefined)) return undefined;
  const own = textsIn(text).map(joinWords);
  const isOnPage =
    page !== undefined && textsIn(page).some((shown, place) => contains(joinWords(shown), words, own[place]));
  const there = new Set(wordsOf(listed ?? ""));
  if (isOnPage) return undefined;
  if (!words.every((word) => there.has(word))) return { instead: listed ?? "" };
  const heading = page === undefined ? undefined : headingOf(page, text);
  const shown = new Set(wordsOf(heading ?? title));
  return heading === undefined || words.every((word) => shown.has(word)) ? undefined : { instead: heading };
}

/** Returns the main heading of a post's page, unless it is one of the post's own text. */
function headingOf(page: string, text: string): string | undefined {
  let found: string | undefined;
  visitElements(parseHtml(page), (element) => {
    if (element.tagName === "h1") found ??= textOf(element).trim();
  });
  return found === undefined || found === "" || text.includes(found) ? undefined : found;
}

const PLAIN_WORD = /^[a-z0-9]+$/;
const ELLIPSIS = /…|\.{3}/;

/** Whether a page's title is shown in full, or its beginning; hosts add words, and stores may lose characters. */
export function showsTitle(shown: string, title = ""): boolean {
  const words = wordsOf(title);
  const plain = words.filter((word) => PLAIN_WORD.test(word));
  const there = new Set(wordsOf(shown));
  if ((plain.length > 0 ? plain : words).every((word) => there.has(word))) return true;
  return isBeginning(shown.split(ELLIPSIS)[0] ?? "", title);
}

/** The text of a page with and without spaces between elements, which may be paragraphs or parts of a word. */
function textsIn(page: string): readonly string[] {
  const pieces = textsOf(parseHtml(page).root, ({ tagName }) => tagName === "template");
  return [pieces.join(" "), pieces.join("")];
}

function joinWords(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

function contains(page: string, words: readonly string[], text = ""): boolean {
  // Without spaces between elements, the text may follow a title as one word.
  const rest = text.trim() === "" ? page : page.replace(text.trim(), " ");
  return rest.includes(` ${words.join(" ")} `);
}

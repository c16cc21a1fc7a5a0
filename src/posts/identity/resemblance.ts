import { isHiddenStatus } from "../../contract/dialect.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf, textsOf, visitElements, type HtmlElement } from "../../html/tree.ts";
import { isSameTitle, normalizeTitle, slugOfRecord, type PostIdentity, type RemotePost } from "./identity.ts";
import type { SitePost } from "../post.ts";
import { countCovered, countWords, wordsOf } from "../render/lift/words.ts";

/** Every three-word sequence of a text. Two texts that share most of them are versions of the same post. */
export type Shingles = ReadonlySet<string>;

const WORDS_A_SHINGLE = 3;

/** Minimum share at which texts of the same day count as versions of each other. */
export const MOST_WORDS = 0.5;
/** Minimum share at which the day is ignored. */
export const NEARLY_ALL_WORDS = 0.8;

/** A text this short proves nothing by appearing in another. */
const FEW_SHINGLES = 20;

/** Returns the shingles of a post's body, or of the post within a whole page. */
export function shinglesOf(html: string): Shingles {
  return shinglesOfText(seenText(html));
}

function shinglesOfText(text: string): Shingles {
  const words = wordsOf(text);
  const starts = Math.max(0, words.length - WORDS_A_SHINGLE + 1);
  return new Set(Array.from({ length: starts }, (_, start) => words.slice(start, start + WORDS_A_SHINGLE).join(" ")));
}

/** Like `shinglesOf`, computed once per post or record in `key`. */
export function createShingles(): (key: object, html: string) => Shingles {
  const known = new Map<object, Shingles>();
  return (key, html) => {
    const shingles = known.get(key) ?? shinglesOf(html);
    known.set(key, shingles);
    return shingles;
  };
}

const PLACES = ["article", "main", "body"];

function findPost(html: string): HtmlElement {
  const document = parseHtml(html);
  const found = new Map<string, HtmlElement>();
  visitElements(document, (element) => {
    if (!found.has(element.tagName)) found.set(element.tagName, element);
  });
  return PLACES.flatMap((name) => found.get(name) ?? [])[0] ?? document.root;
}

/**
 * How much two texts share, from 0 to 1: the larger of the shares of each found in the other. A post that doubled in
 * length keeps all of its old text, and a whole page has menus around the post.
 */
export function shareOf(one: Shingles, other: Shingles): number {
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared += 1;
  const sizes = [one.size, other.size].filter((size) => size >= FEW_SHINGLES);
  return sizes.length === 0 ? 0 : shared / Math.min(...sizes);
}

/** Whether the visible words of a text appear in another, which may be a whole page. */
export function isSameText(html: string, other: string): boolean {
  const [words, others] = [html, other].map((text) => ` ${wordsOf(textOf(findPost(text))).join(" ")} `);
  return words !== undefined && others?.includes(words) === true;
}

const UNSEEN = new Set(["script", "style", "template", "textarea"]);

/** The text of a post, or of the post within a whole page, without that of scripts, which pages of hosts have. */
function seenText(html: string): string {
  return textsOf(findPost(html), ({ tagName }) => UNSEEN.has(tagName)).join("");
}

const MARKUP = /<\/(?:p|h[1-6]|li|pre|blockquote|table)>/;

/** Whether readers see the HTML of a post as text: `<p>Ink is a paint.</p>`. */
export function showsMarkup(html: string, shown: string): boolean {
  return MARKUP.test(seenText(shown)) && !MARKUP.test(seenText(html));
}

/** A page shows a post if it has one of so many of its first shingles, or so much of all of them. */
const FIRST_SHINGLES = 10;
const LEAST_SHARE = 0.2;

/** Whether a page shows any of a post's text: at least its beginning, or some of it. Always true without words. */
export function showsText(html: string, page: string): boolean {
  if (!hasWords(html)) return true;
  return spacings(page).some((text) => isSameText(html, text) || hasShingles(html, shinglesOf(text)));
}

/** Whether a post has words, by which a page can be recognized that shows it. */
export function hasWords(html: string): boolean {
  return wordsOf(seenText(html)).length > 0;
}

/** Whether a page shows all of a post's text. */
export function showsWholeText(html: string, page: string): boolean {
  return spacings(page).some((text) => isSameText(html, text));
}

/** The neighbors of a paragraph aren't parts of its words, also if there are no spaces between them. */
function spacings(page: string): readonly string[] {
  return [page, page.replaceAll("<", " <")];
}

/** Whether a page has the text of a post in its scripts, which show it. */
export function hasTextInScripts(html: string, page: string): boolean {
  const source = page
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\[nrt]/g, " ")
    .replaceAll(/<[^>]*>/g, " ");
  return /<script\b/i.test(page) && hasShingles(html, shinglesOfText(source));
}

function hasShingles(html: string, there: Shingles): boolean {
  const wanted = [...shinglesOf(html)];
  const shared = wanted.filter((words) => there.has(words)).length;
  return shared > wanted.length * LEAST_SHARE || wanted.slice(0, FIRST_SHINGLES).some((words) => there.has(words));
}

/** Whether most words of a text appear in another, which may be a whole page. Always true for a text without words. */
export function hasMostWords(html: string, other: string): boolean {
  const [words, others] = [html, other].map((text) => wordsOf(textOf(findPost(text))));
  if (words === undefined || others === undefined) return false;
  return countCovered(countWords(words), countWords(others)) >= words.length * MOST_WORDS;
}

/** Whether the list shows a post in full, and not with the words that were sent. */
export function hasOtherWords(
  { title, html: sent }: Pick<SitePost, "title" | "html">,
  { record, html }: RemotePost,
): boolean {
  const hasOtherTitle = record.title !== undefined && !normalizeTitle(title).startsWith(normalizeTitle(record.title));
  return hasOtherTitle || (html !== undefined && hasMostWords(sent, html) && !isSameText(sent, html));
}

/** What a post that the blog changed still has in common with a short one of ours. */
export type Likeness = "slug" | "words" | "beginning";

/** A shorter beginning of a title may be a title of its own. */
const CUT_TITLE_LETTERS = 12;
const NUMBERS = /^(?:[\d/_.-]+[/_.-])?$|^[/_.-][\d/_.-]+$/;

/**
 * Returns in what a listed post is like ours, if two of its slug, words, title and day are: hosts put a date before
 * slugs, cut titles, and change quotes.
 */
export function findLikeness(
  { slug, title, html }: Pick<SitePost, "slug" | "title" | "html">,
  remote: RemotePost,
  { isSameDay }: { readonly isSameDay: boolean },
): Likeness | undefined {
  const { record } = remote;
  const names: readonly (Likeness | false)[] = [
    isNumbered(slugOfRecord(record) ?? "", slug) && "slug",
    isBeginning(record.title ?? "", title) && "beginning",
  ];
  const [first, other] = names.filter((sign) => sign !== false);
  if (other !== undefined || (first !== undefined && isSameDay)) return first;
  if (first === undefined && !isSameDay) return undefined;
  return remote.html !== undefined && isWholeText(html, remote.html) ? "words" : undefined;
}

/** Whether a slug is another one with a date or number before or after it. */
function isNumbered(shown: string, slug: string): boolean {
  const at = shown.indexOf(slug);
  return at !== -1 && [shown.slice(0, at), shown.slice(at + slug.length)].every((part) => NUMBERS.test(part));
}

/** Whether a text has the words of another one, and hardly any others, such as the name of its author. */
function isWholeText(html: string, other: string): boolean {
  const [words = [], others = []] = [html, other].map((text) => wordsOf(textOf(findPost(text))));
  return words.length > 0 && words.length >= others.length * MOST_WORDS && isSameText(html, other);
}

/** Whether a title is the beginning of another one, or all of it, without punctuation. */
export function isBeginning(shown: string, title: string): boolean {
  const [start = "", whole = ""] = [shown, title].map((text) => wordsOf(text).join(""));
  return start !== "" && (start === whole || (start.length >= CUT_TITLE_LETTERS && whole.startsWith(start)));
}

/**
 * Whether somebody wrote another post into a copy of ours, which has our marker: it has another id, slug, title and
 * text than the one that we published, or is a draft.
 */
export function isRewrittenCopy(
  { record, html }: RemotePost,
  { slug, post, entry }: Pick<PostIdentity, "slug" | "post" | "entry">,
): boolean {
  const shown = slugOfRecord(record);
  if (post === undefined || entry?.id === undefined || record.id === undefined || record.id === entry.id) return false;
  if (shown === undefined || shown === slug || shown === entry.remoteSlug) return false;
  if (record.title === undefined || isSameTitle(record.title, post.title)) return false;
  return isHiddenStatus(record.status) || (html !== undefined && !hasMostWords(post.html, html));
}

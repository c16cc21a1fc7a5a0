import { readFileSync } from "node:fs";
import { join } from "node:path";
import { escapePattern } from "../../base/escape-pattern.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf, visitElements } from "../../html/tree.ts";
import { createAddressBook } from "../../site/address-book.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import type { BuiltPage, BuiltSite } from "../../site/model.ts";
import { readSiteText } from "../../site/read-file.ts";
import { dropFeedItems } from "../../site/rewrite/feeds.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import type { HoldReason } from "../plan/changes.ts";
import { wordsOf, wordsOfMarkdown } from "../render/lift/words.ts";
import type { HeldPage, HeldPost } from "./held-pages.ts";

/** Finds the posts on hold whose text appears in a file of the build: HTML, JSON, XML, or plain text. */
type FindHeldTexts = (text: string) => readonly ParsedPost[];

/** What a post is recognized by. */
interface Traits {
  readonly post: ParsedPost;
  /** Some sequences of plain words, as written. A text without any of them isn't checked further. */
  readonly rows: readonly string[];
  /** All sequences of `ROW_WORDS` words that no published post contains. */
  readonly sequences: Set<string>;
  /** Whether it is so short that its whole text and its title must appear. */
  readonly isShort: boolean;
  readonly whole: string;
  readonly title: string;
}

const ROW_WORDS = 6;
/** Fewer sequences may appear in a page by coincidence. */
const ENOUGH_ROWS = 5;
/** A post with fewer words can't be recognized. */
const FEWEST_WORDS = 3;
/** Minimum share of a post's sequences. An excerpt has fewer; changes by Markdown and templates break some. */
const MIN_SHARE = 0.6;
const MOST_ROWS_LOOKED_FOR = 12;
const WORDS_IN_A_ROW = /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*/gu;
/** Short enough to appear somewhere uninterrupted by markup, and long enough to be rare. */
const PLAIN_ROW = /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu;

/**
 * Creates a function that recognizes the texts of posts on hold within any other content. Two posts may share text, so
 * text that also appears in a published post is ignored. Returns `undefined` if none can be recognized.
 */
function createHeldTextFinder(
  held: readonly ParsedPost[],
  published: readonly ParsedPost[],
): FindHeldTexts | undefined {
  const all = held.map(describe).filter(({ rows }) => rows.length > 0);
  if (all.length === 0) return undefined;
  const anyRow = new RegExp(all.flatMap(({ rows }) => rows.map(escapePattern)).join("|"));
  const said: string[] = [];
  for (const { frontMatter } of published) {
    if (!anyRow.test(frontMatter.body)) continue;
    const words = wordsOfMarkdown(frontMatter.body);
    said.push(spaced(words));
    for (const row of sequencesOf(words)) for (const { sequences } of all) sequences.delete(row);
  }
  const short = all.filter(({ isShort, whole }) => isShort && !said.some((text) => text.includes(whole)));
  const long = all.filter(({ isShort, sequences }) => !isShort && sequences.size >= ENOUGH_ROWS);
  if (short.length + long.length === 0) return undefined;
  return (text) => {
    if (!anyRow.test(text)) return [];
    const words = wordsOf(plainText(text));
    const [found, read] = [sequencesOf(words), spaced(words)];
    const isLongThere = ({ sequences }: Traits): boolean =>
      [...sequences].filter((row) => found.has(row)).length / sequences.size >= MIN_SHARE;
    const isShortThere = ({ whole, title }: Traits): boolean => read.includes(whole) && read.includes(title);
    return [...long.filter(isLongThere), ...short.filter(isShortThere)].map(({ post }) => post);
  };
}

function describe(post: ParsedPost): Traits {
  const { body } = post.frontMatter;
  const words = wordsOfMarkdown(body);
  const sequences = sequencesOf(words);
  const traits = { post, sequences, whole: spaced(words), title: spaced(wordsOf(post.fields.title ?? "")) };
  if (sequences.size < ENOUGH_ROWS) {
    const rows = (body.match(WORDS_IN_A_ROW) ?? []).toSorted((one, other) => other.length - one.length).slice(0, 1);
    return { ...traits, isShort: true, rows: words.length < FEWEST_WORDS ? [] : rows };
  }
  const rows = body.match(PLAIN_ROW) ?? [];
  const step = Math.ceil(rows.length / MOST_ROWS_LOOKED_FOR);
  return { ...traits, isShort: false, rows: rows.filter((_, index) => index % step === 0) };
}

/** Joins words so that only whole words match. */
function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}

function sequencesOf(words: readonly string[]): Set<string> {
  const sequences = new Set<string>();
  for (let end = ROW_WORDS; end <= words.length; end += 1) sequences.add(words.slice(end - ROW_WORDS, end).join(" "));
  return sequences;
}

/** Removes tags, entities, and JSON escapes from a text. */
function plainText(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\[nrt"'`\\/]/g, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#?\w+;/g, " ");
}

interface HeldTextsSources {
  /** Pages that would be published. */
  readonly candidates: readonly BuiltPage[];
  /** All posts, published or not. */
  readonly posts: readonly ParsedPost[];
  readonly held: ReadonlyMap<ParsedPost, HoldReason>;
  /** Routes of pages that are already left out. */
  readonly routes: readonly string[];
}

/** Where texts of posts on hold appear, apart from the pages left out by their address. */
export interface HeldTexts {
  /** Pages of such posts whose addresses don't name them. */
  readonly pages: readonly HeldPage[];
  /** Other pages with such a text, by route. */
  readonly blockedPages: ReadonlyMap<string, readonly HeldPost[]>;
  /**
   * Files that contain such a text, by path below the dist folder: search data, JSON feeds, scripts, `llms-full.txt`, …
   */
  readonly blockedFiles: ReadonlyMap<string, readonly HeldPost[]>;
}

/** Searches everything that a built site publishes as text for the texts of posts on hold. */
export function findHeldTexts(built: BuiltSite, { candidates, posts, held, routes }: HeldTextsSources): HeldTexts {
  const shown = posts.filter((post) => !held.has(post));
  const find = createHeldTextFinder([...held.keys()], shown);
  if (find === undefined) return { pages: [], blockedPages: new Map(), blockedFiles: new Map() };
  const nameAll = (found: readonly ParsedPost[]): readonly HeldPost[] =>
    found.map((post) => ({ file: post.file, reason: held.get(post) ?? "unclear" }));
  const pages: HeldPage[] = [];
  const blockedPages = new Map<string, readonly HeldPost[]>();
  const heldRoutes = new Set(routes);
  for (const page of candidates) {
    const { route, file } = page;
    const found = heldRoutes.has(route) ? [] : find(readSiteText(built.root, file));
    if (found.length === 0) continue;
    const [post, other] = nameAll(found.filter((one) => isCalledLike(one, page, built)));
    // A site needs its home page, so its author has to decide about the content there.
    if (post !== undefined && other === undefined && route !== "/") pages.push({ route, ...post });
    else blockedPages.set(route, nameAll(found));
  }
  for (const { route } of pages) heldRoutes.add(route);
  const files = findHeldFiles(built, { find, heldRoutes });
  return { pages, blockedPages, blockedFiles: new Map([...files].map(([path, found]) => [path, nameAll(found)])) };
}

/** Whether a page's title or a main heading begins with the title of a post. */
export function isCalledLike({ fields }: ParsedPost, page: BuiltPage, { root }: BuiltSite): boolean {
  const plain = (text: string) => text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  const { title } = fields;
  let isNamed = false;
  if (title === undefined) return false;
  visitElements(parseHtml(readSiteText(root, page.file)), (element) => {
    const isName = element.tagName === "title" || element.tagName === "h1";
    if (isName && plain(textOf(element)).startsWith(plain(title))) isNamed = true;
  });
  return isNamed;
}

interface HeldFilesSources {
  readonly find: FindHeldTexts;
  readonly heldRoutes: ReadonlySet<string>;
}

// Feeds are published without the items of pages that are left out, so only the remaining items are checked.
function findHeldFiles(
  built: BuiltSite,
  { find, heldRoutes }: HeldFilesSources,
): ReadonlyMap<string, readonly ParsedPost[]> {
  const pages = new Set(built.pages.map(({ file }) => file));
  const addresses = createAddressBook(built);
  const found = new Map<string, readonly ParsedPost[]>();
  for (const path of built.files.keys()) {
    const type = contentTypeOf(path);
    if (pages.has(path) || !TEXT_TYPE.test(type) || type.includes("svg")) continue;
    const text = readFileSync(join(built.root, path), "utf8");
    const isHeld = (address: string): boolean => {
      const target = addresses.resolve(address, path);
      return target.kind === "page" && heldRoutes.has(target.page.route);
    };
    const posts = find(/\bxml\b/.test(type) ? dropFeedItems(text, isHeld) : text);
    if (posts.length > 0) found.set(path, posts);
  }
  return found;
}

// Bundlers turn JSON such as a search index into scripts.
const TEXT_TYPE = /\b(?:json|xml|plain|markdown|csv|html|javascript)\b/;

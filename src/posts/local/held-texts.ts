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

/** The posts on hold whose text stands in a text of the build: HTML, JSON, XML or plain. */
type FindHeldTexts = (text: string) => readonly ParsedPost[];

/** What a post is recognized by. */
interface Traits {
  readonly post: ParsedPost;
  /** Some rows of plain words, as written. A text without any of them isn't looked at further. */
  readonly rows: readonly string[];
  /** All its rows of `ROW_WORDS` words that no published post has. */
  readonly sequences: Set<string>;
  /** Whether it has so few words that its whole text and its title have to be there. */
  readonly isShort: boolean;
  readonly whole: string;
  readonly title: string;
}

const ROW_WORDS = 6;
/** Fewer rows of a post may stand in a page by chance. */
const ENOUGH_ROWS = 5;
/** A post of fewer words says nothing that could be recognized. */
const FEWEST_WORDS = 3;
/** Share of a post's rows that have to be there. An excerpt has fewer; what Markdown and templates change breaks some. */
const MIN_SHARE = 0.6;
const MOST_ROWS_LOOKED_FOR = 12;
const WORDS_IN_A_ROW = /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*/gu;
/** Short enough to stand somewhere without markup in it, and long enough to be rare. */
const PLAIN_ROW = /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu;

/**
 * Makes a function that recognizes the texts of posts on hold, whatever stands around them. Two posts may share a text:
 * what a published post says, too, counts for none that is on hold. `undefined` where none can be recognized.
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

/** Words so that a part of one is no part of them. */
function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}

function sequencesOf(words: readonly string[]): Set<string> {
  const sequences = new Set<string>();
  for (let end = ROW_WORDS; end <= words.length; end += 1) sequences.add(words.slice(end - ROW_WORDS, end).join(" "));
  return sequences;
}

/** A text without tags, entities and the escapes of JSON. */
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
  /** Routes of pages that are left out already. */
  readonly routes: readonly string[];
}

/** Where the texts of posts on hold stand, beside the pages that are left out by their address. */
export interface HeldTexts {
  /** Pages of such posts at addresses that don't name them. */
  readonly pages: readonly HeldPage[];
  /** Other pages with such a text, by route. */
  readonly blockedPages: ReadonlyMap<string, readonly HeldPost[]>;
  /** Files that hold such a text, by path below the dist folder: search data, JSON feeds, scripts, `llms-full.txt`, … */
  readonly blockedFiles: ReadonlyMap<string, readonly HeldPost[]>;
}

/** Looks for the texts of posts on hold in everything of a built site that is published as text. */
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
    // A site without its home page is none: what it shows has to be decided by its author.
    if (post !== undefined && other === undefined && route !== "/") pages.push({ route, ...post });
    else blockedPages.set(route, nameAll(found));
  }
  for (const { route } of pages) heldRoutes.add(route);
  const files = findHeldFiles(built, { find, heldRoutes });
  return { pages, blockedPages, blockedFiles: new Map([...files].map(([path, found]) => [path, nameAll(found)])) };
}

/** Whether a title or a main heading of a page begins with the title of a post. */
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

// Feeds are published without the items of pages that are left out, and count as far as they are.
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

// A bundler makes scripts of JSON, such as the index of a search.
const TEXT_TYPE = /\b(?:json|xml|plain|markdown|csv|html|javascript)\b/;

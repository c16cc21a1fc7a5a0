import { LRUCache } from "lru-cache";
import { createDayFormat, directionOf } from "../../base/language.ts";
import { parseHtml } from "../../html/parse.ts";
import { findBodyLanguage } from "../../html/post-body.ts";
import { textOf } from "../../html/tree.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml } from "../http/html.ts";
import { libraryPath } from "../resources/addresses.ts";
import type { Blog } from "../store/blogs.ts";
import { listImageFacts, type PostSummary, readPostBodies } from "../store/posts.ts";
import type { Database } from "../store/tables.ts";
import { findSiteLanguage, findSubjectSite } from "./look.ts";

/** Renders the line below a post's title: publish date, author and reading time. */
export function renderFacts({ publishedAt, author }: PostSummary, minutes: number, words: BlogWords): string {
  const { own, formatDate, formatMinutes } = words;
  // If the language is unknown, dates are in English.
  const language = words.foreign === "" ? "" : own;
  const facts = [
    publishedAt && `<time${language} datetime="${publishedAt.toISOString()}">${formatDate(publishedAt)}</time>`,
    author && `<span>${escapeHtml(author)}</span>`,
    `<span${language}>${formatMinutes(minutes)}</span>`,
  ];
  return `<p class="facts">${facts.filter(Boolean).join("")}</p>`;
}

/** Renders tags as links to their posts. `blogHref` is the list's URL relative to the current page. */
export function renderTags(tags: readonly string[], blogHref: string): string {
  if (tags.length === 0) return "";
  const items = tags.map(
    (tag) => `<li><a rel="tag" href="${escapeHtml(taggedUrl(blogHref, tag))}">${escapeHtml(tag)}</a></li>`,
  );
  return `<ul class="tags">${items.join("")}</ul>`;
}

export function taggedUrl(blogHref: string, tag: string): string {
  return `${blogHref}?tag=${encodeURIComponent(tag)}`;
}

export function renderCover({ src, size }: Cover, attributes: string): string {
  const dimensions = size === undefined ? "" : ` width="${size.width}" height="${size.height}"`;
  return `<img src="${escapeHtml(src)}"${dimensions} ${attributes}>`;
}

/** Renders metadata for search engines. */
export function renderHead(description: string | null, canonical: string): string {
  const meta = description === null ? "" : `<meta name="description" content="${escapeHtml(description)}">\n`;
  return `${meta}<link rel="canonical" href="${escapeHtml(canonical)}">\n`;
}

/** The cover image of a post. */
export interface Cover {
  /** A library path, or a URL on another host. */
  readonly src: string;
  readonly alt: string;
  /** In pixels, if the library knows it. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** Returns covers by post id, skipping posts without one. */
export async function findCovers(core: Core, posts: readonly PostSummary[]): Promise<ReadonlyMap<string, Cover>> {
  const { store, account, addresses } = core;
  const base = addresses.libraryUrl ?? addresses.pagesUrl;
  const sources = posts.flatMap(({ id, coverImage }) => {
    if (coverImage === null) return [];
    const path = libraryPath(coverImage, base);
    return [{ id, src: path ?? coverImage, assetId: path?.split("/")[2] }];
  });
  const ids = sources.flatMap(({ assetId }) => assetId ?? []);
  const facts = await listImageFacts(store.database, account.id, ids);
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return new Map(
    sources.map(({ id, src, assetId }) => {
      const { width, height, alt } = byId.get(assetId ?? "") ?? { width: null, height: null, alt: null };
      return [id, { src, alt: alt ?? "", size: width === null || height === null ? undefined : { width, height } }];
    }),
  );
}

/** Lists other hosts that covers are loaded from, for the content security policy. */
export function coverOrigins(covers: ReadonlyMap<string, Cover>): readonly string[] {
  const origins = Array.from(covers.values(), ({ src }) => URL.parse(src)).flatMap((url) =>
    url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [],
  );
  return [...new Set(origins)];
}

/** Formats of dates and durations in a blog, and language attributes for the service's own words. */
export interface BlogWords {
  /** The language of the page. The service's own words are English, even if the language is unknown. */
  readonly language: string;
  /** Attribute for elements with the author's text; empty if it is in the language of the page. */
  readonly foreign: string;
  /** Attribute for elements with words of the service. */
  readonly own: string;
  formatDate(date: Date): string;
  /** Formats a reading time. */
  formatMinutes(minutes: number): string;
}

// Creating the formatters takes longer than rendering a page with them.
const knownWords = new LRUCache<string, BlogWords>({ max: 200 });

/**
 * Returns the formats for a language, as a canonical tag. If the blog's language is unknown (`undefined`), the page is
 * English and the author's text is marked as having no known language.
 */
export function findBlogWords(language: string | undefined): BlogWords {
  const words = knownWords.get(language ?? "") ?? createBlogWords(language);
  knownWords.set(language ?? "", words);
  return words;
}

function createBlogWords(language: string | undefined): BlogWords {
  const isEnglish = language !== undefined && /^en\b/.test(language);
  const days = createDayFormat(language ?? "en");
  const minutes = new Intl.NumberFormat(language ?? "en", { style: "unit", unit: "minute", unitDisplay: "short" });
  return {
    language: language ?? "en",
    foreign: language === undefined ? ' lang="" dir="auto"' : "",
    own: isEnglish ? "" : ' lang="en"',
    formatDate: (date) => days.format(date),
    formatMinutes: (count) => `${minutes.format(count)}${isEnglish || language === undefined ? " read" : ""}`,
  };
}

/** Attributes for an author's text in another language than that of the page; empty if it is in the same. */
export function languageAttributes(language: string | undefined, page: string): string {
  if (language === undefined || language === page) return "";
  const direction = directionOf(language);
  return ` lang="${language}"${direction === directionOf(page) ? "" : ` dir="${direction}"`}`;
}

/** Facts derived from the body of a post. */
export interface PostFacts {
  /** Reading time; at least 1. */
  readonly minutes: number;
  /** Language tag of the element around the whole body; `undefined` if it has none. */
  readonly language: string | undefined;
}

// By content hash: segmenting a long text takes tens of milliseconds, and lists show 20 posts.
const knownFacts = new LRUCache<string, PostFacts>({ max: 5000 });

/** Returns reading time and language by post id. Reads a body once per version of the post. */
export async function findPostFacts(
  database: Database,
  posts: readonly PostSummary[],
): Promise<ReadonlyMap<string, PostFacts>> {
  const found = new Map(posts.map(({ id, contentHash }) => [id, knownFacts.get(contentHash)]));
  const unread = posts.filter(({ id }) => found.get(id) === undefined);
  const ids = unread.map(({ id }) => id);
  const bodies = new Map((await readPostBodies(database, ids)).map(({ id, body }) => [id, body]));
  for (const { id, contentHash } of unread) {
    const facts = readFacts(bodies.get(id) ?? "");
    if (bodies.has(id)) knownFacts.set(contentHash, facts);
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
// Chinese and Japanese reading speed is counted in characters: word boundaries there are guesses.
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

/** Returns a blog's language: its own, or the `lang` of its site's home page; `undefined` if neither is known. */
export async function findBlogLanguage(core: Core, { language, siteId }: Blog): Promise<string | undefined> {
  if (language !== null) return language;
  const { store, account } = core;
  const site = await findSubjectSite({ database: store.database, accountId: account.id }, { kind: "site", siteId });
  return site && (await findSiteLanguage(core, site)).language;
}

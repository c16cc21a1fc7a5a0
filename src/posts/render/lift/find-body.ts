import { parseHtml } from "../../../html/parse.ts";
import { visitElements, type HtmlElement, type HtmlNode } from "../../../html/tree.ts";
import { countCovered, countWords, wordsOf, wordsOfMarkdown, withoutModules, type WordCounts } from "./words.ts";
import { readSiteText } from "../../../site/read-file.ts";
import type { BuiltPage, BuiltSite } from "../../../site/model.ts";

/** A text located in a page. */
export interface FoundBody {
  readonly html: string;
  /** Share of the wanted words that it contains, from 0 to 1. */
  readonly share: number;
  /** Number of words in it. */
  readonly words: number;
}

/** Number of blocks without a known word that belong to the text: images and components at its start and end. */
export interface BodyEdges {
  readonly start: number;
  readonly end: number;
}

/** Finds the smallest part of a page that contains a text: an element, or consecutive children of one. */
export function findBody(page: string, wanted: WordCounts, edges: BodyEdges): FoundBody | undefined {
  const total = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  let element = findElement(page, "body");
  if (element === undefined || total === 0) return undefined;
  // A word that a component dropped may occur in the menu.
  const enough = coverageOf(element, wanted) * 0.97;
  for (let inner: HtmlElement | undefined = element; inner !== undefined;) {
    element = inner;
    inner = childrenOf(element).find((child) => isContainer(child) && coverageOf(child, wanted) >= enough);
  }
  const covered = coverageOf(element, wanted);
  const children = trimChildren(childrenOf(element), wanted, edges);
  const start = children[0]?.source?.start;
  const end = children.at(-1)?.source?.end;
  if (start === undefined || end === undefined) return undefined;
  const words = children.flatMap((child) => wordsOf(readableText(child))).length;
  return { html: page.slice(start, end), share: covered / total, words };
}

function findElement(page: string, name: string): HtmlElement | undefined {
  let found: HtmlElement | undefined;
  visitElements(parseHtml(page), (element) => {
    if (element.tagName === name) found ??= element;
  });
  return found;
}

/** Whether an element groups others. A paragraph or a list is itself part of a text. */
function isContainer(element: HtmlElement): boolean {
  const { tagName } = element;
  const isGroup = tagName.includes("-") || ["article", "div", "main", "section"].includes(tagName);
  return isGroup && nodesOf(element).every((node) => node.kind === "element" || node.value.trim() === "");
}

function childrenOf(element: HtmlElement): readonly HtmlElement[] {
  return nodesOf(element)
    .filter((node) => node.kind === "element")
    .filter(({ tagName }) => tagName !== "script" && tagName !== "style");
}

/** Drops what surrounds the text but isn't part of it: a title, a date, or tags. */
function trimChildren(children: readonly HtmlElement[], wanted: WordCounts, edges: BodyEdges): readonly HtmlElement[] {
  const counts = children.map((child) => countWords(wordsOf(readableText(child))));
  const coverage = (from: number, to: number) => countCovered(wanted, mergeCounts(counts.slice(from, to)));
  let [from, to] = [0, children.length];
  while (from < to - 1 && HEADS.has(children[from]?.tagName ?? "")) from += 1;
  const first = from;
  const covered = coverage(from, to);
  while (from < to - 1 && coverage(from + 1, to) === covered) from += 1;
  while (from < to - 1 && coverage(from, to - 1) === covered) to -= 1;
  return children.slice(Math.max(first, from - edges.start), to + edges.end);
}

/** Elements that precede a post's text and never begin it. */
const HEADS = new Set(["h1", "header", "nav", "time"]);

function coverageOf(element: HtmlElement, wanted: WordCounts): number {
  return countCovered(wanted, countWords(wordsOf(readableText(element))));
}

/** Returns the text of an element, with a space between the words of adjacent blocks. */
function readableText(element: HtmlElement): string {
  if (element.tagName === "script" || element.tagName === "style" || element.tagName === "template") return "";
  return nodesOf(element)
    .map((node) => (node.kind === "text" ? node.value : `${readableText(node)}${INLINE.has(node.tagName) ? "" : " "}`))
    .join("");
}

const INLINE = new Set(["a", "abbr", "b", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "u"]);

function nodesOf(element: HtmlElement): readonly HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (let node = element.firstChild; node !== undefined; node = node.next) nodes.push(node);
  return nodes;
}

function mergeCounts(all: readonly WordCounts[]): WordCounts {
  const merged = new Map<string, number>();
  for (const counts of all) for (const [word, count] of counts) merged.set(word, (merged.get(word) ?? 0) + count);
  return merged;
}

/** Minimum share of a post's words that its page must show. What components do with their text is unknown. */
export const MIN_SHARE = 0.9;
/** A part of a page with so many more words than the post contains more than the post. */
const MAX_GROWTH = 3;
const MAX_EXTRA_WORDS = 100;

/** How a built page shows the text of a post. */
export interface MeasuredBody {
  /** `undefined` if none of the text is found. */
  readonly body: FoundBody | undefined;
  /** Number of words in the post. */
  readonly words: number;
  /** Whether the text is surrounded by many other words, as in a list of posts. */
  readonly isAmongOthers: boolean;
}

/** Searches a page of the built site for the text of a Markdown post. */
export function measureBody(markdown: string, page: BuiltPage, { root }: Pick<BuiltSite, "root">): MeasuredBody {
  const words = wordsOfMarkdown(markdown);
  const hasWords = blocksOf(markdown).map((block) => wordsOfMarkdown(block).length > 0);
  const edges = { start: hasWords.indexOf(true), end: hasWords.toReversed().indexOf(true) };
  const body = findBody(readSiteText(root, page.file), countWords(words), edges);
  const isAmongOthers = body !== undefined && body.words > words.length * MAX_GROWTH + MAX_EXTRA_WORDS;
  return { body, words: words.length, isAmongOthers };
}

function blocksOf(markdown: string): readonly string[] {
  return withoutModules(markdown)
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== "");
}

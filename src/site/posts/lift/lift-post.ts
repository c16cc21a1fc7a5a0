import { readSiteText } from "../../read-file.ts";
import type { BuiltPage, BuiltSite } from "../../model.ts";
import { isPublished } from "../../read-site.ts";
import type { ParsedPost } from "../parse-post.ts";
import { contentIdOf } from "../slugs.ts";
import { findBody } from "./find-body.ts";
import type { FoundBody } from "./find-body.ts";
import { countWords, wordsOfMarkdown } from "./words.ts";

/** Takes the body of a post from the page that the site built of it; throws an `Error` that says why it can't. */
export type LiftPost = (post: ParsedPost) => string;

/** Least share of a post's words that its page has to show. What components do with their text is not known. */
const MIN_SHARE = 0.9;
/** A part of a page that has so many more words than the post is more than the post. */
const MAX_GROWTH = 3;
const MAX_EXTRA_WORDS = 100;

/** Lifts posts out of a built site: the way for MDX that is in no content collection. */
export function createLifter(site: BuiltSite): LiftPost {
  const pages = site.pages.filter((page) => isPublished(page));
  return (post) => {
    const candidates = findPages(post, pages);
    if (candidates.length === 0) throw new Error(noPage(post));
    const markdown = post.frontMatter.body;
    const words = wordsOfMarkdown(markdown);
    const hasWords = blocksOf(markdown).map((block) => wordsOfMarkdown(block).length > 0);
    const edges = { start: hasWords.indexOf(true), end: hasWords.toReversed().indexOf(true) };
    const found = candidates.map((page) => ({
      page,
      body: findBody(readSiteText(site.root, page.file), countWords(words), edges),
    }));
    const best = found.toSorted((one, other) => (other.body?.share ?? 0) - (one.body?.share ?? 0))[0];
    return checkBody(best?.body, { route: best?.page.route ?? "", words: words.length });
  };
}

function checkBody(
  body: FoundBody | undefined,
  { route, words }: { readonly route: string; readonly words: number },
): string {
  const share = body?.share ?? 0;
  if (body === undefined || share < MIN_SHARE) {
    throw new Error(
      `The page ${route} shows ${Math.floor(share * 100)} % of the post's words, so that the post can't be taken from it. ${ADVICE}`,
    );
  }
  if (body.words > words * MAX_GROWTH + MAX_EXTRA_WORDS) {
    throw new Error(
      `The page ${route} shows the post's ${words} words among ${body.words} others with no element around them, so that the post can't be taken from it. ${ADVICE}`,
    );
  }
  return body.html;
}

const ADVICE = "Put the posts into a content collection and name it in `posts.collection`.";

function noPage({ slug }: ParsedPost): string {
  return `MDX needs the components of your site, and no page of the built site ends with /${slug}/. ${ADVICE}`;
}

function findPages({ file, fields }: ParsedPost, pages: readonly BuiltPage[]): readonly BuiltPage[] {
  const parts = contentIdOf(file).split("/");
  const names = new Set([fields.slug, parts.at(-1)].filter((name) => name !== undefined));
  return pages.filter(({ route }) => names.has(route.split("/").at(-2) ?? ""));
}

function blocksOf(markdown: string): readonly string[] {
  const text = markdown.replaceAll(/^(?:import|export)\s[^\n]*$/gm, "");
  return text.split(/\n\s*\n/).filter((block) => block.trim() !== "");
}

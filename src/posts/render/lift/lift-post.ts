import { pluralize } from "../../../base/pluralize.ts";
import type { BuiltPage, BuiltSite } from "../../../site/model.ts";
import { isPublished } from "../../../site/read-site.ts";
import type { ParsedPost } from "../../read/parse-post.ts";
import { contentIdOf } from "../../read/slugs.ts";
import { measureBody, MIN_SHARE, type MeasuredBody } from "./find-body.ts";

/**
 * Extracts the body of a post from the page that the site built from it. Throws an `Error` with the reason if it can't.
 */
export type LiftPost = (post: ParsedPost) => string;

/** Creates a function that extracts posts from a built site, for MDX outside content collections. */
export function createLifter(site: BuiltSite): LiftPost {
  const pages = site.pages.filter((page) => isPublished(page));
  return (post) => {
    const candidates = findPages(post, pages);
    if (candidates.length === 0) throw new Error(noPage(post));
    const found = candidates.map((page) => ({ page, ...measureBody(post.frontMatter.body, page, site) }));
    const best = found.toSorted((one, other) => (other.body?.share ?? 0) - (one.body?.share ?? 0))[0];
    return checkBody(best, best?.page.route ?? "");
  };
}

function checkBody(measured: MeasuredBody | undefined, route: string): string {
  const { body, words = 0, isAmongOthers } = measured ?? {};
  const share = body?.share ?? 0;
  if (body === undefined || share < MIN_SHARE) {
    throw new Error(
      `The page ${route} shows ${Math.floor(share * 100)} % of the post's words, so the post can't be extracted from it. ${ADVICE}`,
    );
  }
  if (isAmongOthers === true) {
    throw new Error(
      `The page ${route} shows ${pluralize(words, "word")} of the post among ${pluralize(body.words, "other")} without an element that contains only the post, so the post can't be extracted from it. ${ADVICE}`,
    );
  }
  return body.html;
}

const ADVICE =
  "Run `astro build` with imprint in astro.config: a build renders the posts of a content collection itself.";

function noPage({ slug }: ParsedPost): string {
  return `MDX needs the components of your site, and no page of the built site ends with /${slug}/. ${ADVICE}`;
}

function findPages({ file, fields }: ParsedPost, pages: readonly BuiltPage[]): readonly BuiltPage[] {
  const parts = contentIdOf(file).split("/");
  const names = new Set([fields.slug, parts.at(-1)].filter((name) => name !== undefined));
  return pages.filter(({ route }) => names.has(route.split("/").at(-2) ?? ""));
}

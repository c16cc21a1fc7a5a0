import { applyEdits } from "./edits.ts";
import type { Edit } from "./edits.ts";
import { editAttribute, findAttribute } from "./attributes.ts";
import { parseHtml, visitElements } from "./parse.ts";
import type { HtmlElement } from "./parse.ts";

const PLACEHOLDER = /^imprint-post:([a-z0-9-]+)((?:[?#].*)?)$/s;

/** What stands for the address of a post in the blog until it is known. */
export function renderPostPlaceholder(slug: string): string {
  return `imprint-post:${slug}`;
}

/** Slugs of the posts that a text links to by placeholder, each once. */
export function findPostPlaceholders(html: string): readonly string[] {
  if (!html.includes("imprint-post:")) return [];
  return [...new Set(findLinks(html).map(({ slug }) => slug))];
}

/** Puts addresses in place of placeholders. A link to a post without one keeps its text and leads nowhere. */
export function fillPostPlaceholders(html: string, addressOf: (slug: string) => string | undefined): string {
  if (!html.includes("imprint-post:")) return html;
  const edits = findLinks(html).flatMap(({ element, slug, suffix }): readonly Edit[] => {
    const address = addressOf(slug);
    if (address === undefined) return unwrapping(element);
    return [editAttribute(html, element, { name: "href", value: address + suffix }) ?? []].flat();
  });
  return applyEdits(html, edits);
}

interface PostLink {
  readonly element: HtmlElement;
  readonly slug: string;
  readonly suffix: string;
}

function findLinks(html: string): readonly PostLink[] {
  const links: PostLink[] = [];
  visitElements(parseHtml(html), (element) => {
    const [, slug, suffix = ""] = PLACEHOLDER.exec(findAttribute(element, "href") ?? "") ?? [];
    if (element.tagName === "a" && slug !== undefined) links.push({ element, slug, suffix });
  });
  return links;
}

function unwrapping({ sourceCodeLocation: place }: HtmlElement): readonly Edit[] {
  return [place?.startTag, place?.endTag].flatMap((tag) =>
    tag ? [{ start: tag.startOffset, end: tag.endOffset, text: "" }] : [],
  );
}

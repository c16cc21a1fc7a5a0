import { applyEdits, type Edit } from "./edits.ts";
import { editAttribute, findAttribute } from "./attributes.ts";
import { parseHtml } from "./parse.ts";
import { visitElements, type HtmlElement } from "./tree.ts";

const PLACEHOLDER = /^imprint-post:([a-z0-9-]+)((?:[?#].*)?)$/s;

/** Placeholder for the address of a post in the blog. */
export function renderPostPlaceholder(slug: string): string {
  return `imprint-post:${slug}`;
}

/** Slugs of the posts that a text links to by placeholder, each once. */
export function findPostPlaceholders(html: string): readonly string[] {
  if (!html.includes("imprint-post:")) return [];
  return [...new Set(findLinks(html).map(({ slug }) => slug))];
}

/** Replaces placeholders with addresses. A link to a post without one becomes plain text. */
export function fillPostPlaceholders(html: string, addressOf: (slug: string) => string | undefined): string {
  if (!html.includes("imprint-post:")) return html;
  const edits = findLinks(html).flatMap(({ element, slug, suffix }): readonly Edit[] => {
    const address = addressOf(slug);
    if (address === undefined) return unwrapping(element);
    return [editAttribute(html, element, { name: "href", value: address + suffix }) ?? []].flat();
  });
  return applyEdits(html, edits);
}

/** Replaces the targets of links for which `move` returns another. */
export function moveLinks(html: string, move: (href: string) => string | undefined): string {
  const edits: Edit[] = [];
  visitElements(parseHtml(html), (element) => {
    const value = element.tagName === "a" ? move(findAttribute(element, "href") ?? "") : undefined;
    if (value !== undefined) edits.push(...[editAttribute(html, element, { name: "href", value }) ?? []].flat());
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

function unwrapping({ source }: HtmlElement): readonly Edit[] {
  if (source === undefined) return [];
  const { start, contentStart, endTagStart = source.end, end } = source;
  return [
    { start, end: contentStart, text: "" },
    { start: endTagStart, end, text: "" },
  ];
}

import { findAttribute } from "../../html/attributes.ts";
import type { Edit } from "../../html/edits.ts";
import { innerRange, textOf, type HtmlElement } from "../../html/tree.ts";

/** An element that does nothing outside the author's site. It is removed, or only its tags are. */
export interface StrippedElement {
  readonly name: string;
  /** Name of the component that an island would hydrate. */
  readonly component?: string | undefined;
  /** Whether nothing remains in its place. */
  readonly isEmpty: boolean;
}

const ISLANDS: ReadonlySet<string> = new Set(["astro-island", "astro-slot", "astro-static-slot"]);

/** Elements to report to the author, each kind once. What Astro itself adds for islands isn't reported. */
export function findStripped(html: string, elements: readonly HtmlElement[]): readonly StrippedElement[] {
  const found = elements
    .filter((element) => element.tagName === "astro-island" || (isRemoved(html, element) && !isOfAstro(html, element)))
    .map((element) => {
      const component = element.tagName === "astro-island" ? componentOf(element) : undefined;
      return { name: element.tagName, component, isEmpty: textOf(element) === "" };
    });
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** Returns the edits that strip an element, or `undefined` if it stays. */
export function stripElement(html: string, element: HtmlElement): Edit[] | undefined {
  if (isRemoved(html, element)) return removeElement(element);
  return ISLANDS.has(element.tagName) ? unwrapElement(element) : undefined;
}

export function removeElement({ source }: HtmlElement): Edit[] {
  return source === undefined ? [] : [{ start: source.start, end: source.end, text: "" }];
}

/** Removes the tags and keeps the server-rendered content between them. */
export function unwrapElement({ source }: HtmlElement): Edit[] {
  if (source === undefined) return [];
  const endTag = source.endTagStart === undefined ? [] : [{ start: source.endTagStart, end: source.end, text: "" }];
  return [{ start: source.start, end: source.contentStart, text: "" }, ...endTag];
}

function isRemoved(html: string, element: HtmlElement): boolean {
  const { tagName } = element;
  if (tagName === "style") return isOfAstro(html, element);
  if (tagName === "template") return findAttribute(element, "data-astro-template") !== undefined;
  return tagName === "script" || tagName === "link";
}

/** Code that Astro adds around islands. */
const OF_ASTRO = /self\.Astro|customElements\.define\("astro-island"|^astro-island,astro-slot/;

function isOfAstro(html: string, element: HtmlElement): boolean {
  if (element.tagName === "template") return true;
  const range = innerRange(element);
  return range !== undefined && OF_ASTRO.test(html.slice(range.start, range.end));
}

function componentOf(island: HtmlElement): string {
  const [, name] = /"name":"([^"]+)"/.exec(findAttribute(island, "opts") ?? "") ?? [];
  return name ?? "of a framework";
}

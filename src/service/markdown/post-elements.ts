import type { Element, Root } from "hast";
import { visit } from "unist-util-visit";
import { isFootnoteId, VISUALLY_HIDDEN } from "../../html/post-body.ts";

// Two steps around the sanitizer, which give Markdown the HTML that Astro and the publisher give it.

/** Before ids that the author wrote as HTML, as GitHub does it, so that they never stand for something in a script. */
const AUTHOR_PREFIX = "user-content-";

/**
 * The step before HTML in the Markdown is parsed: what the author wrote as HTML stays as it is. Code blocks get the
 * elements of Astro's, without colors, and columns of tables are aligned by style.
 */
export function prepareElements() {
  return (tree: Root, { data }: File): void => {
    const headingIds = new Set<string>();
    visit(tree, "element", (element) => {
      const { tagName, properties } = element;
      if (tagName === "pre") prepareCode(element);
      if (typeof properties["align"] === "string") {
        properties["style"] = `text-align: ${properties["align"]}`;
        delete properties["align"];
      }
      if (/^h[1-6]$/.test(tagName) && typeof properties["id"] === "string") headingIds.add(properties["id"]);
    });
    data[HEADING_IDS] = headingIds;
  };
}

/** Where one step of a run leaves something for a later one. */
interface File {
  readonly data: Record<string, unknown>;
}

const HEADING_IDS = "headingIds";

function prepareCode(pre: Element): void {
  const [code] = pre.children;
  if (code?.type !== "element" || code.tagName !== "code") return;
  const language = languageOf(code);
  // Astro leaves these to other plugins.
  if (language === "math") return;
  pre.properties = { className: ["astro-code"], tabIndex: 0, dataLanguage: language };
  code.properties = {};
  // rehype-raw loses a line feed right behind the start of a code block, and Shiki one at the end.
  const [text] = code.children;
  if (text?.type === "text") text.value = text.value.replace(/\n{1,2}$/, "").replace(/^\n/, "\n\n");
}

function languageOf({ properties: { className } }: Element): string {
  const names = Array.isArray(className) ? className.map(String) : [];
  return names.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "plaintext";
}

/**
 * The step after the sanitizer. Footnotes get the slug of the post before their ids, and their heading is hidden, as
 * the publisher does it. Ids that the author wrote as HTML get `user-content-`, and links to them follow. The ids of
 * headings stay.
 */
export function finishElements({ slug }: { readonly slug: string }) {
  return (tree: Root, { data }: File): void => {
    const authorIds = findAuthorIds(tree, data[HEADING_IDS]);
    const renamed = (id: string): string => {
      if (isFootnoteId(id)) return `${slug}-${id}`;
      return authorIds.has(id) || authorIds.has(decoded(id)) ? `${AUTHOR_PREFIX}${id}` : id;
    };
    visit(tree, "element", ({ properties }) => {
      for (const name of ID_PROPERTIES) {
        const value = properties[name];
        if (typeof value === "string") properties[name] = renamed(value);
        else if (Array.isArray(value)) properties[name] = value.map((id) => renamed(String(id)));
      }
      const { href, className } = properties;
      if (typeof href === "string" && href.startsWith("#")) properties["href"] = `#${renamed(href.slice(1))}`;
      if (Array.isArray(className) && className.includes("sr-only")) properties["style"] = VISUALLY_HIDDEN;
    });
  };
}

/** Properties whose values are ids of the same document. */
const ID_PROPERTIES: readonly string[] = ["id", "name", "ariaDescribedBy", "ariaLabelledBy"];

function findAuthorIds(tree: Root, headingIds: unknown): ReadonlySet<string> {
  const others = headingIds instanceof Set ? headingIds : new Set();
  const ids = new Set<string>();
  visit(tree, "element", ({ properties: { id, name } }) => {
    for (const each of [id, name]) if (typeof each === "string" && !others.has(each)) ids.add(each);
  });
  return ids;
}

/** The id that a fragment of an address stands for. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

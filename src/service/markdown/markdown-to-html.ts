import type { Element, Root } from "hast";
import type { Root as MarkdownRoot } from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema, type Options as Schema } from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import remarkSmartypants from "remark-smartypants";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { isFootnoteId, VISUALLY_HIDDEN } from "../../html/post-body-style.ts";
import { decodeComponent } from "../../base/decode-component.ts";

/** Markdown of a post. */
export interface MarkdownText {
  readonly markdown: string;
  /** Prefix of footnote ids. */
  readonly slug: string;
}

const tagNames = defaultSchema.tagNames ?? [];
const attributes = defaultSchema.attributes ?? {};
const protocols = defaultSchema.protocols ?? {};

const SIZE = ["width", "height"] as const;
const MEDIA = ["src", "controls", "loop", "muted", "preload"] as const;
const LINK_RELATIONS = [
  "noopener",
  "noreferrer",
  "nofollow",
  "external",
  "sponsored",
  "ugc",
  "me",
  "author",
  "license",
];
const ALIGNMENT = ["style", /^text-align: (?:left|center|right)$/] satisfies [string, RegExp];

/**
 * Allowed HTML in a post's Markdown: the schema of rehype-sanitize (GitHub's rules) plus what articles need: figures,
 * marks, captions, columns, video and audio. Styles, classes, scripts, frames, forms, SVG and MathML are removed. Ids
 * are kept here and renamed by `finishElements`.
 */
const POST_SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: [
    ...tagNames,
    ...["figure", "figcaption", "mark", "small", "u", "abbr", "cite", "dfn", "time", "wbr", "bdi", "bdo", "address"],
    ...["article", "aside", "caption", "colgroup", "col", "video", "audio", "track"],
  ],
  attributes: {
    ...attributes,
    "*": (attributes["*"] ?? []).filter((name) => name !== "name"),
    a: [...(attributes["a"] ?? []), "name", ["target", "_blank"], ["rel", ...LINK_RELATIONS]],
    th: [ALIGNMENT],
    td: [ALIGNMENT],
    img: [...(attributes["img"] ?? []), "srcSet", "sizes", "loading", "decoding"],
    source: [...(attributes["source"] ?? []), "src", "type", "sizes"],
    pre: [["className", "astro-code"], "dataLanguage"],
    video: [...MEDIA, ...SIZE, "poster", "playsInline"],
    audio: [...MEDIA],
    track: ["src", "kind", "srcLang", "default"],
  },
  protocols: {
    ...protocols,
    href: [...(protocols["href"] ?? []), "tel"],
    poster: ["http", "https"],
  },
  // Their content isn't text for readers.
  strip: ["script", "style", "template", "iframe", "object", "noscript", "textarea", "select", "title", "svg", "math"],
  clobber: [],
};

/**
 * Renders Markdown (CommonMark with GitHub's extensions and smart punctuation) as Astro does by default, and removes
 * anything that could run or load something on its own. Throws if HTML is nested too deeply.
 *
 * Malicious text can take hours: call this only where it can be killed from outside, as in `createMarkdownRenderer`.
 */
export function markdownToHtml({ markdown, slug }: MarkdownText): string {
  const rendered = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkSmartypants, { dashes: "oldschool" })
    .use(openQuotes)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeSlug)
    .use(prepareElements)
    .use(rehypeRaw)
    .use(checkDepth)
    .use(rehypeSanitize, POST_SCHEMA)
    .use(finishElements, { slug })
    .use(rehypeStringify)
    .processSync(markdown.replaceAll(/\r\n?/g, "\n"));
  return String(rendered);
}

/** SmartyPants renders opening quotes before punctuation as closing ones, as in `(".")`. */
function openQuotes() {
  return (tree: MarkdownRoot): void => {
    visit(tree, "text", (text) => {
      text.value = text.value
        .replaceAll(/(?<=[\s([{])”(?=[^\s)\]}])/g, "“")
        .replaceAll(/(?<=[\s([{])’(?=[^\s\p{L}\p{N}]+’)/gu, "‘");
    });
  };
}

/** Browsers and the plugins above recurse once per level. */
const MAX_DEPTH = 200;

function checkDepth() {
  return (tree: Root): void => {
    const open: { readonly node: Root | Root["children"][number]; readonly depth: number }[] = [
      { node: tree, depth: 0 },
    ];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      const { node, depth } = entry;
      if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
      if ("children" in node) open.push(...node.children.map((child) => ({ node: child, depth: depth + 1 })));
    }
  };
}

/** Prefix of ids in the author's HTML, as on GitHub, so that they never clash with names in scripts. */
const AUTHOR_PREFIX = "user-content-";

/**
 * Runs before HTML in the Markdown is parsed, so that the author's HTML stays unchanged. Code blocks get the same
 * elements as Astro's, without colors, and table columns are aligned by style.
 */
function prepareElements() {
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

/** Passes data from one step to a later one. */
interface File {
  readonly data: Record<string, unknown>;
}

const HEADING_IDS = "headingIds";

function prepareCode(pre: Element): void {
  const [code] = pre.children;
  if (code?.type !== "element" || code.tagName !== "code") return;
  const language = languageOf(code);
  // Astro leaves math to other plugins.
  if (language === "math") return;
  pre.properties = { className: ["astro-code"], tabIndex: 0, dataLanguage: language };
  code.properties = {};
  // rehype-raw drops a line feed at the start of a code block, and Shiki one at the end.
  const [text] = code.children;
  if (text?.type === "text") text.value = text.value.replace(/\n{1,2}$/, "").replace(/^\n/, "\n\n");
}

function languageOf({ properties: { className } }: Element): string {
  const names = Array.isArray(className) ? className.map(String) : [];
  return names.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "plaintext";
}

/**
 * Runs after the sanitizer. Prefixes footnote ids with the post's slug and hides the footnotes heading, like the
 * publisher. Ids in the author's HTML get `user-content-`, as do links to them. Heading ids stay unchanged.
 */
function finishElements({ slug }: { readonly slug: string }) {
  return (tree: Root, { data }: File): void => {
    const authorIds = findAuthorIds(tree, data[HEADING_IDS]);
    const renamed = (id: string): string => {
      if (isFootnoteId(id)) return `${slug}-${id}`;
      return authorIds.has(id) || authorIds.has(decodeComponent(id)) ? `${AUTHOR_PREFIX}${id}` : id;
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

/** Properties that contain ids of the same document. */
const ID_PROPERTIES: readonly string[] = ["id", "name", "ariaDescribedBy", "ariaLabelledBy"];

function findAuthorIds(tree: Root, headingIds: unknown): ReadonlySet<string> {
  const others = headingIds instanceof Set ? headingIds : new Set();
  const ids = new Set<string>();
  visit(tree, "element", ({ properties: { id, name } }) => {
    for (const each of [id, name]) if (typeof each === "string" && !others.has(each)) ids.add(each);
  });
  return ids;
}

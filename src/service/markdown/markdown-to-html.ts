import type { Root } from "hast";
import type { Root as MarkdownRoot } from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import remarkSmartypants from "remark-smartypants";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { finishElements, prepareElements } from "./post-elements.ts";
import { POST_SCHEMA } from "./schema.ts";

/** The Markdown of a post. */
export interface MarkdownText {
  readonly markdown: string;
  /** Stands before the ids of footnotes. */
  readonly slug: string;
}

/**
 * Renders Markdown (CommonMark with GitHub's extensions and smart punctuation) as Astro does by default, and removes
 * from it whatever could run or load something on its own. Throws on HTML that is nested too deeply.
 *
 * Takes seconds or hours for a text that was made for it: call it only where it can be ended from outside, as
 * `createMarkdownRenderer` does.
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

/** SmartyPants closes quotes that begin with punctuation, as in `(".")`. */
function openQuotes() {
  return (tree: MarkdownRoot): void => {
    visit(tree, "text", (text) => {
      text.value = text.value
        .replaceAll(/(?<=[\s([{])”(?=[^\s)\]}])/g, "“")
        .replaceAll(/(?<=[\s([{])’(?=[^\s\p{L}\p{N}]+’)/gu, "‘");
    });
  };
}

/** Browsers and the plugins above go down one call per level. */
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

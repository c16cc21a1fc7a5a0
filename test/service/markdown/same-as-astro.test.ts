import { join } from "node:path";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, it } from "vitest";
import { markdownToHtml } from "../../../src/service/markdown/markdown-to-html.ts";
import { parsePostHtml } from "../../../src/posts/render/post-html.ts";
import { createAstroRenderer } from "../../../src/posts/render/render-markdown.ts";
import { REPOSITORY } from "../../posts/folder.ts";

// A post reaches the blog either from the publisher, as the HTML that Astro renders from its Markdown, or through the
// API, MCP, or the dashboard, where the service renders the Markdown. Readers must see no difference.

const SLUG = "my-post";
const renderByAstro = await createAstroRenderer(REPOSITORY);

/** The body that `imprint publish` sends for a Markdown file. */
async function published(markdown: string): Promise<string> {
  const { html } = await renderByAstro(markdown, { file: join(REPOSITORY, "posts/a.md"), frontmatter: {} });
  const none = new Map<string, string>();
  return parsePostHtml(html).render({ images: none, links: none, idPrefix: SLUG, firstHeading: "keep" });
}

/** Text, elements, and attributes, one per line, without the colors of code. */
function outlineOf(html: string): readonly string[] {
  const lines: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode, indent: string, isCode: boolean): void => {
    if (defaultTreeAdapter.isTextNode(node)) {
      const text = isCode ? node.value : node.value.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, "").replaceAll(/\s+/g, " ");
      const before = lines.at(-1);
      if (isCode && before?.startsWith(`${indent}"`) === true)
        lines[lines.length - 1] = `${before.slice(0, -1)}${text}"`;
      else if (text !== "") lines.push(`${indent}"${text}"`);
    }
    if (!defaultTreeAdapter.isElementNode(node)) return;
    const isColored = isCode && node.tagName === "span";
    if (!isColored) lines.push(`${indent}${node.tagName}${attributesOf(node)}`);
    const isInCode = isCode || attributesOf(node).includes("astro-code");
    for (const child of node.childNodes) visit(child, isColored ? indent : `${indent}  `, isInCode);
  };
  for (const node of parseFragment(html).childNodes) visit(node, "", false);
  return lines;
}

function attributesOf({ attrs }: DefaultTreeAdapterTypes.Element): string {
  const isCode = attrs.some(({ name, value }) => name === "class" && value.startsWith("astro-code"));
  return attrs
    .filter(({ name }) => !(isCode && name === "style"))
    .map(({ name, value }) => ` ${name}="${isCode && name === "class" ? "astro-code" : value}"`)
    .sort()
    .join("");
}

const TEXTS: Readonly<Record<string, string>> = {
  "headings with ids":
    "# One & Two\n\n## One & Two\n\nSetext\n===\n\nLower\n---\n\n### `code` and *more*\n\n###### Six ######",
  "repeated headings": "## Setup\n\n## Setup\n\n### Setup-1\n\n## Setup",
  "headings in other scripts": "## Über größe\n\n## 日本語の見出し\n\n## Привет, мир!\n\n## 👋 Hello\n\n## !!!",
  emphasis: "*a* _b_ **c** __d__ ***e*** **_f_** *g **h** i* a*b*c snake_case_word 2 * 3 * 4 \\*no\\* **a*",
  "emphasis beside punctuation and CJK": '**これは「強調」**です。これは**強調（注）**です。 **"a"**b *(x)*y',
  "nested lists":
    "- a\n  - b\n    - c\n\n      text in c\n- d\n\n1. one\n2. two\n   1. in two\n   - dash\n\n\n3. three",
  "lists with other start numbers": "7. seven\n8. eight\n\n+ plus\n\n* star\n\n1) paren\n2) next",
  "tight and loose lists": "- a\n- b\n\ntext\n\n- a\n\n- b\n",
  "task lists": "- [x] done\n- [ ] to do\n- plain\n\n1. [X] ordered\n\n- [ ]not a task",
  "a task list with loose items": "- [x] done\n\n- [ ] to do\n\n  more",
  tables:
    "| Left | Mid | Right | None |\n|:-----|:---:|------:|------|\n| a `|` b | **c** | 1 | x |\n| short |\n\n| a \\| b |\n|---|\n| [l](https://x.com) | too | many |",
  "a table without a body": "| a | b |\n|---|---|",
  footnotes:
    "One[^1], two[^note], one again[^1].\n\n[^1]: First *note*.\n[^note]:\n    Second note.\n\n    With two paragraphs.\n\n    ```js\n    code\n    ```\n[^unused]: Nowhere.",
  "footnotes with custom names": "A[^Über] b[^a b] c[^x_y-z].\n\n[^über]: u\n[^x_y-z]: x",
  autolinks:
    "<https://a.example/?a=1&b=2> <me@a.example> https://b.example/path_(x). www.c.example/a, x@d.example http://e.example?q=(a)&copy;",
  links:
    '[a](https://x.com "title") [b](/b "it\'s") [c][ref] [ref][] [ref] [d](<a b>) [e](#headings) [f](mailto:a@b.c) [g](tel:+123) [empty]() [h](./x.md#a)\n\n[ref]: https://r.example \'The "ref"\'',
  "a link with non-ASCII letters":
    "[ä](https://x.com/ä?q=ö#ü) [p](https://x.com/%C3%A4%zz) [s](/a\\_b) [日](https://例え.jp/日本)",
  strikethrough: "~~two~~ ~one~ ~~~not code? a~~a~~a ~~ no ~~",
  "smart punctuation":
    '"Double" and \'single\' it\'s the \'90s -- en, --- em... "a \'b\' c" ("x") 5\'10" "`code`" "*em*" (".") "/" ["l"](https://x.com)',
  "unchanged punctuation in code": '`"a" -- b...`\n\n    "c" -- d\n\n```\n"e" --- f...\n```',
  "HTML blocks": '<div>\n\n*markdown* in HTML\n\n</div>\n\n<p align="center">centered</p>\n\n<!-- comment -->\n\nend',
  "inline HTML": 'H<sub>2</sub>O <kbd>Ctrl</kbd> <mark>m</mark> <abbr title="a">b</abbr> <br> <br/> a<b>c</b> <q>x</q>',
  details: "<details open>\n<summary>More</summary>\n\n- *a*\n\n</details>",
  figures:
    '<figure>\n  <img src="https://x.com/a.png" alt="a" width="20" loading="lazy">\n  <figcaption>Caption</figcaption>\n</figure>',
  "video and audio":
    '<video src="https://x.com/a.mp4" controls poster="https://x.com/p.png"></video>\n\n<audio controls><source src="https://x.com/a.mp3" type="audio/mpeg"></audio>',
  "a table in HTML": '<table><caption>c</caption><tr><th scope="row">a</th><td colspan="2">b</td></tr></table>',
  "code with a language":
    '```js\nconst a = "<b>";\n\n  // x\n```\n\n```ts title="a.ts" {1,3}\nlet b: string;\n```\n\n~~~c++\nint c;\n~~~',
  "code without a language": "```\nplain <b>\n```\n\n    indented\n      more\n\n\n    after\n\n```text\ntext\n```",
  "code with empty lines around it": "```js\n\na\n\n```\n\n```js\n\n\nb\n\n\n\n```",
  "a text with CRLF line ends": "a\r\nb  \r\nc\r\n\r\n- d\r\n\r\n```js\r\ne\r\nf\r\n```\r\n",
  "HTML headings": '<h2 align="center">No id</h2>\n\n# With <b>an</b> id',
  "a link that opens a window": '<a href="https://x.com" target="_blank" rel="noopener noreferrer">x</a>',
  "empty code": "```js\n```\n\n```\n\n```",
  "code fences in lists": "- a\n\n  ```sh\n  $ ls\n  ```\n- b",
  formulas: "```math\nx^2\n```\n\n$a$ and $$b$$",
  diagrams: "```mermaid\ngraph TD\n```",
  "inline code": "`a` ``b ` c`` ` d ` `<b>` `  `",
  images:
    '![a](https://x.com/a.png "Title") ![](/b.png) [![c](https://x.com/c.png)](https://x.com) ![d *e* `f`][i]\n\n[i]: https://x.com/i.png',
  "hard breaks": "a  \nb\\\nc\nd   \n\ne\\",
  entities: "&amp; &copy; &lt;b&gt; &#42;a&#42; &#x1F600; &nosuch; &nbsp;x a&b &hellip; &#0;",
  quotes: "> a\n> b\n>\n> > nested\nlazy\n\n> - list\n>   - in quote\n\n> ```\n> code\n> ```",
  rules: "a\n\n---\n\n***\n\n_ _ _\n\nb",
  "text that looks like definitions":
    "Term\n: Definition\n\n*[HTML]: Hyper\n\n[ ] not a task\n\n:::note\na\n:::\n\n==mark== ^sup^ ~sub~ :smile: [[wiki]]",
  escapes: "\\# a \\[b\\] \\<c> \\& \\\\ \\` 1\\. x\n\n1\\. not a list",
  CJK: "日本語の文章。\n次の行。\n\n**太字**と*斜体*、[リンク](https://x.com)。\n\n한국어 **굵게**는",
  "white space": "  a\tb  c\n\n\n\n\td\n\n\u00a0e\u00a0\n\n\ufeffx\u200by\r\nz",
  "a long mixed text": "Intro\n***\n* a\n***\n1. b\n# c\n> d\n- e\n# f\n```\ng",
};

interface Difference {
  readonly markdown: string;
  readonly publisher: readonly string[];
  readonly service: readonly string[];
}

/** All known differences; authors don't meet any difference in words or structure by accident. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "a language without highlighting keeps its name": {
    markdown: "```no-such-language\nx\n```",
    publisher: ['pre class="astro-code" data-language="plaintext" tabindex="0"', "  code", '    "x"'],
    service: ['pre class="astro-code" data-language="no-such-language" tabindex="0"', "  code", '    "x"'],
  },
  "empty quotes are not paired": {
    markdown: "\"\" and ''",
    publisher: ["p", '  "“” and ‘’"'],
    service: ["p", '  """ and ”"'],
  },
  "front matter is shown as text, because the service has fields for it": {
    markdown: "---\ntitle: x\n---\n\ntext",
    publisher: ["p", '  "text"'],
    service: ["hr", 'h2 id="title-x"', '  "title: x"', "p", '  "text"'],
  },
  "an image beside the Markdown file isn't found": {
    markdown: "![a](./a.png)",
    publisher: ["p", '  img alt="a" decoding="async" loading="lazy" src="./a.png"'],
    service: ["p", '  img alt="a" src="./a.png"'],
  },
  "ids in HTML get a prefix, and so do links to them": {
    markdown: '<a id="top" name="t"></a> [up](#top)',
    publisher: ["p", '  a id="top" name="t"', '  " "', '  a href="#top"', '    "up"'],
    service: [
      "p",
      '  a id="user-content-top" name="user-content-t"',
      '  " "',
      '  a href="#user-content-top"',
      '    "up"',
    ],
  },
  "styles and classes in HTML are removed": {
    markdown: '<span class="top" style="position:fixed">a</span>',
    publisher: ["p", '  span class="top" style="position:fixed"', '    "a"'],
    service: ["p", "  span", '    "a"'],
  },
  "unknown elements are removed": {
    markdown: "<my-note>a</my-note>",
    publisher: ["p", "  my-note", '    "a"'],
    service: ["p", '  "a"'],
  },
  "frames are removed": {
    markdown: '<iframe src="https://x.com"></iframe>\n\na',
    publisher: ['iframe src="https://x.com"', "p", '  "a"'],
    service: ["p", '  "a"'],
  },
};

describe("a Markdown post is the same whether the publisher or the service renders it", () => {
  it.each(Object.entries(TEXTS))("%s", async (_, markdown) => {
    expect(outlineOf(markdownToHtml({ markdown, slug: SLUG }))).toEqual(outlineOf(await published(markdown)));
  });

  it.each(Object.entries(DIFFERENCES))("except that %s", async (_, { markdown, publisher, service }) => {
    expect(outlineOf(await published(markdown))).toEqual(publisher);
    expect(outlineOf(markdownToHtml({ markdown, slug: SLUG }))).toEqual(service);
  });
});

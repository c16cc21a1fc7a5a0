import { parseFragment, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { expect, it } from "vitest";
import { parsePostHtml } from "../../src/posts/render/post-html.ts";
import { createSiteRenderer } from "../../src/posts/render/render-markdown.ts";
import { htmlToMarkdown } from "../../src/posts/write/html-to-markdown.ts";
import { REPOSITORY } from "./folder.ts";

const FENCE = "```";

it.each([
  ["<h2>A</h2><ul><li>b</li></ul>", "## A\n\n-   b\n"],
  ['<pre class="astro-code" data-language="js"><code><span>let a;</span></code></pre>', "```js\nlet a;\n```\n"],
  ['<pre><code class="language-js">let a;\n</code></pre>', "```js\nlet a;\n```\n"],
  ["<table><tbody><tr><td>1</td></tr></tbody></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>\n"],
  ['<p><a href="/x">y</a> <img src="z.png" alt="Z"></p>', "[y](/x) ![Z](z.png)\n"],
  ["<p>Tom<sup>*</sup> &amp; Ann, R&amp;D, 1 &lt; 2, a &lt;3</p>", "Tom<sup>\\*</sup> & Ann, R&D, 1 < 2, a <3\n"],
  ["<p>a</p><script>alert(1)</script><style>p{}</style>", "a\n"],
  ["<p><s>50</s> <strike>45</strike> 40</p>", "<s>50</s> <strike>45</strike> 40\n"],
  ['<ol type="A"><li>a</li><li>b</li></ol><p>c</p>', '<ol type="A"><li>a</li><li>b</li></ol>\n\nc\n'],
  ['<ol start="5"><li>a</li></ol>', "5.  a\n"],
  ['<ul><li><input type="checkbox" checked disabled> a</li></ul>', "-   [x] a\n"],
  ["<pre>a<br>b</pre>", "```\na\nb\n```\n"],
])("%s is written as Markdown", (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

it.each([
  "<p>Use the &lt;main&gt; tag, and &lt;script&gt;alert(1)&lt;/script&gt; with care. Then the end.</p>",
  "<p>AT&amp;amp;T, &amp;lt;b&amp;gt;, &amp;#60;i&amp;#62; and &lt;!doctype html&gt; &lt;tel:12&gt;</p>",
  "<p>&lt;<em>script&gt;alert(1)</em>&lt;/script&gt; and &amp;<em>lt;b&gt;</em></p>",
  "<p>1) no list, ~no strike~, *no* _emphasis_, `no code`</p><p>2. no list</p><p># no heading</p><p>+ no list</p>",
  "<p>a | b<br>:- | -<br>c | d</p><p>a<br>===</p><p>| a |<br>| - |</p>",
  "<h2>The &lt;head&gt; element</h2><ul><li>the &lt;li&gt; element</li></ul><blockquote><p>a &lt;q&gt;</p></blockquote>",
  "<p><code>&lt;b&gt;&amp;amp;</code> and <kbd>&lt;kbd&gt;</kbd></p>",
  `<pre><code>${FENCE}\n&lt;script&gt;alert(1)&lt;/script&gt;\n${FENCE}</code></pre>`,
  `<pre data-language="md"><code>${FENCE}\n&lt;script&gt;alert(1)&lt;/script&gt;\n${FENCE}</code></pre>`,
  `<pre><code># a\n\n&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>`,
  "<table><tbody><tr><td><pre>a\n\n&lt;b&gt; *c*\n\n# d</pre></td></tr></tbody></table>",
  '<p><a href="/a" title="&lt;img src=x onerror=alert(1)&gt;\\">a</a></p>',
  '<p><a href="/a b\\&lt;img onerror=alert(1)&gt;">a</a></p>',
  '<p><img src="/a.png" alt="&lt;img src=x onerror=alert(1)&gt; \\](x"></p>',
  "<p><u>not</u> <q>her words</q> <cite>Her</cite> <dfn>a</dfn> <var>b</var> <samp>c</samp> <time>d</time></p>",
  "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <bdo>e</bdo> <em lang='fr'>bon</em> a<wbr>b <acronym>c</acronym></p>",
  "<p>a <strong>b!</strong>c, <strong>「d」</strong>は, <strong>e</strong><strong>f</strong> and <em>g</em>h</p>",
  "<ol reversed><li>a</li><li>b</li></ol><ol type='i'><li value='4'>c</li></ol><dl><dt>a</dt><dd>b</dd></dl>",
  "<h2>a<br>b</h2><p><a id='there'></a>c<br>d</p><figure><svg><path></path></svg></figure><p><svg></svg></p>",
])("what %s displays stays the same in the site", async (html) => {
  const render = createSiteRenderer(REPOSITORY, { syntaxHighlight: false });
  const again = await render(htmlToMarkdown(html), { file: `${REPOSITORY}/a.md`, frontmatter: {} });
  expect(contentOf(parseFragment(again.html))).toEqual(contentOf(parseFragment(html)));
});

it.each([
  "Note[^1], other[^wind], and again[^1].\n\n[^1]: Text *here*.\n\n    More.\n\n[^wind]: `Two`.\n",
  "| a | b | c |\n| :-- | --- | --: |\n| 1 \\| x | `a\\|b` | [y](/x) |\n| d<br>e |  | **f** |\n",
  "The room costs ~~50 euros~~ 40 euros.\n",
])("%j becomes the same Markdown again", async (markdown) => {
  const { html } = await createSiteRenderer(REPOSITORY)(markdown, { file: `${REPOSITORY}/a.md`, frontmatter: {} });
  const sent = parsePostHtml(html).render({
    ...{ images: new Map(), links: new Map(), idPrefix: "ink", firstHeading: "keep" },
  });
  expect(htmlToMarkdown(sent, { flavor: "gfm" })).toBe(markdown);
});

it.each([
  "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p></td></tr></tbody></table>",
  '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table>',
  "<table><tbody><tr><td>a</td></tr></tbody></table>",
])("%s has more than a Markdown table can, and stays HTML", (html) => {
  expect(htmlToMarkdown(html, { flavor: "gfm" })).toBe(`${html}\n`);
});

it("a reference whose footnote isn't there stays a link", () => {
  const html = '<p>a<sup><a href="#user-content-fn-1">1</a></sup></p>';
  expect(htmlToMarkdown(html, { flavor: "gfm" })).toBe("a<sup>[1](#user-content-fn-1)</sup>\n");
});

/** The elements and the text of a document, in order, without line breaks between blocks. */
function contentOf(node: Tree.Node): readonly string[] {
  if ("value" in node) return node.value.trim() === "" ? [] : [node.value.replaceAll(/^\n+|\n+$/g, "")];
  return "childNodes" in node ? [node.nodeName, ...node.childNodes.flatMap(contentOf)] : [];
}

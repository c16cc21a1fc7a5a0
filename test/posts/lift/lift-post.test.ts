import { expect, it } from "vitest";
import { createLifter } from "../../../src/posts/render/lift/lift-post.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createFolder, linesOf, PIXEL, readFolder } from "../folder.ts";

const LAYOUT = (article: string) =>
  `<!doctype html><html><head><title>T</title></head><body><nav><a href="/">All posts about ink and paper</a></nav><main><article>${article}</article></main><footer>Ink since 1950</footer></body></html>`;

async function lift(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = await createFolder({ "dist/index.html": LAYOUT("Home"), ...files });
  const site = await readBuiltSite(`${root}/dist`);
  return readFolder(root, { lift: createLifter(site) });
}

const POST = `---
title: Second
---
import Note from "../Note.astro";

Some *text* with **ink** and [a link](/about/).

<Note kind="tip">Inside a note</Note>

## A heading

The end of it. {new Date().getFullYear()}
`;

const BODY = `<p>Some <em>text</em> with <strong>ink</strong> and <a href="/about/">a link</a>.</p>
<aside class="tip"><b>Tip</b> Inside a note</aside>
<h2 id="a-heading">A heading</h2>
<p>The end of it. 2026</p>`;

it("MDX is extracted from its page, without the layout around it", async () => {
  const page = LAYOUT(
    `<h1>Second</h1><time>2026</time>\n${BODY}\n<ul><li>tags</li></ul><p><a href="/blog/first/">Older</a></p>`,
  );
  const { posts, problems } = await lift({ "posts/second.mdx": POST, "dist/blog/second/index.html": page });
  expect(problems).toEqual([]);
  expect(posts[0]?.html).toBe(BODY);
});

it("MDX in its own element is extracted unchanged", async () => {
  const body = `<div class="prose">${BODY}</div>`;
  const page = LAYOUT(`<header><h1>Second</h1></header>${body}<footer>Share</footer>`);
  const { posts } = await lift({ "posts/second.mdx": POST, "dist/blog/second.html": page });
  expect(posts[0]?.html).toBe(BODY);
});

it("a component at the start is included", async () => {
  const post = POST.replace("Some *text*", '<Hero words="none of them" />\n\nSome *text*');
  const page = LAYOUT(`<h1>Second</h1><figure>Hero words</figure>${BODY}`);
  const { posts } = await lift({ "posts/second.mdx": post, "dist/blog/second/index.html": page });
  expect(posts[0]?.html).toBe(`<figure>Hero words</figure>${BODY}`);
});

it("text that the page doesn't show, or shows among much other text, is an error with the numbers", async () => {
  const long = "word ".repeat(400);
  const result = await lift({
    "posts/second.mdx": POST,
    "dist/blog/second/index.html": LAYOUT(`<h1>Second</h1><p>Some text, the rest is behind a wall.</p>`),
    "posts/third.mdx": "---\ntitle: Third\n---\nA few of the words.\n",
    "dist/blog/third/index.html": LAYOUT(`<p>A few of the words. ${long}</p>`),
    "posts/nowhere.mdx": "---\ntitle: Nowhere\n---\nHello.\n",
    "posts/fine.md": "---\ntitle: Fine\n---\nMarkdown needs no page.\n",
  });
  expect(result.posts.map(({ slug }) => slug)).toEqual(["fine"]);
  expect(linesOf(result).map((line) => line.replace(/ Run `astro build`.*/, ""))).toEqual([
    "POST_INVALID posts/nowhere.mdx:1:1 The post can't be rendered: MDX needs the components of your site, and no page of the built site ends with /nowhere/.",
    expect.stringMatching(/second\.mdx:1:1 .*The page \/blog\/second\/ shows \d+ % of the post's words/),
    expect.stringMatching(/third\.mdx:1:1 .*shows 5 words of the post among 40\d others/),
  ]);
});

it("code that readers don't see doesn't count: nested expressions, and imports and exports of several lines", async () => {
  const post = `---
title: Prices
---
import Box from "../Box.astro";

export const rows = [
  { name: "small nest", crowns: 40 },
  { name: "large nest", crowns: 80 },
];

Our prices for the season:

<ul>{rows.filter(({ crowns }) => crowns > 0).map(({ name }, index) => <li>{name}: {(index + 1) * 40} crowns</li>)}</ul>

<Box kind={{ name: "note" }}>We open in May.</Box>
`;
  const body = `<p>Our prices for the season:</p>
<ul><li>small nest: 40 crowns</li><li>large nest: 80 crowns</li></ul>
<aside>We open in May.</aside>`;
  const page = LAYOUT(`<h1>Prices</h1>${body}`);
  const { posts, problems } = await lift({ "posts/prices.mdx": post, "dist/blog/prices/index.html": page });
  expect(problems).toEqual([]);
  expect(posts[0]?.html).toBe(body);
});

it("its images are those of the built site", async () => {
  const { readBuiltImages } = await import("./built-images-of.ts");
  const root = await createFolder({
    "posts/second.mdx": "---\ntitle: T\n---\nLook here.\n\n![A](./a.png)\n",
    "posts/a.png": PIXEL,
    "dist/index.html": LAYOUT("Home"),
    "dist/_astro/a.AAAAAAAA_ZBBBBB.webp": PIXEL,
    "dist/second/index.html": LAYOUT('<p>Look here.</p><p><img src="/_astro/a.AAAAAAAA_ZBBBBB.webp" alt="A"></p>'),
  });
  const { posts } = await readFolder(root, await readBuiltImages(`${root}/dist`));
  expect(posts[0]?.assets.map(({ name, alt }) => [name, alt])).toEqual([["a.AAAAAAAA_ZBBBBB.webp", "A"]]);
});

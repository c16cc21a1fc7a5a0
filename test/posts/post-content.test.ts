import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { createFolder, linesOf, PIXEL, read, readFolder } from "./folder.ts";

describe("images of a post", () => {
  const images = {
    "posts/a.png": PIXEL,
    "posts/b c.png": Buffer.concat([PIXEL, PIXEL]),
    "public/img/p.png": Buffer.concat([PIXEL, Buffer.from("p")]),
  };

  it("are found beside it, in the public folder, and from the root, and become placeholders everywhere", async () => {
    const { posts, problems } = await read({
      ...images,
      "src/assets/s.png": Buffer.concat([PIXEL, Buffer.from("s")]),
      "posts/post.md": [
        "# T",
        '![Alt "text"](./a.png "Title")',
        "![](<./b c.png>)",
        "![](/img/p.png)",
        "![](src/assets/s.png)",
        '<img class="wide" src="b%20c.png?v=1" srcset="./a.png 1x, b%20c.png 2x">',
        "[![small](a.png)](./a.png)",
        "![](https://other.example/x.png) ![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)",
      ].join("\n\n"),
    });
    expect(problems).toEqual([]);
    const [post] = posts;
    const hashes = post?.assets.map(({ hash }) => hash) ?? [];
    expect(post?.assets.map(({ name, alt, optimize }) => ({ name, alt, optimize }))).toEqual([
      { name: "a.png", alt: "Alt “text”", optimize: "any-type" },
      { name: "b c.png", alt: undefined, optimize: "any-type" },
      { name: "p.png", alt: undefined, optimize: "any-type" },
      { name: "s.png", alt: undefined, optimize: "any-type" },
    ]);
    const named = Array.from((post?.html ?? "").matchAll(/imprint-asset:([0-9a-f]{64})/g), ([, hash]) => hash);
    expect([...new Set(named)].toSorted()).toEqual(hashes.toSorted());
    expect(post?.html).toContain(
      `<img src="imprint-asset:${hashes[0]}" alt="Alt “text”" title="Title" loading="lazy" decoding="async">`,
    );
    expect(post?.html).toContain(
      `<img class="wide" src="imprint-asset:${hashes[1]}" srcset="imprint-asset:${hashes[0]} 1x, imprint-asset:${hashes[1]} 2x">`,
    );
    expect(post?.html).toContain(
      `<a href="imprint-asset:${hashes[0]}"><img src="imprint-asset:${hashes[0]}" alt="small"`,
    );
    expect(post?.html).toContain('src="https://other.example/x.png"');
    expect(post?.html).not.toContain("__ASTRO_IMAGE_");
  });

  it("keep their type if they are the cover, which is uploaded separately from the picture in the body", async () => {
    const { posts } = await read({
      ...images,
      "posts/post.md": "---\ntitle: T\ncover: { src: ./a.png, alt: A hill }\n---\n![](./a.png)\n",
    });
    const [post] = posts;
    expect(post?.assets.map(({ name, optimize }) => [name, optimize])).toEqual([
      ["a.png", "any-type"],
      ["a.png", "same-type"],
    ]);
    expect(post?.cover).toEqual({ kind: "asset", hash: post?.assets[1]?.hash, alt: "A hill" });
    expect(post?.assets[0]?.hash).not.toBe(post?.assets[1]?.hash);
  });

  it("are found below the site's base path", async () => {
    const { posts } = await read({ ...images, "posts/post.md": "# T\n\n![](/docs/img/p.png)" }, { base: "/docs/" });
    expect(posts[0]?.assets.map(({ name }) => name)).toEqual(["p.png"]);
  });

  it("that are missing, outside the project, or not pictures stop the post, with their line", async () => {
    const root = await createFolder({
      ...images,
      ".env": "KEY=secret",
      "posts/a.md":
        "---\ntitle: T\ncover: ./no-cover.png\n---\n\nText ![x](./gone.png)\n\n<img src='../.env'>\n\n![](/img/gone.png)\n",
      "posts/b.md": "# T\n\n![](../../outside.png)\n\n![](linked.png)",
      "posts/c.md": "# Fine",
    });
    await writeFile(join(root, "..", "outside.png"), PIXEL);
    await symlink(join(root, "..", "outside.png"), join(root, "posts/linked.png"));
    const result = await readFolder(root);
    expect(result.posts.map(({ slug }) => slug)).toEqual(["c"]);
    expect(linesOf(result)).toEqual([
      'ASSET_MISSING posts/a.md:3:1 The image "./no-cover.png" does not exist.',
      'ASSET_MISSING posts/a.md:6:11 The image "./gone.png" does not exist.',
      'ASSET_MISSING posts/a.md:8:11 "../.env" is not an image.',
      'ASSET_MISSING posts/a.md:10:5 The image "/img/gone.png" does not exist.',
      'ASSET_MISSING posts/b.md:3:5 The image "../../outside.png" is outside the project and is not read.',
      'ASSET_MISSING posts/b.md:5:5 The image "linked.png" is outside the project and is not read.',
    ]);
  });

  it("cause warnings if they will look different than on the site", async () => {
    const { posts } = await read({
      ...images,
      "posts/post.md": "---\ntitle: T\nimage: https://cdn.example/c.png\n---\n\n<img src='./a.png'>\n",
    });
    expect(posts[0]?.warnings.map(({ code, line }) => [code, line])).toEqual([["raw-image", 6]]);
  });

  it("from another site are used unchanged as the cover; a cover that isn't a URL is reported", async () => {
    const { posts } = await read({
      "posts/a.md": "---\ntitle: A\nimage: https://cdn.example/c.png\nimageAlt: A hill\n---\n",
      "posts/b.md": "---\ntitle: B\nimage: data:image/gif;base64,R0lGODlhAQABAAAAACw=\n---\n",
    });
    expect(posts[0]?.cover).toEqual({ kind: "external", address: "https://cdn.example/c.png", alt: "A hill" });
    expect(posts[1]?.cover).toBeUndefined();
    expect(posts[1]?.warnings.map(({ code, line }) => [code, line])).toEqual([["unsent-cover", 3]]);
  });
});

describe("links of a post", () => {
  it("to other posts get their published address; dead links and links to drafts are reported", async () => {
    const { posts } = await read({
      "posts/a.md":
        "# A\n\n[b](./deep/b.md#part) [B](deep/b.md) [c](c.md) [gone](gone.md) [page](/about/) [x](https://x.example/a.md) [here](#a) [mail](mailto:a@b.example)",
      "posts/deep/b.md": "# B\n\n[a](../a.md?x=1#y)\n\n[broken](../broken.md)",
      "posts/c.md": "---\ntitle: C\ndraft: true\n---\n",
      "posts/broken.md": "# D\n\n![](nope.png)",
    });
    const [a, b] = posts;
    expect(a?.html).toContain(
      '<a href="/blog/deep-b#part">b</a> <a href="/blog/deep-b">B</a> c gone <a href="/about/">',
    );
    expect(a?.html).toContain(
      '<a href="https://x.example/a.md">x</a> <a href="#a">here</a> <a href="mailto:a@b.example">mail</a>',
    );
    expect(a?.warnings.map(({ code, line, message }) => [code, line, message.split(" ")[3]])).toEqual([
      ["link-to-draft", 3, "c.md"],
      ["dangling-link", 3, "gone.md"],
      ["dangling-link", 3, "/about/"],
    ]);
    expect(b?.html).toContain('<a href="/blog/a?x=1#y">a</a>');
    expect(a?.unlinked).toEqual(["c.md", "gone.md"]);
    expect(b?.html).toContain('<a href="/blog/broken">broken</a>');
    expect(b?.warnings).toEqual([]);
  });

  it("are looked up with all known details", async () => {
    const asked: unknown[] = [];
    await read(
      { "posts/deep/a.md": "# A\n\n[p](../about/?q#h)" },
      {
        resolveLink: (link) => {
          asked.push(link);
          return undefined;
        },
      },
    );
    expect(asked).toEqual([
      { href: "../about/?q#h", suffix: "?q#h", from: { file: "posts/deep/a.md", slug: "deep-a" }, to: undefined },
    ]);
  });
});

describe("a post's HTML works on another site", () => {
  it("with footnotes that don't conflict with others, and a hidden heading for them", async () => {
    const { posts } = await read({ "posts/my-post.md": "# T\n\nText[^1]\n\n[^1]: Note\n" });
    expect(posts[0]?.html).toContain('<a href="#my-post-user-content-fn-1" id="my-post-user-content-fnref-1"');
    expect(posts[0]?.html).toContain('aria-describedby="my-post-footnote-label"');
    expect(posts[0]?.html).toContain('<li id="my-post-user-content-fn-1">');
    expect(posts[0]?.html).toMatch(/<h2 class="sr-only" id="my-post-footnote-label" style="position:absolute;[^"]+">/);
  });

  it("with the post's language", async () => {
    const { posts } = await read({ "posts/a.md": "---\ntitle: T\nlang: de-AT\n---\nGrüß Gott\n" });
    const { posts: others } = await read({
      "posts/a.md": "---\ntitle: T\nlocale: en_us\n---\nHello\n",
      "posts/b.md": "---\ntitle: T\nlang: the usual one\n---\nHello\n",
    });
    expect(others.map(({ html }) => html.split("\n")[0])).toEqual(['<div lang="en-US">', "<p>Hello</p>"]);
    expect(posts[0]?.html).toMatch(/^<div lang="de-AT">\n<p>Grüß Gott<\/p>\s*<\/div>$/);
  });

  it("without scripts and islands, with a warning", async () => {
    const { posts } = await read({
      "posts/a.md":
        "# T\n\n<script>alert(1)</script>\n\n<astro-island uid='x'>\n<p>Inside</p>\n</astro-island>\n\nAfter\n",
    });
    expect(posts[0]?.html).not.toMatch(/script|alert|astro-island/);
    expect(posts[0]?.html).toContain("<p>Inside</p>");
    expect(posts[0]?.warnings.map(({ code }) => code)).toEqual(["stripped-element", "stripped-element"]);
  });

  it("without videos and audio, with a warning", async () => {
    const { posts } = await read({
      "posts/a.md": "# T\n\n<video><source src='./film.mp4'></video>\n\n<iframe src='https://v.example/1'></iframe>\n",
    });
    expect(posts[0]?.warnings).toMatchObject([
      { code: "unsent-file", line: 3, message: expect.stringContaining("./film.mp4") },
    ]);
  });

  it("with colors in code without a style sheet, and one warning per unknown language", async () => {
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    const code = "```js\nconst a = 1;\n```\n\n```chsarp\nx\n```\n\n```chsarp\ny\n```\n";
    const { posts } = await read({ "posts/a.md": `# A\n\n${code}`, "posts/b.md": `# B\n\n${code}` }, { logger });
    expect(posts[0]?.html).toMatch(/<span style="color:#[0-9A-F]{6}">const<\/span>/);
    expect(warnings).toEqual([expect.stringContaining('"chsarp"')]);
  });
});

describe("the source hash", () => {
  const post = "---\ntitle: T\ncover: a.png\n---\nText ![](./a.png)\n";
  const hashOf = async (text: string, image: Uint8Array = PIXEL, settings = {}): Promise<string | undefined> =>
    (await read({ "posts/a.png": image, "posts/p.md": text }, settings)).posts[0]?.sourceHash;

  it("ignores line ends, order, and rendering", async () => {
    const hash = await hashOf(post);
    expect(await hashOf(post)).toBe(hash);
    expect(await hashOf(post.replaceAll("\n", "\r\n"))).toBe(hash);
    expect(await hashOf("---\ncover: a.png\n\n# comment\ntitle: 'T'\nother: x\n---\n\nText ![](./a.png)\n\n")).toBe(
      hash,
    );
    const render = async () => ({ html: '<p class="new">Text <img src="./a.png"></p>' });
    expect(await hashOf(post, PIXEL, { render })).toBe(hash);
  });

  it.each([
    ["the text", post.replace("Text", "Test"), PIXEL],
    ["the title", post.replace("title: T", "title: U"), PIXEL],
    ["a tag", post.replace("title: T", "title: T\ntags: [x]"), PIXEL],
    ["the date", post.replace("title: T", "title: T\ndate: 2025-01-01"), PIXEL],
    ["the bytes of an image", post, Buffer.concat([PIXEL, PIXEL])],
  ])("changes if %s changes", async (_, text, image) => {
    expect(await hashOf(text, image)).not.toBe(await hashOf(post));
  });
});

import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, linesOf, read, readFolder } from "./folder.ts";

describe("a folder of posts", () => {
  it("is read completely, oldest first", async () => {
    const { posts, problems } = await read({
      "posts/second.md": "---\ntitle: Second\ndate: 2025-02-01\n---\nText *two*\n",
      "posts/deep/First Post.md":
        "---\ntitle: First\ndate: 2025-01-01T10:00:00+02:00\ndescription: One\ntags: [a, b]\nauthor: Ann\ncanonical: https://a.example/first\n---\nText\n",
      "posts/third.MD": "---\ntitle: Third\n---\n",
    });
    expect(problems).toEqual([]);
    expect(posts.map(({ slug }) => slug)).toEqual(["deep-first-post", "second", "third"]);
    expect(posts[0]).toMatchObject({
      file: "posts/deep/First Post.md",
      title: "First",
      status: "published",
      publishedAt: new Date("2025-01-01T08:00:00Z"),
      excerpt: "One",
      tags: ["a", "b"],
      author: "Ann",
      canonicalUrl: "https://a.example/first",
      cover: undefined,
      html: "<p>Text</p>\n",
      assets: [],
      warnings: [],
    });
    expect(posts[1]?.html.trim()).toBe("<p>Text <em>two</em></p>");
    expect(posts[2]).toMatchObject({ publishedAt: undefined, html: "" });
  });

  it("keeps drafts, scheduled posts, and expired ones on hold without rendering them", async () => {
    const result = await read(
      {
        "posts/draft.md": "---\ntitle: D\ndraft: true\ndate: nonsense\n---\n![](./missing.png)\n",
        "posts/later.md": "---\ntitle: L\ndate: 2026-01-01 00:00:01\n---\n",
        "posts/old.md": "---\ntitle: O\nexpiryDate: 2025-12-31\n---\n",
      },
      {
        render: () => {
          throw new Error("There is nothing to render.");
        },
      },
    );
    expect(result).toMatchObject({
      posts: [],
      problems: [],
      drafts: [
        { file: "posts/draft.md", slug: "draft", title: "D", reason: "draft" },
        { file: "posts/old.md", reason: "expired" },
      ],
      scheduled: [{ file: "posts/later.md", reason: "scheduled", publishedAt: new Date("2026-01-01T00:00:01Z") }],
    });
  });

  it("uses the configured time zone for dates without one", async () => {
    const files = { "posts/a.md": "---\ntitle: A\ndate: 2026-01-01 05:00\n---\n" };
    expect((await read(files, { timezone: "Asia/Tokyo" })).posts).toMatchObject([
      { publishedAt: new Date("2025-12-31T20:00:00Z") },
    ]);
    expect((await read(files)).scheduled).toHaveLength(1);
  });

  it("reads the date from a Jekyll file name", async () => {
    const { posts } = await read({ "posts/2024-01-31-hello.md": "---\ntitle: Hello\n---\n" });
    expect(posts).toMatchObject([{ slug: "2024-01-31-hello", publishedAt: new Date("2024-01-31") }]);
  });

  it("moves the first heading from the body to the title, or names a file without one", async () => {
    const result = await read({
      "posts/a.md": "# The *first* heading\n\nText\n",
      "posts/b.md": "---\ndate: 2025-01-01\n---\n## Only a second heading\n",
      "posts/c.md": "---\ntitle: Own\n---\n# Heading\n",
      "posts/d.md": "Before\n\n# Late\n",
    });
    expect(result.posts.map(({ title, html }) => [title, html.trim()])).toEqual([
      ["The first heading", "<p>Text</p>"],
      ["Own", '<h1 id="heading">Heading</h1>'],
      ["Late", '<p>Before</p>\n<h1 id="late">Late</h1>'],
    ]);
    expect(linesOf(result)).toEqual([
      'POST_INVALID posts/b.md:1:1 The post has no title. Add a line such as "title: My post" to its front matter.',
    ]);
  });

  it("skips other types and installed packages, and names skipped private files", async () => {
    const { posts, problems, privateFiles } = await read({
      "posts/a.md": "# A",
      "posts/_draft.md": "# B",
      "posts/_private/c.md": "# C",
      "posts/.obsidian/d.md": "# D",
      "posts/node_modules/x/e.md": "# E",
      "posts/f.txt": "# F",
    });
    expect([posts.map(({ slug }) => slug), problems]).toEqual([["a"], []]);
    expect(privateFiles).toEqual(["posts/_draft.md", "posts/_private/c.md"]);
  });

  it("can have special characters in its name", async () => {
    const root = await createFolder({ "[posts] (new)/{a}/x.md": "# X", "[posts] (new)/y.md": "# Y" });
    const { posts } = await readFolder(root, { folder: "[posts] (new)" });
    expect(posts.map(({ file }) => file)).toEqual(["[posts] (new)/y.md", "[posts] (new)/{a}/x.md"]);
  });

  it("that doesn't exist is reported, and so is an invalid time zone", async () => {
    const root = await createFolder({});
    await expect(readFolder(root)).rejects.toMatchObject({
      code: "OPTIONS_INVALID",
      message: expect.stringContaining("posts"),
    });
    await mkdir(join(root, "posts"));
    await expect(readFolder(root, { timezone: "Mars/Base" })).rejects.toMatchObject({ code: "OPTIONS_INVALID" });
    expect((await readFolder(root)).posts).toEqual([]);
  });
});

describe("an invalid post doesn't stop the others:", () => {
  it("reports it with its location", async () => {
    const result = await read({
      "posts/bad-byte.md": Buffer.concat([Buffer.from("---\ntitle: Caf"), Buffer.from([0xe9]), Buffer.from("\n---\n")]),
      "posts/date.md": "---\ntitle: A\ndate: 2024-02-30\n---\n",
      "posts/good.md": "# Good",
      "posts/js.md": "---js\nmodule.exports = { title: 'x' }\n---\n",
      "posts/page.mdx": "---\ntitle: M\n---\nimport X from './x'\n",
      "posts/utf16.md": Buffer.from("\uFEFF# Hi", "utf16le"),
      "posts/yaml.md": "---\ntitle: a: b\n---\n",
    });
    expect(result.posts.map(({ slug }) => slug)).toEqual(["good"]);
    const unrendered = result.held.filter(({ reason }) => reason === "needs-build");
    expect(unrendered).toMatchObject([{ file: "posts/page.mdx", slug: "page" }]);
    expect(linesOf(result).map((line) => line.replace(/(.{50}).*/, "$1"))).toEqual([
      "POST_INVALID posts/bad-byte.md:2:11 The file isn't",
      'POST_INVALID posts/date.md:3:1 "date": "2024-02-30',
      "POST_INVALID posts/js.md:1:1 JavaScript front matt",
      "POST_INVALID posts/utf16.md:1:1 The file is UTF-16",
      "POST_INVALID posts/yaml.md:2:9 YAML: bad indentati",
    ]);
  });

  it("a 50 MB file is reported without being read", async () => {
    const root = await createFolder({ "posts/huge.md": "# Huge" });
    await truncate(join(root, "posts/huge.md"), 50 * 1024 * 1024);
    expect(linesOf(await readFolder(root))).toEqual([
      "POST_INVALID posts/huge.md:0:0 The file has 50 MB; at most 5 MB are read.",
    ]);
  });

  it("if two posts have one slug, both are named and neither is sent", async () => {
    const result = await read({
      "posts/a.md": "---\ntitle: A\nslug: same\n---\n",
      "posts/Same.md": "# B",
      "posts/later/same.md": "---\ntitle: C\nslug: SAME\ndate: 2030-01-01\n---\n",
      "posts/draft.md": "---\ntitle: D\nslug: same\ndraft: true\n---\n",
      "posts/other.md": "# E",
    });
    expect(result.posts.map(({ slug }) => slug)).toEqual(["other"]);
    expect(linesOf(result)).toEqual([
      'POST_SLUG_TAKEN posts/Same.md:1:1 posts/Same.md, posts/a.md, and posts/later/same.md have the same slug, "same".',
      'POST_SLUG_TAKEN posts/a.md:3:1 posts/Same.md, posts/a.md, and posts/later/same.md have the same slug, "same".',
      'POST_SLUG_TAKEN posts/later/same.md:3:1 posts/Same.md, posts/a.md, and posts/later/same.md have the same slug, "same".',
    ]);
  });

  it("names with different Unicode normalization are the same", async () => {
    const result = await read({ "posts/caf\u00E9.md": "# A", "posts/cafe\u0301.md": "# B" });
    expect(result.problems.map(({ code }) => code)).toEqual(["POST_SLUG_TAKEN", "POST_SLUG_TAKEN"]);
  });

  it("a symbolic link is reported, and a folder that links to itself isn't read", async () => {
    const root = await createFolder({ "posts/a.md": "# A", "outside.md": "# Secret" });
    await symlink("../outside.md", join(root, "posts/linked.md"));
    await symlink(".", join(root, "posts/loop"));
    const result = await readFolder(root);
    expect(result.posts.map(({ slug }) => slug)).toEqual(["a"]);
    expect(linesOf(result)).toEqual([
      "POST_INVALID posts/linked.md:0:0 This is a symbolic link, and imprint doesn't follow links. Put the posts themselves here.",
      "POST_INVALID posts/loop:0:0 This is a symbolic link, and imprint doesn't follow links. Put the posts themselves here.",
    ]);
  });

  it("HTML over the service's limit is reported", async () => {
    const result = await read({ "posts/long.md": `# Long\n\n${"word ".repeat(250_000)}` });
    expect(linesOf(result)[0]).toMatch(
      /^POST_INVALID posts\/long\.md:1:1 The post can't be rendered: its HTML has \d+ bytes; at most 1048576 are allowed\.$/,
    );
  });

  it("a renderer error is reported", async () => {
    const render = async () => await Promise.reject(new Error("No such plugin."));
    const result = await read({ "posts/a.md": "# A" }, { render });
    expect(linesOf(result)).toEqual(["POST_INVALID posts/a.md:1:1 The post can't be rendered: No such plugin."]);
  });
});

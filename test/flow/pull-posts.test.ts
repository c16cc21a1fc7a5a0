import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { pullPosts } from "../../src/cli/posts/pull-posts.ts";
import { command, openPostsProject, postText, outcomesOf, type PostsProject } from "./posts-project.ts";
import { picture } from "./temporary-site.ts";

interface Written {
  readonly slug: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly tags?: string[];
  readonly publishedAt?: string;
  readonly author?: string;
  readonly coverImage?: string;
}

function pictureOf(color: string): Promise<Buffer> {
  return picture({ width: 40, height: 30, color });
}

async function writeInDashboard({ request }: PostsProject, post: Written): Promise<void> {
  const api = await connect(request.target);
  const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
  await api.posts.create(blog.id, {
    ...{
      title: `About ${post.slug}`,
      excerpt: "In short",
      status: "published",
      publishedAt: "2026-02-03T00:00:00.000Z",
    },
    ...post,
  });
  await api.close();
}

describe("imprint posts pull", () => {
  it("writes a file for a post without one, which is then unchanged, and sends its edit", async () => {
    const project = await openPostsProject();
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await project.sync();
    await writeInDashboard(project, {
      ...{ slug: "paper", html: "<h2>Grain</h2>\n<p>Paper has a <strong>grain</strong>.</p>" },
    });
    const pulled = await pullPosts(project.request, []);
    expect(pulled).toEqual([{ slug: "paper", file: "src/content/blog/paper.md", reason: undefined }]);
    expect(await project.read("paper.md")).toBe(
      `---\ntitle: About paper\npubDate: 2026-02-03\ndescription: In short\n---\n\n## Grain\n\nPaper has a **grain**.\n`,
    );
    expect(outcomesOf(await project.sync())).toEqual(
      expect.arrayContaining(["post ink: keep done", "post paper: keep done"]),
    );
    expect(await pullPosts(project.request, [])).toEqual([]);
    await project.edit("paper.md", "has a", "has no");
    expect(outcomesOf(await project.sync())).toContain("post paper: update done");
  });

  it("writes a file for a post that the service stores as Markdown, without its scripts", async () => {
    const project = await openPostsProject();
    const slugs = { "/about/": "about-us" };
    await writeFile(join(project.root, "imprint.lock.json"), JSON.stringify({ version: 1, slugs }));
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await project.sync();
    const ours = `To [us](${project.service.pagesUrl}/p/about-us).`;
    await writeInDashboard(project, {
      ...{ slug: "paper", markdown: `## Grain\n\nPaper has a **grain**. ${ours}\n\n\`\`\`js\nlet a = "b";\n\`\`\`\n` },
    });
    await writeInDashboard(project, {
      ...{ slug: "type", markdown: "Type.\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1))\n" },
    });
    expect(await pullPosts(project.request, [])).toMatchObject([
      ...["type", "paper"].map((slug) => ({ slug, file: `src/content/blog/${slug}.md`, reason: undefined })),
    ]);
    expect((await project.read("paper.md")).split("---\n\n")[1]).toBe(
      '## Grain\n\nPaper has a **grain**. To [us](/about/).\n\n```js\nlet a = "b";\n```\n',
    );
    expect(await project.read("type.md")).not.toMatch(/<script|javascript/);
    const outcomes = outcomesOf(await project.sync());
    expect(outcomes).toEqual(expect.arrayContaining(["post paper: keep done", "post type: keep done"]));
    await project.edit("paper.md", "has a", "has no");
    expect(outcomesOf(await project.sync())).toContain("post paper: update done");
  });

  it("restores a removed file, and skips drafts and existing files", async () => {
    const project = await openPostsProject();
    for (const name of ["ink", "paper", "type"]) await project.write(`${name}.md`, postText(`On ${name}`, "Text."));
    await project.sync();
    await project.remove("ink.md");
    await project.edit("paper.md", "title:", "draft: true\ntitle:");
    const before = await project.read("type.md");
    expect(await pullPosts(project.request, [])).toMatchObject([{ slug: "ink", reason: undefined }]);
    expect(await project.read("ink.md")).toContain("title: On ink");
    expect(await project.read("type.md")).toBe(before);
    expect(outcomesOf(await project.sync())).toContain("post ink: keep done");
  });

  it("restores the project's own file: its path, fields, links, pictures, tables, and footnotes", async () => {
    const project = await openPostsProject();
    const slugs = { "/about/": "about-us", "/blog/paper/": "blog-paper" };
    await writeFile(join(project.root, "imprint.lock.json"), JSON.stringify({ version: 1, slugs }));
    for (const [name, color] of [
      ["ink.png", "#123456"],
      ["cover.png", "#abcdef"],
    ] as const) {
      await writeFile(join(project.root, "src/content/blog", name), await pictureOf(color));
    }
    await project.write("paper.md", postText("On paper", "Paper."));
    await project.write("type.md", postText("On type", "Type."));
    const text =
      "---\ntitle: On ink\npubDate: 2026-01-05\ndescription: In short\nauthor: Ann Lee\ntags:\n  - sea\n" +
      "heroImage: ../cover.png\ncanonical: https://old.example/ink\nlang: de\n---\n\n" +
      "To [us](/about/#where), [paper](/blog/paper/), [type](../type.md), and [others](https://other.example/).\n\n" +
      "![Ink](../ink.png)\n\n| a | b |\n| --- | --: |\n| 1 | 2 |\n\nNote[^1].\n\n[^1]: Text *here*.\n";
    await project.write("2026/ink.md", text);
    await project.sync();
    await project.remove("2026/ink.md");
    const file = "src/content/blog/2026/ink.md";
    expect(await pullPosts(project.request, [])).toEqual([{ slug: "2026-ink", file, reason: undefined }]);
    expect(await project.read("2026/ink.md")).toBe(text);
    expect(outcomesOf(await project.sync())).toContain("post 2026-ink: keep done");
  });

  it("restores the text from the post's page if the blog only has a link to it", async () => {
    const project = await openPostsProject({ posts: { target: "pointer" } });
    const text = postText("On ink", "Ink is a *paint*.\n\n| a |\n| --- |\n| 1 |", "description: In short\n");
    await project.write("ink.md", text);
    await project.write("type.md", postText("On type", "Type."));
    await project.sync();
    await project.remove("ink.md");
    await pullPosts(project.request, []);
    expect(await project.read("ink.md")).toBe(text);
    expect(outcomesOf(await project.sync())).toEqual(
      expect.arrayContaining(["post ink: keep done", "page blog-ink: keep done"]),
    );
  });

  it("writes no file for a post whose text only the site's own page has", async () => {
    const project = await openPostsProject({ posts: { target: "pointer" } });
    const slugs = { "/notes/ink/": "notes-ink" };
    await writeFile(join(project.root, "imprint.lock.json"), JSON.stringify({ version: 1, slugs }));
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await project.sync();
    await project.remove("ink.md");
    const reason = 'the blog only has a link to its page, "notes-ink", whose text can\'t be restored';
    expect(await pullPosts(project.request, [])).toMatchObject([{ slug: "ink", file: undefined, reason }]);
  });

  it("names fields that the service doesn't show as they were sent", async () => {
    const project = await openPostsProject();
    await writeFile(join(project.root, "src/content/blog/cover.png"), await pictureOf("#abcdef"));
    const fields = "heroImage: ./cover.png\nheroImageAlt: A cover\nauthor: Ann Lee\n";
    await project.write("ink.md", postText("On ink", "Ink is a paint.", fields));
    await project.sync();
    await project.remove("ink.md");
    const api = await connect(project.request.target);
    const [blog] = (await api.blogs.list()).items;
    await api.posts.update(blog?.id ?? "", "ink", { author: null });
    await api.close();
    const { code, out } = await command(project, "pull");
    expect(out).toContain("The service doesn't show these as they were sent: author, alt text of the cover.");
    expect(code).toBe(0);
  });

  it("writes keys and forms that the other posts have", async () => {
    const project = await openPostsProject();
    const fields = "summary: Type\nauthors:\n  - Ann Lee\ncover:\n  src: https://img.example/a.png\n  alt: A\n";
    await project.write("type.md", postText("On type", "Type.", fields));
    await writeInDashboard(project, {
      ...{ slug: "ink", html: "<p>Ink</p>", author: "Bo", coverImage: "https://img.example/b.png" },
    });
    await pullPosts(project.request, []);
    expect(await project.read("ink.md")).toBe(
      "---\ntitle: About ink\npubDate: 2026-02-03\nsummary: In short\nauthors:\n  - Bo\n" +
        "cover:\n  src: https://img.example/b.png\n---\n\nInk\n",
    );
  });

  it("writes no second file for a post whose file needs a build or has an error", async () => {
    const project = await openPostsProject();
    await project.write("paper.md", postText("On paper", "Paper.", "slug: on-paper\n"));
    await project.write("type.md", postText("On type", "Type."));
    await project.sync();
    await writeInDashboard(project, { slug: "ink", html: "<p>Ink</p>" });
    await project.write("ink.mdx", postText("On ink", "Ink is a paint."));
    await project.edit("paper.md", "2026-01-05", "2026-02-30");
    await project.edit("type.md", "title:", "slug: about-type\ntitle:");
    expect(await pullPosts(project.request, [])).toEqual([]);
  });

  it("keeps displayed tags, the post's own tags, and the time of day", async () => {
    const project = await openPostsProject();
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await writeInDashboard(project, {
      ...{ slug: "paper", html: "<p>The &lt;main&gt; tag, and the end.</p>" },
      ...{ tags: ["html", "web dev"], publishedAt: "2026-02-03T10:30:00.000Z" },
    });
    await pullPosts(project.request, []);
    expect(await project.read("paper.md")).toBe(
      "---\ntitle: About paper\npubDate: 2026-02-03T10:30:00Z\ndescription: In short\ntags:\n  - html\n  - web dev\n---\n\n" +
        "The &lt;main> tag, and the end.\n",
    );
    expect(outcomesOf(await project.sync())).toContain("post paper: keep done");
    await project.edit("paper.md", "the end", "its end");
    expect(outcomesOf(await project.sync())).toContain("post paper: update done");
    const api = await connect(project.request.target);
    const [blog] = (await api.blogs.list()).items;
    const [post] = (await api.posts.list(blog?.id ?? "", { content: true })).items.filter(
      ({ slug }) => slug === "paper",
    );
    expect(post).toMatchObject({ tags: ["html", "web dev"], publishedAt: new Date("2026-02-03T10:30:00Z") });
    expect(post?.html).toContain("<p>The &lt;main&gt; tag, and its end.</p>");
    await api.close();
  });

  it("pulls only the named posts", async () => {
    const project = await openPostsProject();
    for (const slug of ["one", "two"]) await writeInDashboard(project, { slug, html: "<p>Text</p>" });
    expect((await pullPosts(project.request, ["two"])).map(({ slug }) => slug)).toEqual(["two"]);
  });

  it("reports that a service doesn't show the text of posts, and writes nothing", async () => {
    const project = await openPostsProject({ strict: true });
    await writeInDashboard(project, { slug: "paper", html: "<p>Paper</p>" });
    expect(await pullPosts(project.request, [])).toEqual([
      { slug: "paper", file: undefined, reason: "the service's API doesn't return its text" },
    ]);
  });
});

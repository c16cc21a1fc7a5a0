import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { htmlToMarkdown } from "../../src/posts/write/html-to-markdown.ts";
import { pullPosts } from "../../src/cli/posts/pull-posts.ts";
import { openPostsProject, postText, outcomesOf, type PostsProject } from "./posts-project.ts";

async function writeInDashboard({ request }: PostsProject, slug: string, html: string): Promise<void> {
  const api = await connect(request.target);
  const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
  await api.posts.create(blog.id, {
    ...{ slug, title: `About ${slug}`, html, excerpt: "In short", status: "published" },
    publishedAt: "2026-02-03T00:00:00.000Z",
  });
  await api.close();
}

describe("imprint posts pull", () => {
  it("writes a file for a post without one, which is then unchanged, and sends its edit", async () => {
    const project = await openPostsProject();
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await project.sync();
    await writeInDashboard(project, "paper", "<h2>Grain</h2>\n<p>Paper has a <strong>grain</strong>.</p>");
    const pulled = await pullPosts(project.request, []);
    expect(pulled).toEqual([{ slug: "paper", file: "src/content/blog/paper.md", reason: undefined }]);
    expect(await project.read("paper.md")).toBe(
      `---\ntitle: About paper\npubDate: 2026-02-03\n---\n\n## Grain\n\nPaper has a **grain**.\n`,
    );
    expect(outcomesOf(await project.sync())).toEqual(
      expect.arrayContaining(["post ink: keep done", "post paper: keep done"]),
    );
    expect(await pullPosts(project.request, [])).toEqual([]);
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

  it("writes no second file for a post whose file needs a build or has an error", async () => {
    const project = await openPostsProject();
    await project.write("paper.md", postText("On paper", "Paper.", "slug: on-paper\n"));
    await project.write("type.md", postText("On type", "Type."));
    await project.sync();
    await writeInDashboard(project, "ink", "<p>Ink</p>");
    await project.write("ink.mdx", postText("On ink", "Ink is a paint."));
    await project.edit("paper.md", "2026-01-05", "2026-02-30");
    await project.edit("type.md", "title:", "slug: about-type\ntitle:");
    expect(await pullPosts(project.request, [])).toEqual([]);
  });

  it("pulls only the named posts", async () => {
    const project = await openPostsProject();
    for (const slug of ["one", "two"]) await writeInDashboard(project, slug, "<p>Text</p>");
    expect((await pullPosts(project.request, ["two"])).map(({ slug }) => slug)).toEqual(["two"]);
  });

  it("reports that a service doesn't show the text of posts, and writes nothing", async () => {
    const project = await openPostsProject({ strict: true });
    await writeInDashboard(project, "paper", "<p>Paper</p>");
    expect(await pullPosts(project.request, [])).toEqual([
      { slug: "paper", file: undefined, reason: "the service's API doesn't return its text" },
    ]);
  });
});

describe("htmlToMarkdown", () => {
  it.each([
    ["<h2>A</h2><ul><li>b</li></ul>", "## A\n\n-   b\n"],
    ['<pre class="astro-code" data-language="js"><code><span>let a;</span></code></pre>', "```js\nlet a;\n```\n"],
    ["<table><tbody><tr><td>1</td></tr></tbody></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>\n"],
    ['<p><a href="/x">y</a> <img src="z.png" alt="Z"></p>', "[y](/x) ![Z](z.png)\n"],
  ])("writes %s as Markdown", (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });
});

import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const post = (title: string) => `---\ntitle: ${title}\npubDate: 2026-03-05\n---\n\n${title}: a few words.\n`;

describe.each([
  dialectA("A numbers all posts", { posts: { slugs: "numbered", tells: "url" } }),
  dialectB("B numbers all posts", { posts: { slugs: "numbered", tells: "url" } }),
])("posts that the host numbers: $name", (dialect) => {
  it("aren't called duplicates, in a new blog or later", async () => {
    const { run, write, stranger } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
    const first = await run("publish");
    expect(first).toMatchObject({ code: 0 });
    expect(first.said).toMatch(/The service named it "ink-10\d"/);
    await write("src/content/blog/glue.md", post("On glue"));
    const second = await run("publish");
    expect(second).toMatchObject({ code: 0 });
    expect(second.said).toContain('The service named it "glue-103"');
    expect(first.said + second.said).not.toMatch(/[Dd]elete|already have/);
    expect([...stranger.world.posts.values()].flat()).toHaveLength(3);
  });
});

import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };

it.each([dialectA("A", {}), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a post that $name stores but answers without a body is found in the list",
  async (dialect) => {
    const { stranger, proxy, run, write } = await openBehindProxy(dialect, POSTS);
    await write("src/content/blog/one.md", "---\ntitle: One\npubDate: 2026-03-05\n---\n\nThe first post of ours.\n");
    proxy.meddle(({ method, path, answer, forward }) =>
      method === "POST" && path.endsWith("/posts") ? forward().then(() => void answer.writeHead(204).end()) : undefined,
    );
    expect(await run("publish")).toMatchObject({ code: 0 });
    const slugs = [...stranger.world.posts.values()].flat().map(({ slug }) => slug);
    expect(slugs).toContain("one");
    expect(slugs).toHaveLength(new Set(slugs).size);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);

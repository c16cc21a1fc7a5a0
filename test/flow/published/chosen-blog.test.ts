import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const UNKNOWN = { posts: { blog: { id: "unknown", create: true } } };

describe.each([dialectA("A"), dialectB("B")])("a blog that `posts.blog.id` names, host $name", (dialect) => {
  it("isn't replaced by another one if the service lacks it: no post is sent until the ID is correct", async () => {
    const { stranger, run, configure } = await openBehindProxy(dialect, UNKNOWN);
    const other = stranger.byHand.createBlog("Company news");
    for (const argv of [["publish"], ["posts", "sync"], ["publish"]]) {
      const { code, said } = await run(...argv);
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("the service has no blog with the ID unknown");
      expect(said).toContain("Correct `posts.blog.id`, or remove it.");
      if (dialect.routeSet === "a") expect(said).toContain(`it has ${other} (Company news)`);
    }
    expect([...stranger.world.blogs.keys()]).toEqual([other]);
    expect([...stranger.world.posts.values()].flat()).toEqual([]);
    await configure({ posts: { blog: { id: other } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.posts.get(other)).toHaveLength(2);
  });

  it("is reported with the service's message and the option if the key may not use it", async () => {
    const { stranger, proxy, run } = await openBehindProxy(dialect, UNKNOWN);
    proxy.meddle(({ path, answer }) => {
      if (!path.startsWith("/api/blogs/unknown")) return undefined;
      answer.writeHead(403, { "content-type": "application/json" });
      answer.end('{"error":"This blog belongs to another account."}');
      return Promise.resolve();
    });
    for (const argv of [["publish"], ["posts", "sync"]]) {
      const { code, said } = await run(...argv);
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("This blog belongs to another account");
      expect(said).toContain("Correct `posts.blog.id`, or remove it.");
    }
    expect(stranger.world.blogs.size).toBe(0);
  });

  it.each([402, 403, 409])(
    "is named if the service allows no further blog, with those that it has: %i",
    async (status) => {
      const { stranger, proxy, run, configure } = await openBehindProxy(dialect, { posts: { blog: { create: true } } });
      const other = stranger.byHand.createBlog("Company news");
      proxy.meddle(({ method, path, answer }) => {
        if (method !== "POST" || path !== "/api/blogs") return undefined;
        answer.writeHead(status, { "content-type": "application/json" });
        answer.end('{"error":"Your site has a blog already."}');
        return Promise.resolve();
      });
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("Your site has a blog already") });
      expect(said).toContain("set `posts.blog.id` to publish to an existing blog");
      if (dialect.routeSet === "a") expect(said).toContain(`${other} (Company news)`);
      expect(await run("posts", "sync")).toMatchObject({
        code: 1,
        said: expect.stringContaining("et `posts.blog.id` to"),
      });
      await configure({ posts: { blog: { id: other } } });
      expect(await run("publish")).toMatchObject({ code: 0 });
    },
  );
});

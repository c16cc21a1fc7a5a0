import { describe, expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { passOn } from "../../faults/proxy.ts";
import { openBehindProxy } from "./project.ts";

const HOSTS = [
  dialectA("A"),
  dialectA("A whose lists of posts have no HTML", { posts: { lists: "no-text", tells: "url" } }),
];

describe.each(HOSTS)("a blog that somebody renamed, if both memories are lost, host $name", (dialect) => {
  async function openRenamed() {
    const project = await openBehindProxy(dialect, { posts: {} });
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const { blogs, posts } = project.stranger.world;
    const [id = ""] = blogs.keys();
    blogs.set(id, { id, createdAt: "2026-01-05T00:00:00Z", fields: { name: "Ann's notes", slug: "anns-notes" } });
    await project.loseState();
    await project.loseLock();
    return { ...project, id, listPosts: () => [...posts.values()].flat() };
  }

  it("isn't created a second time: the run names it", async () => {
    const { stranger, run, configure, id, listPosts } = await openRenamed();
    for (const argv of [["posts", "sync"], ["publish"], ["publish"], ["posts", "sync"]]) {
      const { code, said } = await run(...argv);
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain(`the blog ${id} (Ann's notes) has posts of this project`);
      expect(said).toContain(`Set \`posts.blog.id\` to ${id}`);
    }
    expect([...stranger.world.blogs.keys()]).toEqual([id]);
    expect(listPosts()).toHaveLength(2);
    await configure({ posts: { blog: { id } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(listPosts()).toHaveLength(2);
  });

  it("stays as it is if the options ask for another one", async () => {
    const { stranger, run, configure, id } = await openRenamed();
    await configure({ posts: { blog: { create: true } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.blogs.size).toBe(2);
    expect(stranger.world.blogs.get(id)).toMatchObject({ fields: { name: "Ann's notes" } });
  });
});

it.each([
  ["page-number", 35],
  ["none", 25],
] as const)("a renamed blog is found behind many others of a list (%s)", async (paging, others) => {
  const { stranger, proxy, run, loseState, loseLock } = await openBehindProxy(dialectA("A", { lists: { paging } }), {
    posts: {},
  });
  for (let number = 1; number <= others; number += 1) stranger.byHand.createBlog(`Notes ${number}`);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { blogs } = stranger.world;
  const id = [...blogs.keys()].at(-1) ?? "";
  blogs.set(id, { id, createdAt: "2026-01-05T00:00:00Z", fields: { name: "Ann's notes", slug: "anns-notes" } });
  await loseState();
  await loseLock();
  let open = 0;
  let most = 0;
  proxy.meddle(({ path, forward, answer }) => {
    if (!/^\/api\/blogs\/[^/]+\/posts/.test(path)) return undefined;
    most = Math.max(most, ++open);
    return forward().then((forwarded) => {
      open -= 1;
      passOn(answer, forwarded);
    });
  });
  const said = expect.stringContaining(`the blog ${id} (Ann's notes) has posts of this project`);
  expect(await run("publish")).toMatchObject({ code: 1, said });
  expect(blogs.size).toBe(others + 1);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

describe("blogs of other projects and people", () => {
  it("don't keep a first publish from creating its blog, also if the key may not read them", async () => {
    const { stranger, proxy, run } = await openBehindProxy(dialectA("A"), { posts: {} });
    const [closed, other] = [stranger.byHand.createBlog("Closed"), stranger.byHand.createBlog("Company news")];
    proxy.meddle(({ path, answer }) => {
      if (!path.startsWith(`/api/blogs/${closed}`)) return undefined;
      answer.writeHead(403, { "content-type": "application/json" });
      answer.end('{"error":"This blog belongs to another account."}');
      return Promise.resolve();
    });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.blogs.keys()].slice(0, 2)).toEqual([closed, other]);
    expect(stranger.world.blogs.size).toBe(3);
    expect(stranger.world.posts.get(other) ?? []).toEqual([]);
  });
});

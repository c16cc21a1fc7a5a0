import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const LISTED = /^\/api\/blogs(?:\?|$)/;
const POSTS = /^\/api\/blogs\/[^/]+\/posts/;

describe.each([dialectA("A"), dialectB("B")])("a blog that replicas of a host show late, $name", (dialect) => {
  /** A project at a host that doesn't know its new blogs until `catchUp`, or until so many reads. */
  async function openLate(reads = Number.POSITIVE_INFINITY) {
    const project = await openBehindProxy(dialect, { posts: { blog: { create: true } }, brandKit: false });
    let left = reads;
    project.proxy.meddle(({ method, path, answer }) => {
      const isRead = method === "GET" && (LISTED.test(path) || POSTS.test(path));
      if (!isRead || project.stranger.world.blogs.size === 0 || left <= 0) return undefined;
      left -= 1;
      const [status, body] = LISTED.test(path) ? [200, { data: [] }] : [404, { error: { message: "No such blog" } }];
      answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      return Promise.resolve();
    });
    return { ...project, catchUp: () => void (left = 0) };
  }

  it("gets the posts of the run that creates it if that is soon", async () => {
    const { run, stranger } = await openLate(3);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.blogs.size).toBe(1);
    expect([...stranger.world.posts.values()].flat()).toHaveLength(2);
  });

  it("isn't created again by further runs, which say what to do", async () => {
    const { run, stranger, catchUp } = await openLate();
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("doesn't show it yet") });
    for (const argv of [["publish"], ["posts", "sync"]]) {
      const { code, said } = await run(...argv);
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("an earlier run created the blog, but the service doesn't show it yet");
      expect(said).toContain("Run again in a few minutes.");
      expect(said).not.toContain("imprint.lock.json names");
    }
    catchUp();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.blogs.size).toBe(1);
    expect([...stranger.world.posts.values()].flat()).toHaveLength(2);
  });
});

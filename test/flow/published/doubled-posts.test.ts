import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB, type PostsDialect } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const POSTS: Partial<PostsDialect> = { slugs: "taken numbered", tells: "url" };
const HOSTS = [
  dialectA("A", { posts: POSTS }),
  dialectB("B", { posts: POSTS }),
  dialectA("A, without texts in lists", { posts: { ...POSTS, lists: "no-text" } }),
];

it.each(HOSTS)(
  "posts that a proxy delivers twice to $name are named in each run, with the way out",
  async (dialect) => {
    const options = { posts: { blog: { create: true } }, brandKit: false };
    const { run, stranger, proxy, loseState } = await openBehindProxy(dialect, options);
    proxy.meddle(({ method, path, answer, forward }) => {
      if (method !== "POST" || !path.endsWith("/posts")) return undefined;
      return forward().then(async () => passOn(answer, await forward()));
    });
    const said = expect.stringMatching(/ink.md: the blog has it 2 times: .*delete the others in/);
    const first = await run("publish");
    // There, a new post is only read in the next run.
    if (dialect.posts.lists !== "no-text") expect(first).toMatchObject({ code: 1, said });
    const runs = [await run("publish", "--verify")];
    await loseState();
    runs.push(await run("publish", "--verify"));
    for (const each of runs) {
      expect(each).toMatchObject({ code: 1, said });
      expect(each.said).not.toContain("no source file");
    }
    const [[blog, posts] = ["", []]] = [...stranger.world.posts];
    expect(posts.map(({ slug }) => slug).toSorted()).toEqual(["ink", "ink-2", "paper", "paper-2"]);
    for (const { slug, id } of posts) if (slug === "ink-2" || slug === "paper") stranger.byHand.deletePost(blog, id);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.posts.get(blog)).toHaveLength(2);
  },
);

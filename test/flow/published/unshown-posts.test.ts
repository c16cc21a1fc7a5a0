import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };

it.each([
  dialectA("A", { posts: { tells: "url", kept: "unnamed draft" } }),
  dialectB("B", { posts: { tells: "url", kept: "unnamed draft" }, pages: { putBody: "multipart" } }),
])("posts that $name keeps as drafts without saying so are reported until readers see them", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, POSTS);
  const unseen = expect.stringContaining("was published, but readers don't see it: nothing is at http");
  expect(await run("publish")).toMatchObject({ code: 1, said: unseen });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 1, said: unseen });
  for (const post of [...stranger.world.posts.values()].flat()) post.isDraft = false;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, before)).toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it("a post that readers don't need to see yet can be acknowledged", async () => {
  const dialect = dialectA("A", { posts: { tells: "url", kept: "unnamed draft" } });
  const { stranger, run } = await openAtStranger(dialect, POSTS);
  expect(await run("publish")).toMatchObject({ code: 1 });
  for (const { slug } of [...stranger.world.posts.values()].flat()) {
    expect(await run("posts", "ack", slug)).toMatchObject({ code: 0 });
  }
  expect(await run("publish")).toMatchObject({ code: 0 });
});

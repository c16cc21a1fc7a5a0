import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: { blog: { create: true } }, brandKit: false };

it.each([
  dialectA("A"),
  dialectA("A that shows addresses of posts", { posts: { tells: "url" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
])("a person's post that got the id of ours at $name, after a backup was restored, isn't ours", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, OPTIONS);
  const { world } = stranger;
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const [posts = []] = world.posts.values();
  const place = posts.findIndex(({ slug }) => slug === "ink");
  const ours = posts[place];
  if (ours === undefined) throw new Error("The post ink isn't there.");
  const theirs = { ...ours, slug: "visit-us", title: "Visit us in May", html: "<p>Written by hand at the host.</p>" };
  posts[place] = theirs;
  const sent = world.log.length;
  for (const command of [["publish"], ["posts", "plan"]]) {
    const { code, said } = await run(...command);
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("the service no longer lists it") });
    expect(said).not.toContain("posts ack ink");
  }
  expect(writesAt(world, sent)).toEqual([]);
  expect(await run("posts", "restore", "ink", "--force")).toMatchObject({ code: 0 });
  expect(await run("posts", "sync")).toMatchObject({ code: 0 });
  expect(posts.map(({ slug }) => slug)).toContain("ink");
  expect(posts[place]).toEqual(theirs);
});

it("a post whose slug and title somebody changed at the host stays ours if it has our marker", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A"), OPTIONS);
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const [posts = []] = stranger.world.posts.values();
  const place = posts.findIndex(({ slug }) => slug === "ink");
  const ours = posts[place];
  if (ours !== undefined) posts[place] = { ...ours, slug: "about-ink", title: "All about ink" };
  expect((await run("publish")).said).not.toContain("no longer lists it");
});

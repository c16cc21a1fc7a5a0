import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };

it.each([
  dialectA("A", { posts: { tells: "url", kept: "unnamed draft" } }),
  dialectB("B", { posts: { tells: "url", kept: "unnamed draft" }, pages: { putBody: "multipart" } }),
])("posts that $name keeps as drafts without saying so are reported until readers see them", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, POSTS);
  const unseen = expect.stringContaining("was published, but readers don't see it: there is nothing at http");
  expect(await run("publish")).toMatchObject({ code: 1, said: unseen });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 1, said: unseen });
  for (const post of [...stranger.world.posts.values()].flat()) post.isDraft = false;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, before)).toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0 });
});

const INK = `---\ntitle: About ink\npubDate: 2026-03-05\n---\n\nÜber Tinte: The ink dries in an hour.\n\n![Ink](./images/ink.png)\n`;

it.each([
  ["coming soon", "shows none of its text"],
  ["another post", "shows none of its text"],
  ["the home page", "shows none of its text"],
  ["plain text", "is served as text/plain, which browsers don't show as a page"],
  ["latin-1", 'without its characters such as "Ü", which became'],
  ["no images", "without its images"],
] as const)("a post whose address shows %s is reported until its author accepts it", async (shows, reason) => {
  for (const dialect of [
    dialectA("A", { posts: { tells: "url", shows } }),
    dialectB("B", { posts: { tells: "url", shows }, pages: { putBody: "multipart" } }),
  ]) {
    const { stranger, run, write, remove } = await openAtStranger(dialect, POSTS);
    await remove("src/content/blog/paper.md");
    await write("src/content/blog/ink.md", INK);
    const reported = { code: 1, said: expect.stringContaining(reason) };
    expect(await run("publish", "--accept")).toMatchObject(reported);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(reported);
    expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
  }
});

it.each(["coming soon", "another post", "a password form"] as const)(
  "`--verify` reports a post whose address later shows %s",
  async (shows) => {
    const dialect = dialectA("A", { posts: { tells: "url" } });
    const { run } = await openAtStranger(dialect, POSTS);
    expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
    Object.assign(dialect.posts, { shows });
    expect(await run("publish", "--verify")).toMatchObject({
      code: 1,
      said: expect.stringContaining("none of the post's text is shown"),
    });
  },
);

it("posts that only members see, or that scripts show, aren't called missing", async () => {
  for (const [shows, said] of [
    ["a password form", "shows a sign-in form: only signed-in users can see it"],
    ["by script", "2 published"],
  ] as const) {
    const { run } = await openAtStranger(dialectA("A", { posts: { tells: "url", shows } }), POSTS);
    expect(await run("publish", "--accept")).toMatchObject({ code: 0, said: expect.stringContaining(said) });
  }
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

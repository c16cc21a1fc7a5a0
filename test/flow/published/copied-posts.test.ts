import { expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const TEXT = "Bob writes here about his garden, the tomatoes and the long summer, and not about paper at all.";
const HOSTS = [dialectA("A", { posts: { tells: "url" } }), dialectB("B", { posts: { tells: "url" } })];

/** Publishes a post, and lets a person duplicate it in the dashboard, and write another one into the copy. */
async function publishedThenCopied(dialect: Dialect, { isDraft = false, text = TEXT } = {}) {
  const project = await openAtStranger(dialect, { posts: { blog: { create: true } }, brandKit: false });
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  const { posts } = project.stranger.world;
  const [[blog, [own, ...rest]] = ["", []]] = [...posts];
  if (own === undefined) throw new Error("no post was published");
  const marker = own.html.slice(own.html.indexOf("<span hidden"));
  const copy = {
    ...own,
    id: "po_copy",
    slug: "garden",
    title: "Bob's garden",
    html: `<p>${text}</p>${marker}`,
    isDraft,
  };
  posts.set(blog, [own, ...rest, copy]);
  return { ...project, posts, blog, own, rest, copy };
}

it.each(
  HOSTS.flatMap((dialect) => [
    { dialect, isDraft: false },
    { dialect, isDraft: true },
  ]),
)(
  "another post that a person wrote into a copy of ours at $dialect.name isn't ours (draft: $isDraft)",
  async ({ dialect, isDraft }) => {
    const { run, loseState, stranger } = await publishedThenCopied(dialect, { isDraft });
    const before = stranger.world.log.length;
    for (const lose of [async () => {}, loseState]) {
      await lose();
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    }
    expect(writesAt(stranger.world, before)).toEqual([]);
  },
);

it.each(HOSTS)(
  "our post at $name is missing if a person deleted it and kept another one in a copy",
  async (dialect) => {
    const { run, posts, blog, own, rest, copy } = await publishedThenCopied(dialect);
    posts.set(blog, [...rest, copy]);
    for (let times = 0; times < 2; times += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({
        code: 1,
        said: expect.stringContaining(`imprint posts restore ${own.slug}`),
      });
    }
    expect(posts.get(blog)).toEqual([...rest, copy]);
    const restored = await run("posts", "restore", own.slug, "--force");
    expect(restored).toMatchObject({
      code: 2,
      said: expect.stringContaining('"garden" on the blog was made from a copy'),
    });
    const unmarked = { ...copy, html: `<p>${TEXT}</p>` };
    posts.set(blog, [...rest, unmarked]);
    expect(await run("posts", "restore", own.slug, "--force")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(posts.get(blog)?.map(({ slug }) => slug)).toContain(own.slug);
    expect(posts.get(blog)).toContainEqual(unmarked);
  },
);

it("a post that the blog has twice is still reported", async () => {
  const [dialect = dialectA("A")] = HOSTS;
  const { run, posts, blog, own, copy } = await publishedThenCopied(dialect);
  posts.set(blog, [own, { ...copy, html: own.html, slug: "copy-2", title: own.title }]);
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("2 times") });
});

it.each([dialectB("B, posts from titles", { posts: { slugs: "from-title", tells: "url" } })])(
  "a post whose file was replaced by another of its name is named in each run, at $name",
  async (dialect) => {
    const options = { posts: { blog: { create: true } }, brandKit: false, prune: true, maxDeleteShare: 1 };
    const { run, write, remove } = await openAtStranger(dialect, options);
    const folder = "src/content/blog";
    await Promise.all(["ink", "paper"].map((name) => remove(`${folder}/${name}.md`)));
    const chimney = "---\ntitle: Our chimney\npubDate: 2026-01-05\n---\n\nIt draws better since the second brick.\n";
    await write(`${folder}/chimney.md`, chimney);
    await write(
      `${folder}/week.md`,
      "---\ntitle: Notes of week 12\npubDate: 2026-01-06\n---\n\nRain, and a late post.\n",
    );
    expect(await run("publish")).toMatchObject({ code: 0 });
    await remove(`${folder}/chimney.md`);
    await write(`${folder}/week.md`, chimney);
    for (let times = 0; times < 3; times += 1) {
      expect((await run("publish")).said).toContain("notes-of-week-12");
    }
  },
);

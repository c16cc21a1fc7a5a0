import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA, type PostsDialect } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const THEIRS = { slug: "how-we-migrated-our-data", title: "How we migrated", html: "<p>A colleague wrote this.</p>" };
const BY_SLUG = { slugs: "24 characters", duplicates: "updated" } as const;
const BY_TITLE = { sameBy: "title", duplicates: "updated" } as const;
const FROM_TITLE = { slugs: "from-title", duplicates: "updated" } as const;
const post = (title: string, text: string) => `---\ntitle: ${title}\npubDate: 2026-03-05\n---\n\n${text}\n`;

/** A project that publishes to a blog in which a colleague wrote a post by hand. */
async function openShared(differences: Partial<PostsDialect>, theirs: typeof THEIRS) {
  const opened = await openAtStranger(dialectA("A", { posts: differences }), { posts: false, brandKit: false });
  const { stranger, configure, remove } = opened;
  const blog = stranger.byHand.createBlog("Team blog");
  const { id } = stranger.byHand.createPost(blog, theirs.title);
  const posts = stranger.world.posts.get(blog) ?? [];
  const restore = () => {
    for (const each of posts) if (each.id === id) Object.assign(each, theirs);
  };
  restore();
  for (const name of ["ink", "paper", "draft"]) await remove(`src/content/blog/${name}.md`);
  await configure({ posts: { blog: { id: blog } }, brandKit: false });
  return { ...opened, posts, id, restore };
}

const idsIn = async (root: string) => {
  const { posts } = JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8"));
  const ledgers = Object.values<{ posts: Record<string, { id?: string }> }>(posts ?? {});
  return ledgers.flatMap((ledger) => Object.values(ledger.posts).map(({ id }) => id));
};

it("doesn't print the text of a draft over which the service wrote a new post", async () => {
  const { run, write, posts } = await openShared(BY_SLUG, THEIRS);
  for (const each of posts) Object.assign(each, { isDraft: true });
  await write("src/content/blog/how-we-migrated-our-data-warehouse.md", post("The warehouse move", "Warehouse text."));
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(THEIRS.title) });
  expect(said).not.toContain("A colleague wrote this.");
});

it("names a post over which the service wrote a new one, in each run until it is restored and the new one changed", async () => {
  const { root, run, write, posts, id, restore, loseState } = await openShared(BY_SLUG, THEIRS);
  const slug = "how-we-migrated-our-data-warehouse";
  await write(`src/content/blog/${slug}.md`, post("The warehouse move", "Warehouse text."));
  const first = await run("publish");
  expect(first).toMatchObject({ code: 1, said: expect.stringContaining("the service wrote it over another post") });
  for (const fact of [THEIRS.title, THEIRS.html, `slug "${THEIRS.slug}"`, id, `${slug}.md`]) {
    expect(first.said).toContain(fact);
  }
  expect(first.said).toContain("posts 1 failed");
  expect(await idsIn(root)).toEqual([]);
  const later = await run("publish");
  expect(later).toMatchObject({ code: 1, said: expect.stringContaining(`"${THEIRS.title}" (${id}`) });
  await loseState();
  const json = JSON.parse((await run("publish", "--json")).said);
  expect(json).toMatchObject({
    exitCode: 1,
    entries: expect.arrayContaining([expect.objectContaining({ resource: "post", kind: "blocked", name: slug })]),
  });
  restore();
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(posts).toMatchObject([THEIRS]);
  await write(`src/content/blog/${slug}.md`, post("The warehouse moves", "Warehouse text."));
  const said = expect.stringContaining("the service would write it over another post of the blog");
  expect(await run("publish")).toMatchObject({ code: 1, said });
  await write(`src/content/blog/${slug}.md`, post("The warehouse moves\nslug: the-warehouse-moves", "Warehouse text."));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 published") });
  expect(posts).toMatchObject([THEIRS, { title: "The warehouse moves" }]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

it.each([BY_TITLE, FROM_TITLE])("fails for a post declared new that replaces a colleague's ($slugs)", async (rule) => {
  const theirs = { ...THEIRS, slug: "weekly-notes", title: "Weekly notes" };
  const { root, run, write, posts, id, restore } = await openShared(rule, theirs);
  await write("src/content/blog/notes-w1.md", post("Weekly notes", "Our notes of week one."));
  expect(await run("publish")).toMatchObject({ code: 1 });
  await run("posts", "new-post", "notes-w1");
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(theirs.html) });
  expect(await idsIn(root)).toEqual([]);
  restore();
  await write("src/content/blog/notes-w2.md", post("Weekly notes", "Our notes of week two."));
  await run("posts", "new-post", "notes-w2");
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(posts).toMatchObject([{ id, ...theirs }]);
  await write("src/content/blog/notes-w1.md", post("Notes of week 1", "Our notes of week one."));
  await write("src/content/blog/notes-w2.md", post("Notes of week 2", "Our notes of week two."));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("2 published") });
  expect(posts).toMatchObject([theirs, { title: "Notes of week 1" }, { title: "Notes of week 2" }]);
});

it("takes the post over which the service wrote a new one for ours if its author says so", async () => {
  const { run, write, posts, id } = await openShared(BY_SLUG, THEIRS);
  const slug = "how-we-migrated-our-data-warehouse";
  await write(`src/content/blog/${slug}.md`, post("The warehouse move", "Warehouse text."));
  expect((await run("publish")).said).toContain(`imprint posts rename ${id} ${slug}`);
  expect(await run("posts", "rename", id, slug)).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(posts).toMatchObject([{ title: "The warehouse move" }]);
});

it.each([
  { name: "by title", rule: BY_TITLE },
  { name: "by a slug of the title", rule: FROM_TITLE },
  { name: "by title, with a list of names", rule: { ...BY_TITLE, lists: "id-and-title" } as const },
])("fails in each run if the service wrote a new post over another one of ours ($name)", async ({ rule }) => {
  const { root, run, write, posts, remove, stranger } = await openShared(rule, THEIRS);
  posts.length = 0;
  await write("src/content/blog/alpha.md", post("Weekly notes", "The text of week one."));
  await write("src/content/blog/beta.md", post("Weekly notes", "The text of week two."));
  const first = await run("publish");
  expect(first).toMatchObject({ code: 1, said: expect.stringMatching(/beta\.md .*wrote it over \S+alpha\.md/) });
  expect(first.said).toContain("`imprint posts html alpha`");
  expect(first.said).toContain("posts 2 failed");
  const later = await run("publish");
  expect(later).toMatchObject({ code: 1, said: expect.stringContaining("alpha: readers get it without its text") });
  expect(later.said).toMatch(/beta: the service wrote it over \S+alpha\.md/);
  expect(await run("posts", "ack", "beta")).toMatchObject({ code: 2 });
  const ids = await idsIn(root);
  expect(new Set(ids).size).toBe(ids.length);
  await write("src/content/blog/gamma.md", post("Weekly notes", "The text of week three."));
  const sent = stranger.world.log.length;
  await run("posts", "new-post", "gamma");
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(stranger.world.log.slice(sent).filter(({ method }) => method === "POST")).toEqual([]);
  await remove("src/content/blog/gamma.md");
  const [alpha] = posts;
  Object.assign(alpha ?? {}, { title: "Weekly notes", html: "<p>The text of week one.</p>" });
  expect(await run("posts", "ack", "alpha")).toMatchObject({ code: 0 });
  await write("src/content/blog/beta.md", post("Notes of week two", "The text of week two."));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 published") });
  expect(posts).toHaveLength(2);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

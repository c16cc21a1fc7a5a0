import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const BLOG = "src/content/blog";
const OPTIONS = { posts: { blog: { create: true } } };
const TEXTS = { One: "A text about letters and their forms.", Two: "Something else entirely, on paper." } as const;

const post = (title: keyof typeof TEXTS, slug: string) =>
  `---\ntitle: ${title}\nslug: ${slug}\npubDate: 2026-01-05\n---\n\n${TEXTS[title]}\n`;

it.each([
  dialectA("A", { posts: { tells: "url" } }),
  dialectB("B", { posts: { tells: "url" } }),
  dialectA("A that lists ids and titles", { posts: { lists: "id-and-title" } }),
])("two posts that swap slugs are blocked until they are kept at their addresses: $name", async (dialect) => {
  const { run, remove, write, stranger } = await openAtStranger(dialect, OPTIONS);
  const published = () => [...stranger.world.posts.values()].flat().map(({ slug, title }) => `${slug}: ${title}`);
  await remove(BLOG);
  await write(`${BLOG}/one.md`, post("One", "one"));
  await write(`${BLOG}/two.md`, post("Two", "two"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write(`${BLOG}/one.md`, post("One", "two"));
  await write(`${BLOG}/two.md`, post("Two", "one"));
  for (const argv of [["posts", "plan"], ["publish"], ["publish"]]) {
    const { code, said } = await run(...argv);
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toContain('it was published as "one", and this service can\'t move a post');
    expect(said).toContain('it was published as "two", and this service can\'t move a post');
  }
  for (const slug of ["one", "two"]) expect(await run("posts", "ack", slug)).toMatchObject({ code: 0 });
  const nothing = { code: 0, said: expect.stringContaining("Nothing changed at") };
  expect(await run("publish")).toMatchObject(nothing);
  await write(`${BLOG}/one.md`, post("One", "two").replace("letters", "types"));
  const edited = await run("publish");
  expect(edited).toMatchObject({ code: 1, said: expect.stringContaining("two: it was edited since it was posted") });
  if (dialect.posts.tells === "url") expect(edited.said).toMatch(/Change it at \S+\/one /);
  expect(published().toSorted()).toEqual(["one: One", "two: Two"]);
});

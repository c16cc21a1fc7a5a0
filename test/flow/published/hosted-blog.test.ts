import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

/** A project without files of posts, whose owner has a blog at the host. */
async function openHostedBlog(make: typeof dialectA = dialectA) {
  const project = await openAtStranger(make("with a blog", { posts: { tells: "url" } }));
  const { root, stranger } = project;
  const id = stranger.byHand.createBlog("Our blog");
  stranger.byHand.createPost(id, "First things");
  await rm(join(root, "src/content"), { recursive: true });
  return { ...project, id };
}

it.each([dialectA, dialectB])(
  "posts of a hosted blog are listed and pulled by a project without files",
  async (make) => {
    const { root, run, configure, id } = await openHostedBlog(make);
    await configure({ posts: { folder: "notes", blog: { id } } });
    expect(await run("posts", "list")).toMatchObject({
      code: 0,
      said: expect.stringContaining("no local file 1 post"),
    });
    expect(await run("posts", "pull")).toMatchObject({
      code: 0,
      said: expect.stringContaining("+ notes/first-things.md"),
    });
    expect(await readFile(join(root, "notes/first-things.md"), "utf8")).toContain("First things");
    expect(await run("posts", "plan")).toMatchObject({ code: 0, said: expect.stringContaining("1 unchanged") });
  },
);

it("a host's blogs are named to a project that has none", async () => {
  const { run, id } = await openHostedBlog();
  for (const [command, code] of [
    ["list", 0],
    ["pull", 2],
  ] as const) {
    const ran = await run("posts", command);
    expect(ran).toMatchObject({ code, said: expect.stringContaining(`The service has ${id} (Our blog)`) });
    expect(ran.said).toContain("set `posts.blog.id`");
  }
});

it("posts aren't pulled into a folder beside a collection that may be elsewhere", async () => {
  const { run, write, configure, id } = await openHostedBlog();
  await configure({ posts: { blog: { id } } });
  await write("src/content.config.ts", "export const collections = {};\n");
  expect(await run("posts", "pull")).toMatchObject({
    code: 2,
    said: expect.stringContaining("run `astro build` once"),
  });
  expect(await run("posts", "list")).toMatchObject({ code: 0, said: expect.stringContaining("1 post") });
});

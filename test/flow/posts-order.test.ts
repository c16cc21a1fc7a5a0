import { expect, it } from "vitest";
import { openPostsProject, postText, outcomesOf } from "./posts-project.ts";

async function bodyOf(address: string): Promise<string> {
  return await (await fetch(address)).text();
}

it("a post that links to another new post is created after it and links to its address", async () => {
  const { service, sync, write } = await openPostsProject({ strict: true });
  await write("a.md", postText("A", "See [b](b.md#end)."));
  await write("b.md", postText("B", "See [c](./c.md)."));
  await write("c.md", postText("C", "The end."));
  const run = await sync();
  expect(outcomesOf(run).slice(1)).toEqual(["post c: create done", "post b: create done", "post a: create done"]);
  const blog = `${service.pagesUrl}/blog/blog`;
  expect(await bodyOf(`${blog}/a`)).toContain(`href="${blog}/b#end"`);
  expect((await fetch(`${blog}/b`)).status).toBe(200);
});

it("posts that link to each other are reported, and the first links to the expected address of the second", async () => {
  const { service, sync, write } = await openPostsProject({ strict: true });
  await write("old.md", postText("Old", "An old one."));
  await sync();
  await write("one.md", postText("One", "See [two](two.md)."));
  await write("two.md", postText("Two", "See [one](one.md)."));
  const plan = await sync({ dryRun: true });
  expect(plan.plan.posts.find(({ name }) => name === "two")?.hint).toContain("It and one link to each other");
  await sync();
  const blog = `${service.pagesUrl}/blog/blog`;
  for (const [slug, other] of [
    ["one", "two"],
    ["two", "one"],
  ] as const) {
    expect(await bodyOf(`${blog}/${slug}`)).toContain(`href="${blog}/${other}"`);
  }
});

it("in an empty blog, the first of two posts that link to each other is sent without its link, which is reported", async () => {
  const { service, sync, write } = await openPostsProject({ strict: true });
  await write("one.md", postText("One", "See [two](two.md)."));
  await write("two.md", postText("Two", "See [one](one.md)."));
  const run = await sync();
  expect(run.outcomes.find(({ name }) => name === "two")?.hint).toBe(
    "Its link to one was left out because the address isn't known yet.",
  );
  const html = await bodyOf(`${service.pagesUrl}/blog/blog/two`);
  expect(html).toContain("See one.");
  expect(html).not.toContain("imprint-post:");
});

it("a post waits for a new post that it links to and that couldn't be created", async () => {
  const { service, sync, write } = await openPostsProject();
  await write("one.md", postText("One", "See [two](two.md)."));
  await write("two.md", postText("Two", "![](broken.png)"));
  await write("broken.png", "no image");
  const run = await sync();
  expect(outcomesOf(run)).toContain("post one: blocked skipped");
  expect(run.outcomes.find(({ name }) => name === "one")?.reason).toBe("it links to two, which is not in the blog");
  expect(service.requests().filter(({ operation }) => operation === "posts.create")).toEqual([]);
});

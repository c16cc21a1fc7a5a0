import { expect, it } from "vitest";
import { openPostsProject, postText, outcomesOf } from "./posts-project.ts";

it("a published post whose file may be on hold stays published, and so does its page", async () => {
  const project = await openPostsProject({ posts: { target: "pages" } });
  await project.write("ink.md", postText("On ink", "Ink is a paint."));
  expect(outcomesOf(await project.sync())).toContain("page blog-ink: create done");
  await project.write("ink.md", postText("On ink", "Ink is a paint.", "status: budding\n"));
  const options = { ...project.request.options, prune: true, maxDeleteShare: 1 };
  const run = await project.sync({ options });
  expect(run.local.held).toMatchObject([{ file: "src/content/blog/ink.md", reason: "unclear" }]);
  expect(outcomesOf(run).filter((line) => /delete/.test(line))).toEqual([]);
  expect((await fetch(`${project.service.pagesUrl}/p/blog-ink`)).status).toBe(200);
});

it("a post on hold gets no links, and takes no slug from a published post", async () => {
  const project = await openPostsProject();
  await project.write("hold.md", postText("Hold", "Not yet.", "slug: ink\nreadyToPublish: no\n"));
  await project.write("ink.md", postText("On ink", "See [this](hold.md)."));
  const run = await project.sync();
  expect(outcomesOf(run)).toContain("post ink: create done");
  expect(run.local.warnings.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
    "post-on-hold src/content/blog/hold.md:5",
    expect.stringContaining("src/content/blog/ink.md:6"),
  ]);
  expect(await (await fetch(`${project.service.pagesUrl}/blog/blog/ink`)).text()).not.toContain("Not yet.");
});

it("a published post isn't deleted while a new file on hold may be its renamed source", async () => {
  const project = await openPostsProject();
  await project.write("ink.md", postText("On ink", "Ink is a paint."));
  await project.sync();
  await project.remove("ink.md");
  await project.write("our-ink.md", postText("On ink", "Ink is a paint.", "status: budding\n"));
  const options = { ...project.request.options, prune: true, maxDeleteShare: 1 };
  expect(outcomesOf(await project.sync({ options })).filter((line) => /delete/.test(line))).toEqual([]);
  expect((await fetch(`${project.service.pagesUrl}/blog/blog/ink`)).status).toBe(200);
});

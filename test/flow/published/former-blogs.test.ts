import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const INK = "src/content/blog/ink.md";
const post = (lines = "") => `---\ntitle: On ink\npubDate: 2026-01-05\n${lines}---\n\nInk is a paint.\n`;
const HOSTS = [
  dialectA("A", { posts: { tells: "url" }, pages: { tells: "public-url" } }),
  dialectB("B", { pages: { putBody: "multipart" }, posts: { tells: "url" } }),
];

async function openPublished(dialect: (typeof HOSTS)[number]) {
  const project = await openAtStranger(dialect, { posts: { blog: { create: true } } });
  await project.remove("src/content/blog/paper.md");
  await project.write(INK, post());
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  const { world, byHand } = project.stranger;
  const [[former = "", [ink] = []] = []] = [...world.posts];
  return { ...project, byHand, former, deleteThere: () => byHand.deletePost(former, ink?.id ?? "") };
}

const STILL_THERE = "These posts are still published in a blog that this project no longer publishes to";

describe.each(HOSTS)("posts in a blog that a project no longer publishes to, host $name", (dialect) => {
  it.each(["pages", "another blog"] as const)("are named until they are gone, after a move to %s", async (moved) => {
    const { run, configure, byHand, deleteThere } = await openPublished(dialect);
    const blog = moved === "pages" ? { create: true } : { id: byHand.createBlog("Other") };
    await configure({ posts: { blog, ...(moved === "pages" ? { target: "pages" } : {}) } });
    expect((await run("posts", "plan")).said).toContain(STILL_THERE);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toContain(`${STILL_THERE}, so edits don't reach them: ink (`);
    }
    deleteThere();
    expect((await run("publish")).said).not.toContain(STILL_THERE);
  });

  it("fail a run once their authors hide them", async () => {
    const { run, write, configure, deleteThere } = await openPublished(dialect);
    await configure({ posts: { blog: { create: true }, target: "pages" } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    await write(INK, post("draft: true\n"));
    const hidden = await run("publish", "--prune");
    expect(hidden).toMatchObject({ code: 1 });
    expect(hidden.said).toContain("readers still see posts that are hidden now");
    deleteThere();
    expect(await run("publish", "--prune")).toMatchObject({ code: 0 });
  });
});

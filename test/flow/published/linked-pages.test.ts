import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, statusOf } from "./project.ts";

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a page that a post of $name's blog links to isn't deleted while the post of a renamed file is on hold",
  async (dialect) => {
    const options = { posts: { target: "pointer", blog: { create: true } }, brandKit: false, prune: true };
    const { stranger, run, write, remove } = await openAtStranger(dialect, { ...options, maxDeleteShare: 1 });
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    const page = `${stranger.baseUrl}/p/blog-paper`;
    expect(await statusOf(page)).toBe(200);
    await write("src/content/blog/sheet.md", "---\ntitle: On paper\npubDate: 2026-02-05\n---\n\nPaper has a grain.\n");
    await remove("src/content/blog/paper.md");
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringContaining("imprint posts rename paper sheet"),
    });
    expect(said).toContain("blog-paper: a post of the blog links to it, so it is kept");
    expect(await statusOf(page)).toBe(200);
    const [posts] = [...stranger.world.posts.values()];
    expect(posts?.map(({ slug }) => slug).toSorted()).toEqual(["ink", "paper"]);
  },
);

it.each([
  ["on the host of the pages", "url", "/p/about"],
  ["on another host", "url-elsewhere", "http://127.0.0.1"],
  ["at unknown addresses", "nothing", "http://127.0.0.1"],
] as const)("links of posts %s to pages lead to the pages", async (_, tells, start) => {
  const dialect = dialectA("A", { posts: { tells } });
  const { stranger, run, write } = await openAtStranger(dialect, {
    posts: { blog: { create: true } },
    brandKit: false,
  });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write(
    "src/content/blog/press.md",
    "---\ntitle: Press\npubDate: 2026-03-05\n---\n\nRead [about](/about/) us.\n",
  );
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [posts = []] = stranger.world.posts.values();
  const href = /href="([^"]*about[^"]*)"/.exec(posts.find(({ slug }) => slug === "press")?.html ?? "")?.[1] ?? "";
  expect(href.startsWith(start)).toBe(true);
  expect(await statusOf(new URL(href, stranger.publicUrl("about")).href)).toBe(200);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

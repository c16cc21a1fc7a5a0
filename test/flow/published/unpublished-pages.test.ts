import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const POST =
  "---\ntitle: On tour\npubDate: 2026-01-05\n---\n\nCome on [the tour](/tour/#times), or [ask](/nowhere/).\n";

it.each(
  [dialectA("A", { pages: { tells: "public-url" } }), dialectB("B")].flatMap((dialect) =>
    ["dist/tour/index.html", "src/pages/tour.astro"].map((page) => ({ dialect, page })),
  ),
)("posts sync keeps a post back that links to a page that isn't published yet ($dialect.name, $page)", async (row) => {
  const { run, stranger, write } = await openAtStranger(row.dialect, { posts: { blog: { create: true } } });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write(row.page, htmlPage("Tour", "<h1>Tour</h1>"));
  await write("src/content/blog/tour.md", POST);
  const { code, said } = await run("posts", "sync");
  const expected = "tour.md it links to /tour/, which is not published yet Run `imprint publish`";
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(expected) });
  expect([...stranger.world.posts.values()].flat().map(({ slug }) => slug)).not.toContain("tour");
  await write("dist/tour/index.html", htmlPage("Tour", "<h1>Tour</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [post] = [...stranger.world.posts.values()].flat().filter(({ slug }) => slug === "tour");
  expect(post?.html).toContain("/p/tour#times");
  expect(await run("publish")).toMatchObject({ code: 0 });
});

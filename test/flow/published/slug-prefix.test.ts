import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const HOSTS = [dialectA("A", { pages: { tells: "public-url" } }), dialectB("B")];

it.each(HOSTS)(
  "a prefix for the slugs of a live site at $name leaves redirects at the former ones",
  async (dialect) => {
    const { run, stranger, configure } = await openAtStranger(dialect, OPTIONS);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await configure({ ...OPTIONS, slugs: { prefix: "docs" } });
    const { code, said } = await run("publish", "--prune");
    expect({ code, said }).toMatchObject({ code: 0 });
    for (const slug of ["about", "services-letterpress"]) {
      expect(stranger.world.pages.get(slug)?.html).toContain(`url=/p/docs-${slug}`);
    }
    expect(stranger.world.pages.get("index")?.html).toContain("url=/p/docs");
    expect(await run("publish", "--prune")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed"),
    });
  },
);

it.each(HOSTS)("a prefix makes way for a page that somebody else has at $name", async (dialect) => {
  const { run, stranger, configure } = await openAtStranger(dialect, OPTIONS);
  const theirs = stranger.byHand.createPage("about", "Theirs");
  expect(await run("publish")).toMatchObject({ code: 1 });
  await configure({ ...OPTIONS, slugs: { prefix: "docs" } });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("about")?.html).toBe(theirs.html);
  expect(stranger.world.pages.get("docs-about")?.html).toContain("<h1>About</h1>");
});

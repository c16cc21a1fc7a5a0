import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

it.each([dialectA("A that names only where pages are edited"), dialectB("B that names where they are shown")])(
  "the first report doesn't show an editor's address as a page's address: $name",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false });
    const { code, said } = await run("publish");
    expect([code, said]).toEqual([0, expect.stringContaining(stranger.publicUrl("about"))]);
    expect(said).not.toContain("/edit/");
  },
);

it("a run that only finds a post without its file says that nothing changed", async () => {
  const { run, remove, stranger } = await openAtStranger(dialectA("A"), { posts: { blog: { create: true } } });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await remove("src/content/blog/paper.md");
  const before = stranger.world.log.length;
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  expect(said).toContain("no longer in the site");
  expect(writesAt(stranger.world, before)).toEqual([]);
});

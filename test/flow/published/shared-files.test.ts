import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it.each(["with", "without"])(
  "a file of others that a library returns in place of ours is never pruned (%s .imprint/)",
  async (memory) => {
    const dialect = dialectA("A", { library: { names: "of the last" }, pages: { tells: "public-url" } });
    const { run, stranger, write, loseState, loseLock } = await openAtStranger(dialect, {
      posts: false,
      brandKit: false,
    });
    expect(await run("publish")).toMatchObject({ code: 0 });
    // The files of the site are now those that a person had uploaded before the project existed.
    const { assets, pages, sites } = stranger.world;
    for (const [id, asset] of assets) assets.set(id, { ...asset, name: `newsletter-${id}.png` });
    const theirs = [...assets.keys()];
    for (const records of [pages, sites]) records.clear();
    await loseState();
    await loseLock();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...assets.keys()]).toEqual(expect.arrayContaining(theirs));
    for (const page of ["index", "about/index", "services/letterpress/index"]) {
      await write(`dist/${page}.html`, htmlPage("Plain", "<h1>No pictures</h1>"));
    }
    expect(await run("publish")).toMatchObject({ code: 0 });
    if (memory === "without") await loseState();
    const pruned = await run("assets", "prune", "--force", "--yes");
    expect(pruned).toMatchObject({ code: 0 });
    expect([...assets.keys()]).toEqual(expect.arrayContaining(theirs));
  },
);

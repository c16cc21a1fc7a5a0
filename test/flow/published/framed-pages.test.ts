import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it.each([
  dialectA("A", { pages: { shows: "in-a-frame" } }),
  dialectA("A that shows no HTML in its API", { pages: { shows: "in-a-frame", reads: "nothing" } }),
  dialectB("B", { pages: { shows: "in-a-frame" } }),
])("recognizes pages in frames with `srcdoc` at $name", async (dialect) => {
  const { stranger, run, write, loseState, loseLock } = await openAtStranger(dialect, { posts: false });
  const published = await run("publish");
  expect(published).toMatchObject({ code: 0, said: expect.not.stringMatching(/don't see|not known|changes? pages/) });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  await write("dist/about/index.html", htmlPage("About", "<h1>About</h1><p>Two.</p>"));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
  await loseState();
  await loseLock();
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  stranger.byHand.editPage("about", (html) => html.replace("Two.", "By hand."));
  await write("dist/about/index.html", htmlPage("About", "<h1>About</h1><p>Three.</p>"));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("about: it was edited") });
});

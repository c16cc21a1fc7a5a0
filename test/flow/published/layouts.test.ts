import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

it("pages that a host shows in a layout of its own are reported to be without their style sheets", async () => {
  const dialect = dialectB("B", { pages: { shows: "in-a-layout", reads: "no-route", putBody: "multipart" } });
  const { stranger, run, write } = await openAtStranger(dialect, { brandKit: false });
  expect(await run("publish")).toMatchObject({
    code: 1,
    said: expect.stringContaining("the service delivers pages without style sheets: index, about"),
  });
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, before)).toEqual([]);
  // Every answer differs, but not in its words.
  stranger.byHand.editPage("about", (html) => html.replace("</h1>", " by hand</h1>"));
  await write("dist/about/index.html", htmlPage("About", "<h1>About</h1><p>We print.</p>"));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("! about: it was edited") });
  expect(stranger.world.pages.get("about")?.html).toContain("by hand</h1>");
});

it("styles that a host puts into a file are found there", async () => {
  const dialect = dialectA("A", { pages: { shows: "styles-in-a-file", tells: "public-url" } });
  const { run, write } = await openAtStranger(dialect, { brandKit: false });
  const styles = "<style>h1 { color: #123456 } main { max-width: 40em }</style>";
  await write("dist/ink/index.html", htmlPage("Ink", `${styles}<h1>Ink</h1><p>Ink is a paint.</p>`));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

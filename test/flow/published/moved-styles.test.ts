import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const rich = (text: string) => htmlPage("Rich", `<style>.b{color:blue}</style><h1>Rich</h1><p class="b">${text}</p>`);

const quoting = (text: string) => htmlPage("Rich", `<h1>Rich</h1><p>They call it "${text}" ink.</p>`);

it.each([
  dialectA("A that changes quotes", { pages: { keeps: "typographic-quotes" } }),
  dialectA("A", { pages: { keeps: "styles-in-head" } }),
  dialectA("A that lists times", { pages: { keeps: "styles-in-head" }, lists: { fields: "times-too" } }),
  dialectB("B", { pages: { keeps: "styles-in-head", putBody: "multipart" } }),
])("$name changes some pages, which is no edit: these pages are changed like others", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false, brandKit: false });
  const page = dialect.pages.keeps === "styles-in-head" ? rich : quoting;
  await write("dist/rich/index.html", page("first"));
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const sent = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, sent)).toEqual([]);
  for (const text of ["second", "third"]) {
    await write("dist/rich/index.html", page(text));
    if (text === "third") await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
    expect(stranger.world.pages.get("rich")?.html).toContain(text);
  }
  // Settings or an index changed, which only the time of the page shows.
  stranger.byHand.editPage("rich", (html) => html);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  stranger.byHand.editPage("rich", (html) => html.replace("third", "by hand"));
  await write("dist/rich/index.html", page("fourth"));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("rich") });
  expect(stranger.world.pages.get("rich")?.html).toContain("by hand");
});

import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } } };

describe.each([
  dialectA("A, null under `data`", { nothing: "null" }),
  dialectA("A, null instead of a list", { nothing: "null", lists: { shape: "bare" } }),
  dialectA("A, null with a total", { nothing: "null", lists: { shape: "items", fields: "few" } }),
  dialectA("A, 204", { nothing: "204" }),
  dialectB("B, null under the list's name", { nothing: "null", lists: { shape: "named" } }),
  dialectB("B, 204", { nothing: "204" }),
])("a host without anything: $name", (dialect) => {
  it("gets the site once, with or without memory", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, POSTS);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    const before = stranger.world.log.length;
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
    await write("dist/new/index.html", htmlPage("New", "<h1>New</h1>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.has("new")).toBe(true);
  });
});

it("somebody else's page stays at a host that responds with null where there is nothing", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A", { nothing: "null" }), POSTS);
  stranger.byHand.createPage("index", "By hand");
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(stranger.world.pages.get("index")?.title).toBe("By hand");
});

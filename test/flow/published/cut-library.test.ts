import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

it("files that a library no longer lists are recognized without .imprint/, and not uploaded again", async () => {
  const dialect = dialectA("cuts its lists", { lists: { paging: "cut" }, foreign: 25, pages: { tells: "public-url" } });
  const { run, loseState, stranger } = await openAtStranger(dialect);
  const { world, byHand } = stranger;
  expect((await run("publish")).code).toBe(0);
  const own = [...world.assets.values()].filter(({ name }) => !name.startsWith("campaign"));
  await loseState();
  const before = world.log.length;
  expect((await run("publish")).code).toBe(0);
  expect(writesAt(world, before)).toEqual([]);
  const photo = own.find(({ name }) => name.startsWith("photo"));
  byHand.deleteAsset(photo?.id ?? "");
  await loseState();
  expect((await run("publish")).code).toBe(0);
  const names = [...world.assets.values()].map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith("campaign")).toSorted()).toEqual(
    own.map(({ name }) => name).toSorted(),
  );
});

it.each([
  dialectA("A with a list of two files", { lists: { paging: "cut" }, library: { partSize: 2 } }),
  dialectB("B with a list of two files", { lists: { paging: "cut" }, library: { partSize: 2 } }),
  dialectA("A with parts of two files by offset, and their number", {
    lists: { paging: "offset-counted", shape: "bare" },
    library: { partSize: 2 },
  }),
])("uploads nothing again to $name without .imprint/", async (dialect) => {
  const posts = dialect.routeSet === "a" ? {} : false;
  const { run, loseState, stranger } = await openAtStranger(dialect, { posts });
  const { world } = stranger;
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(world.assets.size).toBeGreaterThan(2);
  for (let job = 0; job < 2; job++) {
    await loseState();
    const before = world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
    expect(writesAt(world, before)).toEqual([]);
  }
});

it.each([403, 405])("uploads only new files in CI if the library's list is refused with %s", async (status) => {
  const areas = { library: { status, words: "The list of files isn't for this key." } };
  const dialect = dialectA("A", { areas, posts: { tells: "url" } });
  const { run, loseState, stranger, write } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { assets } = stranger.world;
  const before = assets.size;
  for (const text of ["second", "third"]) {
    await loseState();
    await write("dist/about/index.html", htmlPage("About", `<h1>About</h1><p>The ${text} text</p>`));
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("no longer at") });
    expect(assets.size).toBe(before);
  }
});

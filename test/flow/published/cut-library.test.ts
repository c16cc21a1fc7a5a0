import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
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

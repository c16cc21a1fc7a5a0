import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { deadAddresses, openAtStranger } from "./project.ts";

const SLUGS = ["about", "index", "services-letterpress"];

it.each([
  dialectA("A", { pages: { tells: "public-url" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
  dialectB("B with times", { pages: { putBody: "multipart" }, lists: { fields: "times-too" } }),
])("links lead to the domain that the host shows pages on since the last run: $name", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, { posts: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await stranger.addDomain();
  expect(await deadAddresses(SLUGS.map((slug) => stranger.publicUrl(slug)))).not.toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 updated") });
  expect(await deadAddresses(SLUGS.map((slug) => stranger.publicUrl(slug)))).toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

it("links lead to the domain although somebody unpublished the first page that is listed", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A", { pages: { tells: "public-url" } }), { posts: false });
  const { pages } = stranger.world;
  await run("publish");
  await stranger.addDomain();
  const [first] = pages.values();
  if (first !== undefined) pages.set(first.slug, { ...first, visibleFrom: Infinity });
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("pages 2 updated") });
  const shown = SLUGS.filter((slug) => slug !== first?.slug).map((slug) => stranger.publicUrl(slug));
  expect(await deadAddresses(shown)).toEqual([`404 ${stranger.publicUrl(first?.slug ?? "")}`]);
});

import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { deadAddresses, openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };

it("uses a file's public address if `url` is its page in the dashboard", async () => {
  const dialect = dialectA("A with a dashboard", { library: { addressField: "publicUrl" } });
  const { stranger, run } = await openAtStranger(dialect, OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const pages = [...stranger.world.pages.keys()].map((slug) => stranger.publicUrl(slug));
  expect(await deadAddresses(pages)).toEqual([]);
});

it("inlines drawings that the library serves as text, in the first page, too", async () => {
  const dialect = dialectA("A with drawings as text", { library: { serves: "drawings-as-text" } });
  const { stranger, run } = await openAtStranger(dialect, OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  for (const { html } of stranger.world.pages.values()) {
    expect(html).toContain('rel="icon" href="data:image/svg+xml');
    expect(html).not.toMatch(/(?:src|href)="[^"]*\.svg"/);
  }
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(stranger.world, before)).toEqual([]);
});

it("puts pictures into the pages if the library serves only their beginning", async () => {
  const { stranger, run } = await openAtStranger(
    dialectA("A that cuts files", { library: { serves: "cut" } }),
    OPTIONS,
  );
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("index")?.html).toContain('<img src="data:image/');
});

it("loads files as a page of the host does if the library serves them to no others", async () => {
  const { run } = await openAtStranger(dialectA("A without hotlinks", { library: { serves: "own pages" } }), OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
});

it("reports a library whose files readers don't get, until they do", async () => {
  const dialect = dialectA("A with closed files", { library: { serves: "nothing" } });
  const { stranger, run } = await openAtStranger(dialect, OPTIONS);
  const words = expect.stringMatching(/readers can't load files from the library: http\S+ returns 404/);
  expect(await run("publish")).toMatchObject({ code: 1, said: words });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 1, said: words });
  Object.assign(dialect.library, { serves: "all" });
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(stranger.world, before)).toEqual([]);
});

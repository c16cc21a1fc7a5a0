import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";
import { sampleOf } from "../../whole.ts";

const DRAFTS = { becomes: "draft", tells: "public-url" } as const;
const DRAFTS_B = { becomes: "draft", putBody: "multipart" } as const;

const HOSTS = [
  dialectB("B keeps pages as drafts", { pages: DRAFTS_B }),
  dialectB("B keeps pages as drafts, and PUT answers 204", { pages: { ...DRAFTS_B, updated: 204 } }),
  dialectA("A keeps pages as drafts, and says so in lists only", { pages: DRAFTS }),
];
const sample = sampleOf(HOSTS, ({ pages }) => pages.updated !== 204);

describe.each(sample)("at a host that stores pages as drafts: $name", (dialect) => {
  it("an unchanged page is sent once, and every run reports that readers don't see it", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false });
    const first = await run("publish");
    expect(first).toMatchObject({ code: 1, said: expect.stringContaining('as "draft"') });
    expect(stranger.world.pages.size).toBe(3);
    for (const isForgetful of [false, true]) {
      if (isForgetful) await loseState();
      const before = stranger.world.log.length;
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('as "draft"') });
      expect(said).toContain("dashboard");
      expect(writesAt(stranger.world, before)).toEqual([]);
    }
    await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(writesAt(stranger.world, before)).toEqual(["PUT /api/pages/about"]);
    for (const page of stranger.world.pages.values()) stranger.world.pages.set(page.slug, { ...page, visibleFrom: 0 });
    const after = stranger.world.log.length;
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, after)).toEqual([]);
  });
});

it.each([
  dialectA("A"),
  dialectA("A with times", { lists: { fields: "times-too" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
])("a page unpublished at the host stays unpublished until it is taken over: $name", async (dialect) => {
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
  const { world } = stranger;
  await run("publish");
  const page = world.pages.get("about");
  const at = { updatedAt: new Date(Date.now() + 1000).toISOString() };
  if (page !== undefined) world.pages.set("about", { ...page, ...at, visibleFrom: Infinity });
  const before = world.log.length;
  for (const text of ["About", "About", "About us", "About us"]) {
    if (text === "About us") await write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringContaining('about: the service has it as "draft"'),
    });
    expect(said).not.toContain("edited");
    expect(writesAt(world, before)).toEqual([]);
  }
  await run("publish", "--adopt");
  expect(writesAt(world, before)).toEqual(["PUT /api/pages/about"]);
});

it("reports each of more than 100 pages that readers don't see, if only the list shows it", async () => {
  const { run, write } = await openAtStranger(dialectA("A", { pages: DRAFTS }), { posts: false });
  const slugs = Array.from({ length: 101 }, (_, index) => `page${index}`);
  for (const slug of slugs) await write(`dist/${slug}/index.html`, htmlPage(slug, `<h1>${slug}</h1>`));
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("pages 104 failed") });
});

describe.each([dialectA("A plain"), dialectB("B plain")])("unpublished posts: $name", (dialect) => {
  it("are neither sent to the host nor in the build's pages or blog until they are due, and then once", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
    const post = (title: string, field: string) => `---\ntitle: ${title}\n${field}\n---\n\nWords of ${title}.\n`;
    await write("src/content/blog/wip.md", post("Work in progress", "draft: true"));
    await write("src/content/blog/later.md", post("Much later", "date: 2199-01-01"));
    const shown = () => [...stranger.world.posts.values()].flat().map(({ title }) => title);
    const all = () => JSON.stringify([...stranger.world.pages.values(), ...stranger.world.posts.values()]);
    for (const argv of [["publish"], ["posts", "sync"], ["publish"]]) {
      expect(await run(...argv)).toMatchObject({ code: 0 });
      expect(all()).not.toMatch(/Work in progress|Much later/);
      if (argv[0] === "posts") await loseState();
    }
    expect(shown()).toHaveLength(2);
    await write("src/content/blog/wip.md", post("Work in progress", "draft: false"));
    await write("src/content/blog/later.md", post("Much later", "date: 2020-01-01"));
    for (let runs = 0; runs < 3; runs += 1) {
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(shown().toSorted()).toEqual(expect.arrayContaining(["Much later", "Work in progress"]));
      expect(shown()).toHaveLength(4);
      await loseState();
    }
    await write("src/content/blog/wip.md", post("Work in progress", "draft: true"));
    const { said } = await run("publish");
    expect(said).toContain("wip");
    expect(shown()).toHaveLength(4);
  });
});

it("the page of an expired post is left out of the site, and reported as live until it is deleted", async () => {
  const { write, run } = await openAtStranger(dialectA("A"), { posts: {}, prune: "report" });
  const offer = (expiry: string) =>
    `---\ntitle: Offer\npubDate: 2026-01-05\nexpires: ${expiry}\n---\n\nA spring offer.\n`;
  await write("src/content/blog/offer.md", offer("2099-01-01"));
  await write("dist/blog/offer/index.html", htmlPage("Offer", "<h1>Offer</h1><p>A spring offer.</p>"));
  await run("publish");
  await write("src/content/blog/offer.md", offer("2026-02-01"));
  const { said } = await run("publish");
  expect(said).toContain("? blog-offer: its post has expired; it is kept until");
  expect(said).toContain("1 page of the site is left out because its post has expired: /blog/offer/");
  expect(said).not.toContain("is not published");
});

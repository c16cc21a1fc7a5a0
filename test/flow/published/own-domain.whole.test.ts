import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { deadAddresses, openAtStranger } from "./project.ts";

const SLUGS = ["about", "index", "services-letterpress"];

it.each([
  dialectA("A", { pages: { tells: "public-url" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
  dialectB("B with times", { pages: { putBody: "multipart" }, lists: { fields: "times-too" } }),
])("links point to the domain on which the host shows pages since the last run: $name", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, { posts: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await stranger.addDomain();
  expect(await deadAddresses(SLUGS.map((slug) => stranger.publicUrl(slug)))).not.toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 updated") });
  expect(await deadAddresses(SLUGS.map((slug) => stranger.publicUrl(slug)))).toEqual([]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

it("links point to the domain even if someone unpublished the first listed page", async () => {
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

const post = (title: string) => `---\ntitle: ${title}\npubDate: 2026-01-05\n---\n\nInk. [Who we are](/about/).\n`;

async function openWithPosts(dialect: Dialect) {
  const project = await openAtStranger(dialect, { posts: { blog: { create: true } } });
  const { stranger, run, write, remove } = project;
  await remove("src/content/blog/paper.md");
  await write("src/content/blog/ink.md", post("On ink"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  await stranger.addDomain();
  const [blog = ""] = stranger.world.posts.keys();
  const addressOf = (slug: string) => `${stranger.world.addresses.pages}/blog/${blog}/${slug}`;
  return { ...project, addressOf };
}

describe.each([
  dialectA("A tells where posts are", { posts: { tells: "url" }, pages: { tells: "public-url" } }),
  dialectB("B tells where posts are", { posts: { tells: "url" }, pages: { putBody: "multipart" } }),
])("posts on a domain: $name", (dialect) => {
  it("are reported if their links are dead", async () => {
    const { stranger, run, addressOf } = await openWithPosts(dialect);
    stranger.byHand.setRules({ formerlyAt: undefined });
    expect(await deadAddresses([addressOf("ink")])).toHaveLength(1);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("/p/about, which no longer") });
    }
  });

  it("link to pages on the domain if they are new, even in a run of posts", async () => {
    const { stranger, run, write, addressOf } = await openWithPosts(dialect);
    await write("src/content/blog/letters.md", post("Letters"));
    await run("posts", "sync");
    const [{ html } = { html: "" }] = [...stranger.world.posts.values()]
      .flat()
      .filter(({ slug }) => slug === "letters");
    expect(html).toContain('href="/about"');
    expect(await deadAddresses([addressOf("letters")])).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: { blog: { create: true } }, brandKit: false };

it.each([
  dialectA("A"),
  dialectA("A that shows addresses of posts", { posts: { tells: "url" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
])("a person's post that got the id of ours at $name, after a backup was restored, isn't ours", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect, OPTIONS);
  const { world } = stranger;
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const [posts = []] = world.posts.values();
  const place = posts.findIndex(({ slug }) => slug === "ink");
  const ours = posts[place];
  if (ours === undefined) throw new Error("The post ink isn't there.");
  const theirs = { ...ours, slug: "visit-us", title: "Visit us in May", html: "<p>Written by hand at the host.</p>" };
  posts[place] = theirs;
  const sent = world.log.length;
  for (const command of [["publish"], ["posts", "plan"]]) {
    const { code, said } = await run(...command);
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("the service no longer lists it") });
    expect(said).not.toContain("posts ack ink");
  }
  expect(writesAt(world, sent)).toEqual([]);
  expect(await run("posts", "restore", "ink", "--force")).toMatchObject({ code: 0 });
  expect(await run("posts", "sync")).toMatchObject({ code: 0 });
  expect(posts.map(({ slug }) => slug)).toContain("ink");
  expect(posts[place]).toEqual(theirs);
});

it("a post whose slug and title somebody changed at the host stays ours if it has our marker", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A"), OPTIONS);
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const [posts = []] = stranger.world.posts.values();
  const place = posts.findIndex(({ slug }) => slug === "ink");
  const ours = posts[place];
  if (ours !== undefined) posts[place] = { ...ours, slug: "about-ink", title: "All about ink" };
  expect((await run("publish")).said).not.toContain("no longer lists it");
});

const BOB = { site: { slug: "bobs-shop", homeSlug: "shop" }, kit: { colors: [{ role: "primary", hex: "#ff0000" }] } };

it.each([
  { ids: "numbers", hasMemory: true, bob: BOB },
  { ids: "numbers", hasMemory: false, bob: BOB },
  { ids: "lettered", hasMemory: true, bob: { site: {}, kit: {} } },
] as const)(
  "a person's records that got the ids of ours, in a service that began anew, aren't ours ($ids, .imprint/: $hasMemory)",
  async ({ ids, hasMemory, bob }) => {
    const options = { posts: { blog: { create: true } } };
    const { stranger, run, loseState } = await openAtStranger(dialectA("A", { ids }), options);
    const { pages, posts, sites, blogs, brandKits, now } = stranger.world;
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    const createdAt = now().toISOString();
    const theirs = (id: string, fields: Readonly<Record<string, unknown>>) => ({ id, createdAt, fields });
    const replaceAll = (records: typeof sites, fields: Readonly<Record<string, unknown>>) => {
      const ids = [...records.keys()];
      expect(ids).toHaveLength(1);
      records.clear();
      for (const id of ids) records.set(id, theirs(id, fields));
      return structuredClone([...records.entries()]);
    };
    const before = [
      replaceAll(sites, { name: "Bob's shop", ...bob.site }),
      replaceAll(blogs, { name: "Bob's diary", slug: "diary" }),
      replaceAll(brandKits, { name: "Bob", ...bob.kit }),
    ];
    const home = [...pages.values()].find(({ slug }) => slug === "index");
    if (home === undefined) throw new Error("The home page isn't there.");
    pages.clear();
    pages.set("shop", { ...home, slug: "shop", title: "Bob's shop", html: htmlPage("Bob's shop", "<p>Shoes.</p>") });
    const [[blogId = ""] = []] = posts;
    const diary = [...(posts.get(blogId) ?? [])].map((post, place) => ({
      ...post,
      slug: `day-${place}`,
      title: `Day ${place}`,
      html: `<p>Bob's own words of day ${place}.</p>`,
    }));
    posts.set(blogId, diary);
    const theirPosts = structuredClone(diary);
    if (!hasMemory) await loseState();
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    for (const [place, records] of [sites, blogs, brandKits].entries()) {
      expect([...records.entries()]).toEqual([...(before[place] ?? []), expect.anything()]);
    }
    expect(posts.get(blogId)).toEqual(theirPosts);
    expect([...pages.keys()].toSorted()).toContain("index");
    expect(pages.get("shop")).toMatchObject({ title: "Bob's shop" });
  },
);

it.each([true, false])(
  "keeps using a site and a kit that a person renamed in everything while the project's pages are there (memory: %s)",
  async (hasMemory) => {
    const dialect = dialectA("A", { ids: "numbers" });
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false });
    expect(await run("publish")).toMatchObject({ code: 0 });
    const { sites, brandKits } = stranger.world;
    const before = [[...sites.keys()], [...brandKits.keys()]];
    stranger.byHand.createPage("welcome", "Welcome");
    const renamed = { name: "Puffin World", slug: "puffin", homeSlug: "welcome" };
    for (const [id, site] of sites) sites.set(id, { ...site, fields: renamed });
    const colors = [{ role: "primary", hex: "#123456" }];
    for (const [id, kit] of brandKits) brandKits.set(id, { ...kit, fields: { name: "Puffin", colors } });
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, again</h1>"));
    if (!hasMemory) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([[...sites.keys()], [...brandKits.keys()]]).toEqual(before);
    // The page that the person chose as the home page stays the home page.
    expect([...sites.values()].map(({ fields }) => fields["homeSlug"])).toEqual(["welcome"]);
  },
);

it.each([true, false])(
  "sends no post to a blog that got the id of ours where blogs can't be listed, after a restored backup (memory: %s)",
  async (hasMemory) => {
    const dialect = dialectB("B", { ids: "numbers", pages: { putBody: "multipart" }, posts: { tells: "url" } });
    const { stranger, run, write, configure, loseState } = await openAtStranger(dialect, OPTIONS);
    const { pages, posts, log } = stranger.world;
    expect(await run("publish")).toMatchObject({ code: 0 });
    const [[blogId = "", [ours] = []] = []] = [...posts];
    if (ours === undefined) throw new Error("There is no post.");
    pages.clear();
    const theirs = { ...ours, id: "900", slug: "visit-us", title: "Visit us in May", html: "<p>By hand.</p>" };
    posts.set(blogId, [theirs]);
    await write("src/content/blog/glue.md", "---\ntitle: On glue\npubDate: 2026-02-05\n---\n\nGlue sticks.\n");
    if (!hasMemory) await loseState();
    const before = log.length;
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        `the blog with the ID ${blogId} in imprint.lock.json seems to be a different one now`,
      ),
    });
    expect(writesAt(stranger.world, before).filter((write) => write.includes("blogs"))).toEqual([]);
    expect(posts.get(blogId)).toEqual([theirs]);
    await configure({ ...OPTIONS, posts: { blog: { id: blogId } } });
    await run("publish");
    expect(posts.get(blogId)?.map(({ slug }) => slug)).toContain("glue");
  },
);

import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POST = "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is a paint. [Who we are](/about/).\n";

async function publishedThenMoved() {
  const dialect = dialectA("moves its pages", { pages: { tells: "public-url" } });
  const project = await openAtStranger(dialect, { posts: {} });
  const { run, stranger, write, remove } = project;
  await remove("src/content/blog/paper.md");
  await write("src/content/blog/ink.md", POST);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [[blog, [post] = []] = ["", []]] = [...stranger.world.posts];
  expect(post?.html).toContain("/p/about");
  stranger.byHand.setRules({ shownAt: "/site/{slug}" });
  return { ...project, blog, id: post?.id ?? "", html: post?.html ?? "" };
}

it("a post whose links are dead since the host moved its pages is blocked until someone edits it", async () => {
  const { run, stranger, blog, id, html } = await publishedThenMoved();
  for (let runs = 0; runs < 2; runs += 1) {
    const before = stranger.world.log.length;
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toMatch(/links to http:\S+\/p\/about, which no longer exists/);
    expect(said).toContain("imprint posts ack ink");
    expect(writesAt(stranger.world, before).filter((each) => each.includes("posts"))).toEqual([]);
  }
  stranger.byHand.editPost(blog, id, html.replace("/p/about", "/site/about"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it("a post with dead links is unblocked once someone acknowledges it", async () => {
  const { run } = await publishedThenMoved();
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([
  dialectA("A", { pages: { tells: "public-url" } }),
  dialectA("A with pages on another port", { pages: { tells: "public-url", shownOn: "own-port" } }),
])("a post with images at a former address of $name is blocked until someone acknowledges it", async (dialect) => {
  const { run, stranger, write, remove } = await openAtStranger(dialect, { posts: {} });
  await remove("src/content/blog/paper.md");
  await write("src/content/blog/ink.md", `${POST}\n![Ink](./images/ink.png)\n`);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const address = await stranger.move();
  const publish = () => run("publish", "--service", address);
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await publish();
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("ink: it links to") });
    expect(said).toMatch(/files\/\S+\/ink\.\S+\.webp, which no longer exists/);
  }
  expect(await run("posts", "ack", "ink", "--service", address)).toMatchObject({ code: 0 });
  expect(await publish()).toMatchObject({ code: 0 });
});

it.each(["with", "without"])(
  "a post whose picture is gone is blocked in each run, also if the list shows no text (%s .imprint/)",
  async (memory) => {
    const dialect = dialectA("A", { posts: { lists: "no-text", tells: "url" }, pages: { tells: "public-url" } });
    const { run, stranger, write, remove, loseState } = await openAtStranger(dialect, { posts: {} });
    await remove("src/content/blog/paper.md");
    await write("src/content/blog/ink.md", `${POST}\n![Ink](./images/ink.png)\n`);
    expect(await run("publish")).toMatchObject({ code: 0 });
    stranger.byHand.importAnew();
    for (let times = 0; times < 3; times += 1) {
      if (memory === "without") await loseState();
      const { code, said } = await run("publish");
      expect({ times, code, said }).toMatchObject({ code: 1, said: expect.stringContaining("ink: it links to") });
    }
    expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
  },
);

it("a post is no longer blocked once its links work again", async () => {
  const dialect = dialectA("A", { posts: { lists: "no-text", tells: "url" }, pages: { tells: "public-url" } });
  const { run, stranger, write, remove } = await openAtStranger(dialect, { posts: {} });
  await remove("src/content/blog/paper.md");
  await write("src/content/blog/ink.md", `${POST}\n![Ink](./images/ink.png)\n`);
  await run("publish");
  const assets = [...stranger.world.assets];
  stranger.byHand.importAnew();
  expect(await run("publish")).toMatchObject({ code: 1 });
  for (const [id, asset] of assets) stranger.world.assets.set(id, asset);
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([
  dialectA("A tells where posts are", { posts: { tells: "url" }, pages: { tells: "public-url" } }),
  dialectB("B tells where posts are", { posts: { tells: "url" }, pages: { putBody: "multipart" } }),
])("a post that links to one that somebody renamed at $name is blocked until someone edits it", async (dialect) => {
  const options = { posts: { blog: { create: true } } };
  const { run, stranger, write, remove, loseState } = await openAtStranger(dialect, options);
  await remove("src/content/blog/paper.md");
  await write("src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is a paint.\n");
  const linked = "---\ntitle: Linked\npubDate: 2026-01-06\n---\n\nRead [about ink](./ink.md) first.\n";
  await write("src/content/blog/linked.md", linked);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [[blog, posts] = ["", []]] = [...stranger.world.posts];
  const [ink, other] = ["ink", "linked"].map((slug) => posts.find((each) => each.slug === slug));
  if (ink !== undefined) Object.assign(ink, { slug: "all-about-ink" });
  for (const isForgetful of [false, true]) {
    if (isForgetful) await loseState();
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringMatching(/linked: it links to \S+\/ink, which/),
    });
  }
  stranger.byHand.editPost(blog, other?.id ?? "", (other?.html ?? "").replace("/ink", "/all-about-ink"));
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([
  dialectA("A", { pages: { tells: "public-url" } }),
  dialectA("A on another port", { pages: { tells: "public-url", shownOn: "own-port" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
])("a post whose links lead to the former domain of pages at $name is blocked", async (dialect) => {
  for (const [former, target, shownAt] of [
    ["gone", "/", "/{slug}.html"],
    ["gone", "/about/", "/{slug}"],
    ...(dialect.pages.shownOn === "own-port" ? ([["unreachable", "/about/", "/p/{slug}"]] as const) : []),
    ["parked", "/about/", "/p/{slug}"],
    ["parked", "/about/", "/{slug}.html"],
  ] as const) {
    Object.assign(dialect.pages, { shownAt: "/p/{slug}", formerlyAt: undefined });
    const { run, stranger, write, remove } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
    await remove("src/content/blog/paper.md");
    await write("src/content/blog/ink.md", POST.replace("/about/", target));
    expect(await run("publish")).toMatchObject({ code: 0 });
    const leave = await stranger.addDomain();
    if (former === "unreachable") await leave();
    stranger.byHand.setRules({ formerlyAt: undefined, shownAt });
    if (former === "parked") stranger.byHand.park();
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ former, target, shownAt, code, said }).toMatchObject({
        code: 1,
        said: expect.stringContaining("ink: it links to"),
      });
    }
  }
});

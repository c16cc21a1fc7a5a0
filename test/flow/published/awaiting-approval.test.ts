import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type PostsDialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const DAY_MS = 86_400_000;
const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const FORMER_LIST = { drafts: "left out" } as const;

const hostsOf = (posts: Partial<PostsDialect>) => [
  dialectA("A", { posts, lists: FORMER_LIST }),
  dialectB("B", { posts, lists: FORMER_LIST, pages: { putBody: "multipart" } }),
];

const MODERATED = { kept: "unnamed draft", created: 202 } as const;

describe("a host that shows posts only once somebody approved them", () => {
  it.each([
    ...hostsOf({ ...MODERATED, answers: "nothing" }),
    ...hostsOf({ ...MODERATED, answers: "nothing", tells: "url" }),
    ...hostsOf(MODERATED),
    ...hostsOf({ ...MODERATED, tells: "url" }),
    ...hostsOf({ ...MODERATED, kept: "pending" }),
  ])("$name gets each post once, and every run reports it until readers see it", async (dialect) => {
    const { stranger, run, loseState } = await openAtStranger(dialect, POSTS);
    const { world } = stranger;
    const posts = () => [...world.posts.values()].flat();
    for (const kind of ["first", "a day later", "without .imprint", "two days later"]) {
      if (kind === "without .imprint") await loseState();
      else await world.pass(kind === "first" ? 0 : DAY_MS);
      const { code, said } = await run("publish");
      expect({ kind, code, said }).toMatchObject({ kind, code: 1, said: expect.stringContaining("ink") });
      expect({ kind, said }).not.toMatchObject({ said: expect.stringContaining("and then deleted") });
      const slugs = posts().map(({ slug }) => slug);
      expect({ kind, slugs }).toEqual({ kind, slugs: [...new Set(slugs)] });
    }
    expect(posts()).toHaveLength(2);
    for (const post of posts()) post.isDraft = false;
    const before = world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    expect(writesAt(world, before)).toEqual([]);
  });

  it("a post that readers don't need to see yet can be acknowledged, and one that was rejected sent again", async () => {
    const [dialect] = hostsOf({ ...MODERATED, answers: "nothing" });
    if (dialect === undefined) throw new Error("No host.");
    const { stranger, run } = await openAtStranger(dialect, POSTS);
    const { world } = stranger;
    expect(await run("publish")).toMatchObject({ code: 1 });
    await world.pass(DAY_MS);
    for (const slug of ["ink", "paper"]) expect(await run("posts", "ack", slug)).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
    for (const [blog, posts] of world.posts)
      world.posts.set(
        blog,
        posts.filter(({ slug }) => slug !== "ink"),
      );
    expect(await run("posts", "restore", "ink")).toMatchObject({ code: 2 });
    expect(await run("posts", "restore", "ink", "--force")).toMatchObject({ code: 0 });
    await run("publish");
    expect([...world.posts.values()].flat().map(({ slug }) => slug)).toEqual(["paper", "ink"]);
  });
});

describe("a host that holds pages until somebody approved them", () => {
  it.each([
    dialectA("A", { pages: { becomes: "awaiting_moderation" } }),
    dialectB("B", { pages: { becomes: "awaiting_moderation", putBody: "multipart" } }),
  ])("$name: `--accept` doesn't make them count as published", async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false, brandKit: false });
    const held = { code: 1, said: expect.stringContaining('as "awaiting_moderation"') };
    for (const argv of [[], ["--accept"], []]) expect(await run("publish", ...argv)).toMatchObject(held);
    const { pages } = stranger.world;
    for (const [slug, page] of pages) pages.set(slug, { ...page, visibleFrom: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
  });
});

it.each([
  dialectA("A", { pages: { becomes: "pending", appearsAfterMs: 2000 } }),
  dialectB("B", { pages: { becomes: "pending", appearsAfterMs: 2000, putBody: "multipart" } }),
])("pages that $name calls pending for two seconds are published", async (dialect) => {
  const { run, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

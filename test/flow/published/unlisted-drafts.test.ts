import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const WITHOUT_DRAFTS = { drafts: "left out" } as const;

it("pages that a host keeps as drafts, and lists only once they are published, are reported until then", async () => {
  const dialect = dialectB("B", { lists: WITHOUT_DRAFTS, pages: { becomes: "draft", putBody: "multipart" } });
  const { stranger, run, loseState } = await openAtStranger(dialect, { brandKit: false });
  const hidden = { code: 1, said: expect.stringContaining('as "draft", so readers don\'t see it') };
  for (const kind of ["first", "unchanged", "forgetful"]) {
    if (kind === "forgetful") await loseState();
    expect({ kind, ...(await run("publish")) }).toMatchObject({ kind, ...hidden });
  }
  const { pages } = stranger.world;
  for (const [slug, page] of pages) pages.set(slug, { ...page, visibleFrom: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

it("an unlisted page of somebody else that a host returns in place of storing one isn't taken for our own", async () => {
  const dialect = dialectB("B", { lists: WITHOUT_DRAFTS, pages: { taken: "returns it", putBody: "multipart" } });
  const { stranger, run } = await openAtStranger(dialect, { brandKit: false });
  const { pages } = stranger.world;
  const times = { createdAt: "2026-01-05T08:00:00Z", updatedAt: "2026-01-05T08:00:00Z", writes: 1 };
  const html = "<!doctype html><title>The firm</title><h1>The firm</h1>";
  const draft = { id: "pg_theirs", slug: "about", title: "The firm", html, ...times, visibleFrom: Infinity };
  pages.set("about", draft);
  expect(await run("publish")).toMatchObject({
    code: 1,
    said: expect.stringContaining('The service returned its existing page "The firm" at the slug "about"'),
  });
  pages.set("about", { ...draft, visibleFrom: 0 });
  for (let runs = 0; runs < 2; runs++) {
    expect(await run("publish")).toMatchObject({
      code: 1,
      said: expect.stringContaining("a page with this slug that imprint did not publish"),
    });
  }
  expect(pages.get("about")?.html).toBe(html);
});

it.each([
  dialectA("A", { lists: WITHOUT_DRAFTS, posts: { kept: "draft" } }),
  dialectB("B", { lists: WITHOUT_DRAFTS, posts: { kept: "draft", tells: "url" }, pages: { putBody: "multipart" } }),
])(
  "posts that $name keeps as drafts, and lists only once they are published, are reported until then",
  async (dialect) => {
    const { run } = await openAtStranger(dialect, { posts: { blog: { create: true } }, brandKit: false });
    for (let runs = 0; runs < 2; runs++) expect(await run("publish")).toMatchObject({ code: 1 });
  },
);

it("an unlisted post of somebody else that a host returns in place of storing one isn't taken for our own", async () => {
  const dialect = dialectA("A", { lists: WITHOUT_DRAFTS, posts: { duplicates: "returned", tells: "url" } });
  const options = { posts: { blog: { create: true } }, brandKit: false };
  const { stranger, run, write } = await openAtStranger(dialect, options);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [blog] = stranger.world.posts.values();
  const times = { createdAt: "2026-01-05T08:00:00Z", sent: {} };
  const theirs = { id: "po_theirs", slug: "ink", title: "Their notes", html: "<p>Theirs</p>", ...times, isDraft: true };
  blog?.push(theirs);
  await write("src/content/blog/ink.md", "---\ntitle: Ink\npubDate: 2026-03-05\n---\n\nInk is a paint.\n");
  expect((await run("publish")).code).toBe(1);
  theirs.isDraft = false;
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("ink") });
  expect(theirs.html).toBe("<p>Theirs</p>");
});

describe.each(["409", "accepted"] as const)(
  "a published post that somebody set to a draft (a taken slug: %s)",
  (duplicates) => {
    it("is not called deleted, and is published again only with `--force`", async () => {
      const dialect = dialectA("A", { lists: WITHOUT_DRAFTS, posts: { duplicates, tells: "url" } });
      const { stranger, run } = await openAtStranger(dialect, { posts: { blog: { create: true } }, brandKit: false });
      expect(await run("publish")).toMatchObject({ code: 0 });
      const [posts = []] = stranger.world.posts.values();
      const ink = posts.find(({ slug }) => slug === "ink");
      Object.assign(ink ?? {}, { isDraft: true });
      for (let runs = 0; runs < 2; runs++) {
        const { code, said } = await run("publish");
        expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("deleted or set to a draft") });
        expect(said).toContain("imprint posts restore ink --force");
      }
      expect(await run("posts", "restore", "ink")).toMatchObject({
        code: 2,
        said: expect.stringContaining("as a draft"),
      });
      expect(posts.filter(({ slug }) => slug === "ink")).toHaveLength(1);
      Object.assign(ink ?? {}, { isDraft: false });
      expect(await run("publish")).toMatchObject({ code: 0 });
    });
  },
);

it("a post whose slug an unlisted draft has is reported with the host's reason", async () => {
  const dialect = dialectA("A", { lists: WITHOUT_DRAFTS, posts: { duplicates: "409", tells: "url" } });
  const { stranger, run } = await openAtStranger(dialect, { posts: { blog: { create: true } }, brandKit: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [posts = []] = stranger.world.posts.values();
  Object.assign(posts.find(({ slug }) => slug === "ink") ?? {}, { isDraft: true });
  expect(await run("posts", "restore", "ink", "--force")).toMatchObject({ code: 0 });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('has a post "ink" already') });
  expect(said).toContain("it may be a draft");
  expect(said).not.toContain("response was lost");
});

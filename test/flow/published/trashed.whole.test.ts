import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

describe.each([
  { dialect: dialectA("A lists times", { lists: { fields: "times-too" } }), status: "trashed", answers: 410 },
  { dialect: dialectA("A tells addresses", { pages: { tells: "public-url" } }), status: "archived", answers: 404 },
  {
    dialect: dialectB("B lists times", { pages: { putBody: "multipart" }, lists: { fields: "times-too" } }),
    status: "deleted",
    answers: 410,
  },
  {
    dialect: dialectB("B shows no HTML", { pages: { reads: "no-route", putBody: "multipart" } }),
    status: "Trashed",
    answers: 404,
  },
] as const)("a page that someone moved to the trash of $dialect.name, as $status", ({ dialect, status, answers }) => {
  const where = status === "archived" ? "the service has archived it" : "the service has it in its trash";

  it("is reported with the remedy and stays unchanged until it is restored", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false, brandKit: false });
    expect(await run("publish")).toMatchObject({ code: 0 });
    stranger.byHand.trashPage("about", { status, answers });
    const before = stranger.world.log.length;
    for (const kind of ["unchanged", "forgetful", "changed"]) {
      if (kind === "forgetful") await loseState();
      if (kind === "changed") await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({
        code: 1,
        said: expect.stringContaining(`${where}, so readers don't see it`),
      });
      expect(said).toContain("Restore it");
      expect(said).not.toContain("edited");
    }
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(stranger.world.pages.size).toBe(3);
    stranger.byHand.trashPage("about", undefined);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual(["PUT /api/pages/about"]);
  });

  it("isn't deleted permanently if the site no longer has it", async () => {
    const { stranger, run, write, remove } = await openAtStranger(dialect, {
      posts: false,
      brandKit: false,
      prune: true,
    });
    await write("dist/old/index.html", htmlPage("Old", "<h1>Old</h1>"));
    await run("publish");
    stranger.byHand.trashPage("old", { status, answers });
    await remove("dist/old");
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("old")?.trashed?.status).toBe(status);
  });
});

describe.each([
  dialectA("A marks deleted pages", { pages: { deletes: "softly" } }),
  dialectB("B marks deleted pages", { pages: { deletes: "softly", putBody: "multipart" } }),
])("a page that imprint deleted at $name", (dialect) => {
  it("is published again once the site has it again", async () => {
    const { stranger, run, write, remove } = await openAtStranger(dialect, { posts: false, brandKit: false });
    await write("dist/old/index.html", htmlPage("Old", "<h1>Old</h1>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    await remove("dist/old");
    expect(await run("publish", "--prune")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("old")?.trashed).toBeDefined();
    expect(await run("publish", "--prune")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed"),
    });
    await write("dist/old/index.html", htmlPage("Old", "<h1>Old</h1>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("old")?.trashed).toBeUndefined();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  });

  it("stays deleted if somebody else did it, until they restore it", async () => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false, brandKit: false });
    await run("publish");
    const trashed = { status: "published", answers: 404, deletedAt: new Date().toISOString() } as const;
    stranger.byHand.trashPage("about", trashed);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("has it in its trash") });
    expect(stranger.world.pages.get("about")?.trashed).toEqual(trashed);
    stranger.byHand.trashPage("about", undefined);
    expect(await run("publish")).toMatchObject({ code: 0 });
  });

  it("is no part of a preview, which can be published again", async () => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false, brandKit: false });
    await run("publish");
    const ofPreview = () => [...stranger.world.pages.values()].filter(({ slug }) => slug.includes("pr-1"));
    expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 0 });
    expect(await run("preview", "remove", "pr-1", "--yes")).toMatchObject({ code: 0 });
    expect(ofPreview().filter(({ trashed }) => trashed === undefined)).toEqual([]);
    expect((await run("preview", "list")).said).not.toContain("pr-1");
    expect(await run("preview", "remove", "pr-1", "--yes")).toMatchObject({ code: 0 });
    expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 0 });
    expect(ofPreview().map(({ trashed }) => trashed)).toEqual([undefined, undefined, undefined]);
  });
});

it.each([
  dialectA("A", { pages: { deletes: "to trash" } }),
  dialectB("B", { pages: { deletes: "to trash", putBody: "multipart" } }),
])("a page in the trash of $name, whose HTML isn't shown there, is reported with the remedy", async (dialect) => {
  const { stranger, run, write, remove } = await openAtStranger(dialect, { posts: false, brandKit: false });
  await write("dist/old/index.html", htmlPage("Old", "<h1>Old</h1>"));
  await run("publish");
  await remove("dist/old");
  await run("publish", "--prune");
  await write("dist/old/index.html", htmlPage("Old", "<h1>Old</h1>"));
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("has it in its trash") });
  expect(said).not.toContain("imprint adopt");
  stranger.byHand.deletePage("old");
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([dialectA("A"), dialectB("B", { library: { takes: "all" } })])(
  "a picture that somebody moved to the trash of $name's library is uploaded again",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false, brandKit: false });
    await run("publish");
    const photo = [...stranger.world.assets.values()].find(({ name }) => name.startsWith("photo"));
    expect(photo).toBeDefined();
    stranger.byHand.trashAsset(photo?.id ?? "");
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("photo") });
    const [, src = ""] = /src="([^"]+photo[^"]+)"/.exec(stranger.world.pages.get("index")?.html ?? "") ?? [];
    expect(src).not.toContain(photo?.path);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);

it.each([undefined, "deleted"])("a post in the trash of a blog (status %s) counts as deleted there", async (status) => {
  const { stranger, run } = await openAtStranger(dialectA("A"), { posts: { blog: { create: true } }, brandKit: false });
  await run("publish", "--accept");
  const [[blog = "", [first]] = ["", []]] = [...stranger.world.posts];
  stranger.byHand.trashPost(blog, first?.id ?? "", status);
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(`posts restore ${first?.slug}`) });
  // A list that doesn't say whether it is complete doesn't prove that a post is gone.
  expect((await run("posts", "restore", first?.slug ?? "")).said).toContain("--force");
  expect(await run("posts", "restore", first?.slug ?? "", "--force")).toMatchObject({ code: 0 });
  expect(await run("posts", "sync")).toMatchObject({ code: 0, said: expect.stringContaining("1 created") });
});

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
        said: expect.stringContaining(`${where}: readers don't see it`),
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

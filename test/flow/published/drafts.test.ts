import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const DRAFTS = { becomes: "draft", tells: "public-url" } as const;
const DRAFTS_B = { becomes: "draft", putBody: "multipart" } as const;

describe.each([
  dialectB("B keeps pages as drafts", { pages: DRAFTS_B }),
  dialectB("B keeps pages as drafts, and PUT answers 204", { pages: { ...DRAFTS_B, updated: 204 } }),
  dialectA("A keeps pages as drafts, and says so in lists only", { pages: DRAFTS }),
])("at a host that makes drafts of pages: $name", (dialect) => {
  it("a page that did not change is sent once, and every run says that readers don't see it", async () => {
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

it("a page that somebody took back is sent again once, where nothing shows that the host would keep it a draft", async () => {
  const { stranger, run } = await openAtStranger(dialectB("B plain", { pages: { putBody: "multipart" } }), {
    posts: false,
  });
  await run("publish");
  const page = stranger.world.pages.get("about");
  if (page !== undefined) stranger.world.pages.set("about", { ...page, visibleFrom: Infinity });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining('as "draft"') });
  expect(writesAt(stranger.world, before)).toEqual(["PUT /api/pages/about"]);
  const after = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(writesAt(stranger.world, after)).toEqual([]);
});

import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };

it.each([dialectA("A"), dialectB("B")])(
  "a page that a person moved to another site at $name stays there when it is published again",
  async (dialect) => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, OPTIONS);
    expect(await run("publish")).toMatchObject({ code: 0 });
    const { pages, sites } = stranger.world;
    sites.set("campaign", { id: "campaign", fields: { name: "Campaign", slug: "campaign" }, createdAt: "2025-01-01" });
    const about = pages.get("about");
    if (about !== undefined) pages.set("about", { ...about, siteId: "campaign" });
    for (const [times, lose] of [async () => {}, loseState].entries()) {
      await lose();
      await write("dist/about/index.html", htmlPage("About", `<h1>About us, version ${times}</h1>`));
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 0 });
      const { html, siteId } = pages.get("about") ?? {};
      expect({ html, siteId }).toEqual({ siteId: "campaign", html: expect.stringContaining(`version ${times}`) });
    }
  },
);

it("a page of a site that somebody deleted is moved to the new one", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A"), OPTIONS);
  await run("publish");
  const { pages, sites } = stranger.world;
  const [former] = sites.keys();
  const about = pages.get("about");
  if (about !== undefined) pages.set("about", { ...about, siteId: former });
  sites.clear();
  await write("dist/about/index.html", htmlPage("About", "<h1>About us, again</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  const [site] = sites.keys();
  expect(pages.get("about")?.siteId).toBe(site);
});

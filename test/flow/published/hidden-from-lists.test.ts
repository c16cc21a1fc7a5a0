import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const BLOCKED = { code: 1, said: expect.stringContaining("that imprint did not publish") };

it("a first publish replaces no page of somebody else that the list lacks", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A lists late", { lists: { recordsAfterMs: 60_000 } }));
  stranger.byHand.createPage("about", "Anna's page");
  expect(await run("publish")).toMatchObject(BLOCKED);
  expect(writesAt(stranger.world, 0).filter((write) => write.includes("about"))).toEqual([]);
  expect(stranger.world.pages.get("about")?.title).toBe("Anna's page");
});

it("a page that is new in the site replaces no page of somebody else that the list lacks", async () => {
  const dialect = dialectA("A lists late", { lists: { recordsAfterMs: 60_000 } });
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
  await run("publish");
  stranger.byHand.createPage("contact", "Anna's page");
  await write("dist/contact/index.html", htmlPage("Contact", "<h1>Contact</h1>"));
  expect(await run("publish")).toMatchObject(BLOCKED);
  expect(stranger.world.pages.get("contact")?.title).toBe("Anna's page");
});

describe.each([
  ["long slugs", "a-long-address-of-a-page-that-goes-on"],
  ["hyphens away", "price-list"],
] as const)("a host that makes the slug of another page of the site's: %s", (folds, slug) => {
  const kept = folds === "long slugs" ? slug.slice(0, 30) : slug.replaceAll("-", "");

  it.each([true, false])(
    "has that page replaced in no run; requests find it by the site's slug: %s",
    async (foldsReads) => {
      const dialect = dialectA(folds, { pages: { folds, foldsReads, tells: "public-url" } });
      const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
      stranger.byHand.createPage(kept, "Anna's page");
      await write(`dist/${slug}/index.html`, htmlPage("Ours", "<h1>Ours</h1>"));
      const said = expect.stringContaining(`the service may store it as "${kept}"`);
      for (let runs = 0; runs < 2; runs += 1) expect(await run("publish")).toMatchObject({ code: 1, said });
      expect(stranger.world.pages.get(kept)?.title).toBe("Anna's page");
    },
  );
});

it("a page whose slug continues that of another page is published", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A"), { posts: false });
  stranger.byHand.createPage("documentation-guide", "Anna's page");
  await write("dist/documentation-guide-part-2/index.html", htmlPage("Part 2", "<h1>Part 2</h1>"));
  expect(await run("publish")).toMatchObject({
    code: 0,
    said: expect.stringContaining("pages 4 published"),
  });
  expect(stranger.world.pages.get("documentation-guide")?.title).toBe("Anna's page");
});

it.each([dialectA, dialectB])(
  "a page whose slug the host doesn't keep is sent and deleted in one run only",
  async (dialectOf) => {
    const dialect = dialectOf("hyphens away", { pages: { folds: "hyphens away", putBody: "multipart" } });
    const { stranger, run, configure } = await openAtStranger(dialect, { posts: false });
    const blocked = { code: 1, said: expect.stringContaining('under the slug "servicesletterpress"') };
    expect(await run("publish")).toMatchObject(blocked);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(blocked);
    expect(writesAt(stranger.world, before)).toEqual([]);
    await configure({ posts: false, slugs: { "/services/letterpress/": "letterpress" } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "letterpress"]);
  },
);

import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type Area, type Refusal } from "../../strangers/dialect.ts";
import type { Stranger } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger, writesAt } from "./project.ts";
import { sampleOf, takeTurns } from "../../whole.ts";

const POSTS = { posts: { blog: { create: true } } };
const SLUGS = ["index", "about", "services-letterpress"];
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };

function pagesOf(stranger: Stranger): readonly string[] {
  return SLUGS.map((slug) => stranger.publicUrl(slug));
}

function postTitles({ world }: Stranger): readonly string[] {
  return [...world.posts.values()].flat().map(({ title }) => title);
}

describe.each([
  dialectA("A library without SVG", { library: { takes: "no-svg" } }),
  dialectA("A library without SVG (422)", { library: { takes: "no-svg", refusedType: 422 } }),
  dialectB("B library without SVG (400)", { library: { takes: "no-svg", refusedType: 400 } }),
])("route set $name", (dialect) => {
  it("publishes every page, with the drawing inlined", async () => {
    const { stranger, run } = await openAtStranger(dialect);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect(await (await fetch(stranger.publicUrl("index"))).text()).toContain(`href="data:image/svg+xml`);
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});

describe("a library of route set A that accepts only images", () => {
  it("inlines a file that a script fetches", async () => {
    const { stranger, run, write } = await openAtStranger(
      dialectA("A images only", { library: { takes: "images", refusedType: 422 } }),
    );
    const fetches = `fetch("/stock.json").then((answer) => answer.json()).then(({ mug }) => console.log(mug));`;
    await write("dist/stock.json", `{"mug":7}`);
    await write("dist/stock/index.html", `<html><body><h1>Stock</h1><script>${fetches}</script></body></html>`);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("published without") });
    const html = await (await fetch(stranger.publicUrl("stock"))).text();
    const address = /data:application\/json[^"'`\\]*/.exec(html)?.[0] ?? "none";
    expect(await (await fetch(address)).json()).toEqual({ mug: 7 });
    const again = await run("publish");
    expect(again).toMatchObject(NOTHING_CHANGED);
    expect(again.said).toContain("(0 writes), 0 B sent");
  });

  it.each([
    ["", "/price%20list.pdf"],
    [`<link rel="canonical" href="https://shop.example/prices/">`, "https://shop.example/price%20list.pdf"],
  ])(
    "keeps a link to another file at the site's own address, and the run fails with its reason",
    async (head, kept) => {
      const { stranger, run, write } = await openAtStranger(
        dialectA("A images only", { library: { takes: "images", refusedType: 415 } }),
      );
      await write("dist/price list.pdf", "%PDF-1.4");
      const link = `<a href="/price%20list.pdf">Prices</a>`;
      await write("dist/prices/index.html", `<html><head>${head}</head><body><h1>Prices</h1>${link}</body></html>`);
      expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(`uses ${kept} instead`) });
      const html = await (await fetch(stranger.publicUrl("prices"))).text();
      expect(html).toContain(`<a href="${kept}">Prices</a>`);
      expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
      expect(await run("publish")).toMatchObject({ code: 0 });
    },
  );
});

describe.each([
  dialectA("A file part image", { library: { part: "image" } }),
  dialectA("A file part files[] (400)", { library: { part: "files[]" }, missingField: 400 }),
  dialectB("B file part image", { library: { part: "image" } }),
  dialectB("B file part files[] (400)", { library: { part: "files[]" }, missingField: 400 }),
])("route set $name", (dialect) => {
  it("publishes every page and file, and each file once", async () => {
    const { stranger, run } = await openAtStranger(dialect);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
    const hashes = [...stranger.world.assets.values()].map(({ sha256 }) => sha256);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});

describe.each([
  dialectA("A post body content", { posts: { body: "content" } }),
  dialectB("B post body content", { posts: { body: "content" } }),
  dialectA("A blog name title", { posts: { blogName: "title" } }),
  dialectB("B blog name title", { posts: { blogName: "title" } }),
])("route set $name", (dialect) => {
  it("creates one blog with each post once", async () => {
    const { stranger, run } = await openAtStranger(dialect, POSTS);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("posts 2 published") });
    expect(stranger.world.blogs.size).toBe(1);
    expect(postTitles(stranger).toSorted()).toEqual(["On ink", "On paper"]);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(stranger.world.blogs.size).toBe(1);
  });
});

const REFUSALS = [
  ["brandKits", 403, "not part of your plan"],
  ["sites", 403, "Sites need the Pro plan"],
  ["sites", 404, "No such route"],
  ["brandKits", 402, "Please upgrade"],
] as const;
const ROUTE_SETS = ["a", "b"] as const;
const inTurn = takeTurns(ROUTE_SETS);

describe.each(ROUTE_SETS)("an operation that a host with route set %s rejects", (routeSet) => {
  const dialect = routeSet === "a" ? dialectA : dialectB;
  const isTurn = inTurn(routeSet);

  it.each(sampleOf(REFUSALS, ([, status]) => (status === 403) === (routeSet === "a")))(
    "%s, %i: everything else is live, and the output contains the host's message",
    async (area, status, words) => {
      const areas = { [area]: { status, words } };
      const { stranger, run } = await openAtStranger(dialect(`${area} ${status}`, { areas }), POSTS);
      const { code, said } = await run("publish");
      expect(code).toBe(0);
      expect(said).toContain("pages 3 published");
      expect(said).toContain("posts 2 published");
      expect(said).toContain(`${status} "${words}".`);
      expect(said).not.toContain("scope");
      expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
      expect(postTitles(stranger)).toHaveLength(2);
    },
  );

  it.runIf(isTurn())("blogs, 403: the pages are live, and the run exits with 1 and the host's message", async () => {
    const areas = { blogs: { status: 403, words: "Blogs are switched off." } };
    const { stranger, run } = await openAtStranger(dialect("no blogs", { areas }), POSTS);
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain(`refused blogs: 403 "Blogs are switched off".`);
    expect(said).not.toContain("scope");
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
  });

  it.runIf(isTurn())("uploads, 402: the pages are live with inlined pictures", async () => {
    const areas = { upload: { status: 402, words: "Your plan has no library." } };
    const { stranger, run } = await openAtStranger(dialect("no uploads", { areas }));
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect(await (await fetch(stranger.publicUrl("index"))).text()).toContain(`src="data:image/`);
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it.runIf(isTurn())("everything, 402, temporarily: after the plan is paid, the library has the pictures", async () => {
    const unpaid = { status: 402, words: "Please pay." };
    const areas: Record<string, Refusal> = { upload: unpaid, pages: unpaid };
    const { stranger, run } = await openAtStranger(dialect("unpaid", { areas }));
    const refused = await run("publish");
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`402 "Please pay".`) });
    expect(refused.said).toContain("pages 3 failed");
    delete areas["upload"];
    delete areas["pages"];
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect(await (await fetch(stranger.publicUrl("index"))).text()).not.toContain(`src="data:image/`);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});

describe.each([
  dialectA("A pages at /slug, reported nowhere", { pages: { shownAt: "/{slug}" } }),
  dialectA("A pages at /slug, publicUrl", { pages: { shownAt: "/{slug}", tells: "public-url" } }),
  dialectA("A pages at /account/slug on another port", {
    pages: { shownAt: "/acme/{slug}", shownOn: "own-port", tells: "public-url" },
    library: { addresses: "relative" },
  }),
  dialectB("B pages at /slug", { pages: { shownAt: "/{slug}" } }),
  dialectB("B pages at /account/slug on another port", { pages: { shownAt: "/acme/{slug}", shownOn: "own-port" } }),
])("route set $name", (dialect) => {
  it("publishes pages whose links and images return 200", async () => {
    const { stranger, run } = await openAtStranger(dialect);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect(await (await fetch(stranger.publicUrl("index"))).text()).toContain(
      new URL(stranger.publicUrl("about")).pathname,
    );
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});

it("a file that the library rejects is named once if two pages and a post link to it", async () => {
  const dialect = dialectA("A library of pictures", { library: { takes: "images", refusedType: 422 } });
  const { run, write } = await openAtStranger(dialect, { posts: {} });
  const link = `<a href="/prices.pdf">Prices</a>`;
  await write("dist/prices.pdf", "%PDF-1.4 prices");
  await write("dist/index.html", htmlPage("Halden Press", link));
  await write("dist/about/index.html", htmlPage("About", link));
  await write("src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\n[Prices](/prices.pdf)\n");
  const { said } = await run("publish");
  expect(said).toContain("1 blocked ! prices.pdf: http");
  expect(said).not.toContain("prices.pdf, prices.pdf");
});

describe("a key that loses its right to the library", () => {
  const words = "This key may not use the library";
  const refusal = { status: 403, words };

  it.each(["`.imprint/` kept", "`.imprint/` lost"])("keeps the files of unchanged pages: %s", async (memory) => {
    const areas: Partial<Record<Area, Refusal>> = {};
    const { stranger, run, loseState } = await openAtStranger(dialectA("A", { areas }), { posts: false });
    expect(await run("publish")).toMatchObject({ code: 0 });
    Object.assign(areas, { library: refusal, upload: refusal });
    if (memory.endsWith("lost")) await loseState();
    const before = stranger.world.log.length;
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(words) });
    expect(writesAt(stranger.world, before).filter((write) => write.includes("/api/pages"))).toEqual([]);
    delete areas.library;
    delete areas.upload;
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it("gets pages with inlined files, and their library addresses again once the key may use it", async () => {
    const areas: Partial<Record<Area, Refusal>> = {};
    const { stranger, run } = await openAtStranger(dialectA("A", { areas }), { posts: false });
    const home = async () => (await fetch(stranger.publicUrl("index"))).text();
    expect(await run("publish")).toMatchObject({ code: 0 });
    const sent = await home();
    const files = [...stranger.world.assets.values()].filter(({ path }) => sent.includes(path));
    for (const { id } of files) stranger.byHand.deleteAsset(id);
    Object.assign(areas, { library: refusal, upload: refusal });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(words) });
    expect(await home()).toContain(`src="data:`);
    delete areas.library;
    delete areas.upload;
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await home()).not.toContain(`src="data:`);
    expect(await deadAddresses(pagesOf(stranger))).toEqual([]);
  });
});

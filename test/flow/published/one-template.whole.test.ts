import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject } from "./project.ts";
import { sampleOf } from "../../whole.ts";

describe("two projects from one template, without the lock file and `.imprint/`", () => {
  const HOSTS = [
    dialectA("A plain"),
    dialectB("B plain"),
    dialectA("A lists names only", { lists: { fields: "few" } }),
    dialectA("A lists all, and posts by title", { posts: { lists: "id-and-title" } }),
  ];

  it.each(sampleOf(HOSTS, ({ name }) => !name.endsWith("plain")))(
    "change nothing of each other: $name",
    async (dialect) => {
      const { stranger, ...first } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
      const second = await openProject(
        { baseUrl: stranger.baseUrl, apiKey: API_KEY },
        { posts: { blog: { create: true, slug: "docs-news", name: "Docs news" } }, slugs: { prefix: "docs" } },
      );
      const { pages, sites, brandKits, blogs, posts } = stranger.world;
      const noteAll = () => structuredClone([[...pages], [...sites], [...brandKits], [...blogs], [...posts]]);
      for (const { run } of [first, second]) expect(await run("publish")).toMatchObject({ code: 0 });
      const before = noteAll();
      for (const { run, loseState, loseLock } of [second, first, second]) {
        await loseState();
        await loseLock();
        const { said } = await run("publish");
        expect(noteAll()).toEqual(before);
        expect(said.includes("the service doesn't show which of its sites is this project's")).toBe(
          dialect.lists.fields === "few",
        );
        await run("publish");
        expect(noteAll()).toEqual(before);
      }
    },
  );

  it("leave each other's pages unchanged if they have the same posts and different pages", async () => {
    const { stranger, ...first } = await openAtStranger(dialectA("A plain"), { posts: {} });
    const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts: {} });
    for (const [path, title] of [
      ["", "Other client"],
      ["about/", "About the other"],
    ] as const)
      await second.write(`dist/${path}index.html`, htmlPage(title, `<h1>${title}</h1>`));
    await first.run("publish");
    const before = structuredClone([...stranger.world.pages]);
    const { code, said } = await second.run("publish");
    expect([...stranger.world.pages]).toEqual(before);
    expect(code).toBe(1);
    expect(said).toContain("SLUG_HELD");
  });

  it("stay two projects if the second one has the same posts, and its own pages behind `slugs.prefix`", async () => {
    const { stranger, ...first } = await openAtStranger(dialectA("A plain"), { posts: {} });
    const slugs = { prefix: "shop" };
    const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts: {}, slugs });
    for (const path of ["", "about/"]) {
      await second.write(`dist/${path}index.html`, htmlPage(`Shop ${path}`, `<h1>Things to buy ${path}</h1>`));
    }
    await first.run("publish");
    const before = structuredClone([...stranger.world.pages]);
    const pagesOfFirst = () => [...stranger.world.pages].filter(([slug]) => !slug.startsWith("shop"));
    const { code, said } = await second.run("publish", "--prune");
    expect(code).toBe(1);
    expect(said).toContain("posts.blog.slug");
    expect(said).not.toContain("PRUNE_REFUSED");
    await second.configure({ posts: { blog: { slug: "shop", name: "Shop" } }, slugs, maxDeleteShare: 1 });
    expect(await second.run("publish", "--prune")).toMatchObject({ code: 0 });
    expect(pagesOfFirst()).toEqual(before);
    expect(await first.run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it.each([dialectA("A plain"), dialectB("B plain")])(
    "from one template are separated by what the notice says, even with `prune`: $name",
    async (dialect) => {
      const posts = dialect.routeSet === "b" ? { blog: { create: true } } : {};
      const { stranger, ...first } = await openAtStranger(dialect, { posts });
      const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts });
      await second.write("dist/about/index.html", htmlPage("About", "<h1>Another shop</h1>"));
      expect(await first.run("publish", "--accept")).toMatchObject({ code: 0 });
      const { pages } = stranger.world;
      const slugs = [...pages.keys()];
      const { said } = await second.run("publish", "--accept");
      expect(said).toContain("set `slugs.prefix`, delete imprint.lock.json and the folder .imprint");
      await second.loseLock();
      await second.loseState();
      const own = { slugs: { prefix: "shop" }, posts: { blog: { slug: "shop", name: "Shop", create: true } } };
      await second.configure({ ...own, maxDeleteShare: 1 });
      const home = pages.get("index");
      for (let times = 0; times < 2; times += 1) {
        expect(await second.run("publish", "--accept", "--prune")).toMatchObject({ code: 0 });
      }
      expect([...pages.keys()].filter((slug) => !slug.startsWith("shop"))).toEqual(slugs);
      expect(pages.get("index")).toEqual(home);
      expect(pages.get("shop")?.html).toContain("Halden Press");
    },
  );

  it("are reported if the second one treats the first one's posts as its own", async () => {
    const { stranger, ...first } = await openAtStranger(dialectA("A plain"), { posts: {} });
    const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts: {} });
    await first.run("posts", "sync");
    const { said } = await second.run("posts", "sync");
    expect(said).toMatch(
      /The posts on the service look like its own, as project \w+\. .* set `posts\.blog\.slug`, delete imprint\.lock\.json/,
    );
    expect((await second.run("posts", "sync")).said).not.toContain("look like its own");
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });
});

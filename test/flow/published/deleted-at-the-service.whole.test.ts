import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { addressOf, openAtService, openAtStranger, openBehindProxy, send, statusOf } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const ROUTE_SETS = ["a", "b"] as const;
const inTurn = takeTurns(ROUTE_SETS);

describe.each(ROUTE_SETS)("content that was deleted on the service, route set %s", (routeSet) => {
  const isTurn = inTurn(routeSet);

  it.runIf(isTurn())("a page is restored by the next publish, and the run after that changes nothing", async () => {
    const { service, run } = await openAtService(routeSet);
    const address = `${service.pagesUrl}/p/about`;
    await run("publish");
    await send(addressOf(service, routeSet), ["DELETE", "/api/pages/about"]);
    expect(await statusOf(address)).toBe(410);
    const again = await run("publish");
    expect(again).toMatchObject({ code: 0, said: expect.stringContaining("pages 1 published") });
    expect(await statusOf(address)).toBe(200);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it.runIf(isTurn())("a post is restored by `posts restore` and `posts sync`", async () => {
    const { service, run } = await openAtService(routeSet, { posts: { blog: { create: true } } });
    const address = `${service.pagesUrl}/blog/blog/ink`;
    await run("publish");
    expect(await statusOf(address)).toBe(200);
    await send(addressOf(service, "a"), ["DELETE", "/api/blogs/blog/posts/ink"]);
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("posts restore ink") });
    expect(await run("posts", "restore", "ink")).toMatchObject({ code: 0 });
    expect(await run("posts", "sync")).toMatchObject({ code: 0, said: expect.stringContaining("1 created") });
    expect(await statusOf(address)).toBe(200);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it.runIf(isTurn())("a picture is restored by the next publish, and the run after that changes nothing", async () => {
    const { service, run } = await openAtService(routeSet);
    await run("publish");
    const home = `${service.pagesUrl}/p/index`;
    const picture = async () => /src="([^"]+photo[^"]+)"/.exec(await (await fetch(home)).text())?.[1] ?? "";
    const address = await picture();
    expect(await statusOf(address)).toBe(200);
    const { host } = new URL(address);
    const route = ["--service", service.baseUrl("a"), "--route-set", "a"];
    expect(await run("assets", "remove", address, "--yes", "--force", ...route)).toMatchObject({ code: 0 });
    expect(await statusOf(address)).not.toBe(200);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await picture()).toContain(host);
    expect(await statusOf(await picture())).toBe(200);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });
});

describe.each([dialectA("A plain"), dialectB("B plain")])(
  "a page whose slug was changed on the service ($name)",
  (dialect) => {
    it("is blocked under its own name, even without `.imprint/`, and not created again, until the options set the slug", async () => {
      const { stranger, run, loseState, configure } = await openAtStranger(dialect);
      expect(await run("publish")).toMatchObject({ code: 0 });
      stranger.byHand.movePage("about", "about-us");
      for (const lose of [async () => {}, loseState]) {
        await lose();
        const { code, said } = await run("publish");
        expect(code).toBe(1);
        expect(said).toContain("its slug was changed to about-us on the service");
        expect(stranger.world.pages.has("about")).toBe(false);
      }
      await configure({ slugs: { "/about/": "about-us" } });
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect([...stranger.world.pages.keys()].filter((slug) => slug.startsWith("about"))).toEqual(["about-us"]);
    });
  },
);

describe.each([dialectA("A without single posts"), dialectB("B without single posts")])(
  "a deleted post, if only the list shows it ($name)",
  (dialect) => {
    it("is reported with the remedy, restored only with `--force`, and never while it is listed", async () => {
      const { stranger, run } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
      expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
      expect(await run("posts", "restore", "ink", "--force")).toMatchObject({
        code: 2,
        said: expect.stringContaining('Nothing was changed: the blog has the post "ink".'),
      });
      const [blogId = "", posts = []] = [...stranger.world.posts][0] ?? [];
      const { id = "" } = [...posts].find(({ slug }) => slug === "ink") ?? {};
      stranger.byHand.deletePost(blogId, id);
      const { code, said } = await run("posts", "sync");
      expect([code, said]).toEqual([1, expect.stringContaining("run `imprint posts restore ink --force`")]);
      expect(said).toContain("list lacks ink, which was published: it was deleted, or the list isn't complete");
      expect(await run("posts", "restore", "ink")).toMatchObject({ code: 2 });
      expect(await run("posts", "restore", "ink", "--force")).toMatchObject({ code: 0 });
      expect(await run("posts", "sync")).toMatchObject({ code: 0, said: expect.stringContaining("1 created") });
      expect([...(stranger.world.posts.get(blogId) ?? [])].filter(({ slug }) => slug === "ink")).toHaveLength(1);
    });
  },
);

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a page that somebody deleted at $name is published again, and the report says so",
  async (dialect) => {
    const { stranger, run, loseState } = await openAtStranger(dialect, { posts: false, brandKit: false });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("deleted") });
    for (const isForgetful of [false, true]) {
      if (isForgetful) await loseState();
      stranger.world.pages.delete("about");
      const said = expect.stringMatching(/\+ about .*it was deleted on the service, and is published again/);
      expect(await run("publish")).toMatchObject({ code: 0, said });
      expect(stranger.world.pages.has("about")).toBe(true);
    }
  },
);

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a page that $name refused in the first publish isn't called deleted when it takes the page",
  async (dialect) => {
    const { run, proxy } = await openBehindProxy(dialect, { posts: false, brandKit: false });
    proxy.meddle(({ method, path, answer }) => {
      const isAbout = (method === "PUT" && path.endsWith("/about")) || (method === "POST" && path === "/api/pages");
      if (!isAbout) return undefined;
      return Promise.resolve(void answer.writeHead(413, { "content-type": "application/json" }).end('{"error":"Big"}'));
    });
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.not.stringContaining("was deleted") });
    proxy.meddle(() => undefined);
    const { code, said } = await run("publish");
    expect([code, said]).toEqual([0, expect.stringMatching(/\+ about (?!.*was deleted)/)]);
  },
);

it.each([{ deletedAt: "2026-01-05T00:00:00Z" }, { status: "trashed" }, { archived: true }])(
  "a blog in the trash of a host (%o) is named in each run, and gets no posts",
  async (trash) => {
    const options = { posts: { blog: { create: true } }, brandKit: false };
    const { stranger, run, write, loseState } = await openAtStranger(dialectA("A"), options);
    expect(await run("publish")).toMatchObject({ code: 0 });
    const { blogs, posts } = stranger.world;
    const [[id, blog] = ["", undefined]] = blogs;
    if (blog !== undefined) blogs.set(id, { ...blog, fields: { ...blog.fields, ...trash } });
    await write("src/content/blog/new.md", "---\ntitle: A new one\npubDate: 2026-01-07\n---\n\nText of a new post.\n");
    for (const isForgetful of [false, true]) {
      if (isForgetful) await loseState();
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({
        code: 1,
        said: expect.stringContaining("the blog is in the service's trash"),
      });
    }
    expect(posts.get(id)?.map(({ slug }) => slug)).not.toContain("new");
    if (blog !== undefined) blogs.set(id, blog);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("posts 1 published") });
  },
);

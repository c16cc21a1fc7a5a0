import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import {
  addressOf,
  deadAddresses,
  openAtService,
  openAtStranger,
  openProject,
  type Host,
  type Project,
} from "./project.ts";
import { takeTurns } from "../../whole.ts";

// A site with the same routes, and nothing else in common with the first.
async function openDocs(host: Host, options: Readonly<Record<string, unknown>> = {}): Promise<Project> {
  const project = await openProject(host, options);
  await project.remove("dist/services");
  await project.write("dist/index.html", "<!doctype html><title>Docs</title><h1>Docs</h1>");
  await project.write("dist/about/index.html", "<!doctype html><title>About docs</title><h1>About docs</h1>");
  await project.write("dist/guide/index.html", "<!doctype html><title>Guide</title><h1>Guide</h1>");
  await project.remove("src/content/blog");
  await project.write("src/content/blog/ink.md", "---\ntitle: Our ink\n---\n\nSomething else.\n");
  return project;
}

async function textOf(address: string): Promise<string> {
  return await (await fetch(address)).text();
}

const ROUTE_SETS = ["a", "b"] as const;
const inTurn = takeTurns(ROUTE_SETS);

describe.each(ROUTE_SETS)("two projects on one account, route set %s", (routeSet) => {
  const isTurn = inTurn(routeSet);

  it.runIf(isTurn())("the second exits with 1, names both slugs, and changes nothing of the first", async () => {
    const { service, ...first } = await openAtService(routeSet);
    const second = await openDocs(addressOf(service, routeSet));
    expect(await first.run("publish")).toMatchObject({ code: 0 });
    const home = await textOf(`${service.pagesUrl}/p/index`);
    const about = await textOf(`${service.pagesUrl}/p/about`);

    const { code, said } = await second.run("publish");
    expect(code).toBe(1);
    expect(said).toMatch(/SLUG_HELD index, about: another project \(\w+\) has published a page with this slug/);
    expect(said).toContain('`slugs: { prefix: "docs" }`');
    expect(await textOf(`${service.pagesUrl}/p/index`)).toBe(home);
    expect(await textOf(`${service.pagesUrl}/p/about`)).toBe(about);
    expect(await first.run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it.runIf(isTurn())(
    "a second project with `slugs.prefix` publishes beside the first, and both then change nothing",
    async () => {
      const { service, ...first } = await openAtService(routeSet);
      const second = await openDocs(addressOf(service, routeSet), { slugs: { prefix: "docs" } });
      await first.run("publish");
      const about = await textOf(`${service.pagesUrl}/p/about`);
      expect(await second.run("publish")).toMatchObject({
        code: 0,
        said: expect.stringContaining("pages 3 published"),
      });
      expect(await textOf(`${service.pagesUrl}/p/docs-about`)).toContain("About docs");
      expect(await textOf(`${service.pagesUrl}/p/about`)).toBe(about);
      expect(await first.run("publish")).toMatchObject({
        code: 0,
        said: expect.stringContaining("Nothing changed at"),
      });
      expect(await second.run("publish")).toMatchObject({
        code: 0,
        said: expect.stringContaining("Nothing changed at"),
      });
    },
  );

  it.runIf(isTurn())(
    "a second project from the same template, with its own home page, changes nothing of the first",
    async () => {
      const { service, ...first } = await openAtService(routeSet);
      const second = await openProject(addressOf(service, routeSet));
      await second.write("dist/index.html", htmlPage("Other client", "<h1>Other client</h1>"));
      await first.run("publish");
      const home = await textOf(`${service.pagesUrl}/p/index`);
      expect(await second.run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("index") });
      expect(await textOf(`${service.pagesUrl}/p/index`)).toBe(home);
    },
  );

  it.runIf(isTurn())("`status --all` lists both projects with their slugs", async () => {
    const { service, ...first } = await openAtService(routeSet);
    const second = await openDocs(addressOf(service, routeSet), { slugs: { prefix: "docs" } });
    await first.run("publish");
    await second.run("publish");
    const { said } = await second.run("status", "--all");
    expect(said).toMatch(/\w+ 3 pages, \d+ files: about, index, services-letterpress/);
    expect(said).toMatch(/\w+ 3 pages, \d+ files: docs, docs-about, docs-guide/);
  });
});

describe("a second project with posts", () => {
  it("never changes the first one's post with the same slug", async () => {
    const { service, ...first } = await openAtService("a", { posts: {} });
    const second = await openDocs(addressOf(service, "a"), { posts: {}, slugs: { prefix: "docs" } });
    await first.run("publish");
    const post = await textOf(`${service.pagesUrl}/blog/blog/ink`);
    const { code, said } = await second.run("publish");
    expect(code).toBe(1);
    expect(said).toMatch(/the blog with this slug belongs to another project \(\w+\)/);
    expect(await textOf(`${service.pagesUrl}/blog/blog/ink`)).toBe(post);
    expect(await first.run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });

    await second.configure({ posts: { blog: { slug: "docs-news", name: "Docs news" } }, slugs: { prefix: "docs" } });
    expect(await second.run("publish")).toMatchObject({ code: 0 });
    expect(await textOf(`${service.pagesUrl}/blog/docs-news/ink`)).toContain("Something else.");
    expect(await textOf(`${service.pagesUrl}/blog/blog/ink`)).toBe(post);
  });

  it.each([dialectA("A plain"), dialectB("B plain")])(
    "doesn't at an independent host either: $name",
    async (dialect) => {
      const { stranger, ...first } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
      const second = await openDocs(
        { baseUrl: stranger.baseUrl, apiKey: API_KEY },
        { posts: { blog: { create: true, slug: "docs-news", name: "Docs news" } } },
      );
      expect(await first.run("publish")).toMatchObject({ code: 0 });
      const pages = structuredClone([...stranger.world.pages]);
      const posts = structuredClone([...stranger.world.posts]);
      const { code, said } = await second.run("publish");
      expect(code).toBe(1);
      expect(said).toMatch(/SLUG_HELD index, about: another project \(\w+\)/);
      expect([...stranger.world.pages]).toEqual(pages);
      expect([...stranger.world.posts].slice(0, 1)).toEqual(posts);
      expect(await first.run("publish")).toMatchObject({
        code: 0,
        said: expect.stringContaining("Nothing changed at"),
      });
      expect(await deadAddresses([stranger.publicUrl("index"), stranger.publicUrl("about")])).toEqual([]);
    },
  );

  it("gets its own blog if blogs can't be listed, once its slugs don't conflict with pages that hide their HTML", async () => {
    const hidden = dialectB("hides HTML", { pages: { reads: "nothing", keeps: "tidied" } });
    const { stranger, ...first } = await openAtStranger(hidden, { posts: { blog: { create: true } } });
    const posts = { blog: { create: true, slug: "docs-news", name: "Docs news" } };
    const second = await openDocs({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts });
    await first.run("publish");
    expect(await second.run("publish")).toMatchObject({ code: 1 });
    expect(stranger.world.blogs.size).toBe(1);
    await second.configure({ posts, slugs: { prefix: "docs" } });
    expect(await second.run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2, 1]);
  });
});

describe("another project's blog with the same name, at a host that hides blogs' slugs", () => {
  const NAMES_ONLY = dialectA("A lists names only", { lists: { fields: "few" } });

  async function openBeside(posts: readonly string[], blog: Readonly<Record<string, unknown>> = {}) {
    const project = await openAtStranger(NAMES_ONLY, { posts: { blog: { name: "Blog", ...blog } } });
    const { world, byHand } = project.stranger;
    const other = byHand.createBlog("Blog");
    for (const title of posts) byHand.createPost(other, title);
    const titlesIn = (id: string) => (world.posts.get(id) ?? []).map(({ title }) => title).toSorted();
    return { ...project, world, other, titlesIn };
  }

  it.each([{ posts: ["Hello world"] }, { posts: [] }])("isn't written to, with posts $posts", async ({ posts }) => {
    const { other, titlesIn, world, run } = await openBeside(posts);
    for (const argv of [["publish"], ["posts", "sync"], ["publish"]]) {
      const { code, said } = await run(...argv);
      expect(code).toBe(1);
      expect(said).toContain(`has a blog named "Blog" (${other}) that may not be this project's`);
      expect(said).toMatch(/Set `posts\.blog\.id` .* `posts\.blog\.create: true`/);
    }
    expect(titlesIn(other)).toEqual(posts);
    expect([...world.blogs.keys()]).toEqual([other]);
    expect([...world.pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
  });

  it("is published to with `posts.blog.id`", async () => {
    const { other, titlesIn, world, run, configure } = await openBeside(["Hello world"]);
    await configure({ posts: { blog: { name: "Blog", id: other } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(titlesIn(other)).toEqual(["Hello world", "On ink", "On paper"]);
    expect(world.blogs.size).toBe(1);
  });

  it("is left unchanged with `posts.blog.create: true`, which creates one more, once", async () => {
    const { other, titlesIn, world, run, loseState, loseLock } = await openBeside(["Hello world"], { create: true });
    expect(await run("publish")).toMatchObject({ code: 0 });
    const own = [...world.blogs.keys()].find((id) => id !== other) ?? "";
    for (const lose of [async () => {}, loseState, () => Promise.all([loseState(), loseLock()])]) {
      await lose();
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect([...world.blogs.keys()]).toEqual([other, own]);
      expect([titlesIn(other), titlesIn(own)]).toEqual([["Hello world"], ["On ink", "On paper"]]);
    }
  });

  it("isn't duplicated with `posts.blog.create: true` if nothing identifies this project's blog any more", async () => {
    const byTitle = dialectA("A lists titles only", { lists: { fields: "few" }, posts: { lists: "id-and-title" } });
    const { stranger, run, loseState, loseLock } = await openAtStranger(byTitle, { posts: { blog: { create: true } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    await loseState();
    await loseLock();
    for (const _ of [1, 2]) {
      expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("Set `posts.blog.id`") });
    }
    expect(stranger.world.blogs.size).toBe(1);
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });

  it("is distinguished from the one whose creation was interrupted", async () => {
    const { stranger, world, other } = await openBeside([], { create: true });
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const project = await openProject(
      { baseUrl: proxy.url, apiKey: API_KEY },
      { posts: { blog: { name: "Blog", create: true } } },
    );
    proxy.meddle(({ method, path, answer, forward }) =>
      `${method} ${path}` === "POST /api/blogs" ? forward().then(() => void answer.socket?.destroy()) : undefined,
    );
    expect(await project.run("publish")).toMatchObject({ code: 1 });
    proxy.meddle(() => undefined);
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const own = [...world.blogs.keys()].filter((id) => id !== other);
    expect(own).toHaveLength(1);
    expect([other, ...own].map((id) => world.posts.get(id)?.length)).toEqual([0, 2]);
  });
});

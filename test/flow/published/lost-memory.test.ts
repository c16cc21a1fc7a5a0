import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY, startStranger } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openAtService, openAtStranger, openProject, send, writesAt, writesOf } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const LETTERPRESS = "dist/services/letterpress/index.html";
const STRICT = { strict: true };
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };

describe("route set B, where blogs can't be listed", () => {
  const options = { posts: { blog: { create: true } } };

  it("gets one blog and each post once in three runs without `.imprint/`", async () => {
    const { service, run, loseState } = await openAtService("b", options);
    await run("publish");
    await loseState();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    await loseState();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    const created = writesOf(service).filter((operation) => /^(?:blogs|posts)\./.test(operation));
    expect(created).toEqual(["blogs.create", "posts.create", "posts.create"]);
    const host = addressOf(service, "a");
    expect(await send(host, ["GET", "/api/blogs"])).toMatchObject({ data: [{ slug: "blog" }] });
    const posts = await send(host, ["GET", "/api/blogs/blog/posts"]);
    expect(posts).toMatchObject({ data: expect.toSatisfy((list) => list.length === 2) });
  });

  it("gets one blog and each post once, at a strict service, too", async () => {
    const { service, run, loseState } = await openAtService("b", { ...options, service: STRICT });
    expect(await run("publish")).toMatchObject({ code: 0 });
    await loseState();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    await loseState();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    const created = writesOf(service).filter((operation) => /^(?:blogs|posts)\./.test(operation));
    expect(created).toEqual(["blogs.create", "posts.create", "posts.create"]);
  });

  it("gets nothing twice without the lock file and `.imprint/` if the service finds blogs by slug", async () => {
    const { service, run, loseState, loseLock } = await openAtService("b", options);
    await run("publish");
    await loseState();
    await loseLock();
    const since = new Date();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesOf(service, since)).toEqual([]);
  });

  it("gets no post without the lock file and `.imprint/`: the run exits with 1 and suggests `posts.blog.id`", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(dialectB("B plain"), options);
    await run("publish");
    await loseState();
    await loseLock();
    const before = stranger.world.log.length;
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toMatch(/blogs 1 blocked/);
    expect(said).toMatch(/posts 2 blocked/);
    expect(said).toContain("Set `posts.blog.id`");
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });
});

describe("route set B without the lock file and `.imprint/` creates no second blog", () => {
  const options = { posts: { blog: { create: true } } };
  const HIDES = { reads: "nothing", visitors: "signed-in" } as const;
  const OTHER_PAGES = ["dist/index.html", "dist/about/index.html", LETTERPRESS];

  it.each([
    ["with --adopt", dialectB("B plain"), ["publish", "--adopt"]],
    ["with --adopt at a host that hides HTML", dialectB("B hides HTML", { pages: HIDES }), ["publish", "--adopt"]],
    [
      "with --adopt at a host that reformats HTML",
      dialectB("B tidies", { pages: { keeps: "tidied" } }),
      ["publish", "--adopt"],
    ],
  ] as const)("%s, even if every page changed", async (_, dialect, argv) => {
    const { stranger, run, write, loseState, loseLock } = await openAtStranger(dialect, options);
    await run("publish", "--accept");
    expect(stranger.world.blogs.size).toBe(1);
    await loseState();
    await loseLock();
    for (const page of OTHER_PAGES) await write(page, htmlPage(`New ${page}`, "<h1>All new</h1>"));
    const { code, said } = await run(...argv);
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("`posts.blog.id`") });
    expect(await run("publish")).toMatchObject({ code: 1 });
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });

  it("in the next runs, until the options name the blog or request another one", async () => {
    const { stranger, run, loseState, loseLock, configure } = await openAtStranger(dialectB("B plain"), options);
    await run("publish");
    await loseState();
    await loseLock();
    for (let runs = 0; runs < 3; runs += 1) expect(await run("publish")).toMatchObject({ code: 1 });
    const [id] = stranger.world.blogs.keys();
    await configure({ posts: { blog: { id } } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    await configure(options);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });

  it("with `posts sync`", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(dialectB("B plain"), options);
    await run("publish");
    await loseState();
    await loseLock();
    for (let runs = 0; runs < 2; runs += 1) {
      expect((await run("posts", "sync")).said).toMatch(/2 blocked .*`posts\.blog\.id`/);
    }
    expect(await run("publish")).toMatchObject({ code: 1 });
    await loseState();
    expect((await run("posts", "sync")).said).toContain("2 blocked");
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2]);
  });

  it("after a run that ended while it created the blog", async () => {
    const stranger = await startStranger(dialectB("B plain"));
    onTestFinished(() => stranger.close());
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const { run, loseState } = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, options);
    proxy.meddle(({ method, path, answer, forward }) =>
      method === "POST" && path === "/api/blogs" ? forward().then(() => void answer.socket?.destroy()) : undefined,
    );
    expect(await run("publish")).toMatchObject({ code: 1 });
    proxy.meddle(() => undefined);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("`posts.blog.id`") });
      if (runs === 1) await loseState();
    }
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(stranger.world.blogs.size).toBe(1);
  });

  it("but a first one, beside the pages of another project", async () => {
    const { stranger, ...one } = await openAtStranger(dialectB("B plain"), options);
    await one.run("publish");
    const other = await openProject(
      { baseUrl: stranger.baseUrl, apiKey: API_KEY },
      { ...options, slugs: { prefix: "docs" } },
    );
    expect(await other.run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.posts.values()].map(({ length }) => length)).toEqual([2, 2]);
  });
});

const HOSTS = [
  dialectA("shows no HTML", { pages: { reads: "nothing" } }),
  dialectA("normalizes HTML", { pages: { keeps: "tidied" } }),
  dialectA("normalizes HTML and shows none", {
    pages: { keeps: "tidied", reads: "nothing" },
    lists: { fields: "few" },
  }),
] as const;

const inTurn = takeTurns(HOSTS, 2);

describe.each(HOSTS)("without `.imprint/`, a host that $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("gets the changed page, but no other page or file again", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect);
    expect(await run("publish")).toMatchObject({ code: 0 });
    const files = stranger.world.assets.size;
    await loseState();
    await write(LETTERPRESS, htmlPage("Letterpress", "<h1>Letterpress, by hand</h1>"));
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated · 2 unchanged") });
    expect(await (await fetch(stranger.publicUrl("services-letterpress"))).text()).toContain("Letterpress, by hand");
    expect(writesAt(stranger.world, before)).toEqual(["PUT /api/pages/services-letterpress"]);
    expect(stranger.world.assets.size).toBe(files);
  });

  it.runIf(isTurn())("gets nothing if nothing changed", async () => {
    const { stranger, run, loseState } = await openAtStranger(dialect);
    await run("publish");
    await loseState();
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesAt(stranger.world, before)).toEqual([]);
  });
});

describe("without the lock file and `.imprint/`, edited pages", () => {
  const EDITED = "<p>Closed on Mondays.</p></body>";
  const CHANGED = htmlPage("Letterpress", "<h1>Letterpress, once more</h1>");
  const banner = dialectA("adds a banner", { pages: { keeps: "with-banner" } });

  it("are kept if all were edited, and the run reports it", async () => {
    const { stranger, run, write, loseState, loseLock } = await openAtStranger(dialectA("plain"));
    await run("publish");
    for (const slug of stranger.world.pages.keys()) {
      stranger.byHand.editPage(slug, (html) => html.replace("</body>", `<p>Notes on ${slug}</p></body>`));
    }
    await loseState();
    await loseLock();
    await write(LETTERPRESS, CHANGED);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("edited") });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Notes on services-letterpress");
  });

  it("are kept at a host that adds a banner to each page, and the other pages are recognized as unchanged", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(banner);
    await run("publish");
    stranger.byHand.editPage("services-letterpress", (html) => html.replace("</body>", EDITED));
    await loseState();
    await loseLock();
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ said: expect.stringMatching(/pages .*2 unchanged/) });
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed on Mondays");
  });

  it("are kept at a host that adds a banner if the build changed them as well", async () => {
    const { stranger, run, write, loseState, loseLock } = await openAtStranger(banner);
    await run("publish");
    stranger.byHand.editPage("services-letterpress", (html) => html.replace("</body>", EDITED));
    await loseState();
    await loseLock();
    await write(LETTERPRESS, CHANGED);
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("services-letterpress") });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed on Mondays");
  });

  it.each([dialectA("plain"), banner])("are kept if all got the same edit: $name", async (dialect) => {
    const { stranger, run, write, loseState, loseLock } = await openAtStranger(dialect);
    await run("publish");
    for (const slug of stranger.world.pages.keys()) {
      stranger.byHand.editPage(slug, (html) => html.replace("</h1>", "</h1><p>Closed in August.</p>"));
    }
    await loseState();
    await loseLock();
    await write(LETTERPRESS, CHANGED);
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("edited") });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed in August.");
  });

  it("aren't detected if only the host added its banner", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(banner);
    await run("publish");
    await loseState();
    await loseLock();
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesAt(stranger.world, before)).toEqual([]);
  });
});

describe("at a host that transforms pages and lists them without times, an edit", () => {
  const CHANGED = htmlPage("Letterpress", "<h1>Letterpress, once more</h1>");
  const BANNER = dialectA("adds a banner", { pages: { keeps: "with-banner" } });
  const TIDIED = dialectA("normalizes HTML", { pages: { keeps: "tidied" } });

  it.each([BANNER, TIDIED])("is kept if the build changed the page too: $name", async (dialect) => {
    const { stranger, run, write } = await openAtStranger(dialect);
    await run("publish");
    stranger.byHand.editPage("services-letterpress", (html) => html.replace("</body>", "<p>Closed.</p></body>"));
    await write(LETTERPRESS, CHANGED);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("edited on the service") });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed.");
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed.");
  });

  it.each([BANNER, TIDIED])(
    "is kept without `.imprint/`, and unedited pages aren't blocked: $name",
    async (dialect) => {
      const { stranger, run, write, loseState } = await openAtStranger(dialect);
      await run("publish");
      await write(LETTERPRESS, CHANGED);
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
      stranger.byHand.editPage("services-letterpress", (html) => html.replace("</body>", "<p>Closed.</p></body>"));
      await loseState();
      await write(LETTERPRESS, htmlPage("Letterpress", "<h1>Letterpress, a third time</h1>"));
      expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("edited on the service") });
      expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Closed.");
    },
  );

  it("would be overwritten if the host also hides HTML, which the run reports", async () => {
    const { run } = await openAtStranger(
      dialectA("shows no HTML", { pages: { reads: "nothing", visitors: "signed-in" } }),
    );
    await run("publish");
    const { said } = await run("publish");
    expect(said).toContain("Until it does, the next change to a page overwrites edits made there");
  });
});

describe("strict route set A of our own service, without `pagesUrl`", () => {
  it("gets the changed page after `.imprint/` was lost, but no other page or file again", async () => {
    const { service, run, write, loseState } = await openAtService("a", { service: STRICT });
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    await loseState();
    await write(LETTERPRESS, htmlPage("Letterpress", "<h1>Letterpress, by hand</h1>"));
    const since = new Date();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated · 2 unchanged") });
    const address = `${service.pagesUrl}/p/services-letterpress`;
    expect(await (await fetch(address)).text()).toContain("Letterpress, by hand");
    expect(writesOf(service, since)).toEqual(["pages.put"]);
  });

  it("blocks the pages after the lock file and `.imprint/` were lost, exits with 1, and `imprint adopt` takes them over", async () => {
    const { run, loseState, loseLock } = await openAtService("a", { service: STRICT });
    await run("publish");
    await loseState();
    await loseLock();
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain("pages 3 blocked");
    expect(said).toContain("`imprint adopt`");
    expect(said).not.toContain("Published to");
    expect(await run("adopt", "--yes")).toMatchObject({ said: expect.stringContaining("pages 3 updated") });
    expect(await run("publish", "--accept")).toMatchObject(NOTHING_CHANGED);
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import type { World } from "../../strangers/host/world.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject, publishAndKill, writesAt } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const LATE = { library: { listedAfterMs: 2000 } };

const HOSTS = [dialectA("A lists files late", LATE), dialectB("B lists files late", LATE)];
const inTurn = takeTurns(HOSTS);

describe.each(HOSTS)("$name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("uploads nothing twice after a run was killed during uploads", async () => {
    const { stranger } = await openAtStranger(dialect);
    const { world } = stranger;
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY });
    await publishAndKill(project.root, { proxy, write: 6, moment: "after" });
    expect(world.assets.size).toBeGreaterThan(0);
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    expect(findTwice(world)).toEqual([]);
  });

  it.runIf(isTurn())("uploads nothing again in an immediate second publish", async () => {
    const { stranger, ...project } = await openAtStranger(dialect);
    await project.run("publish");
    expect(await project.run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed at"),
    });
    expect(findTwice(stranger.world)).toEqual([]);
  });
});

function findTwice({ assets }: World): readonly string[] {
  const hashes = [...assets.values()].map(({ sha256, name }) => `${name} ${sha256}`);
  return hashes.filter((hash, index) => hashes.indexOf(hash) !== index);
}

describe.each([dialectA, dialectB])("lists truncated to 20 records", (dialect) => {
  it("are completed by requests for single slugs and addresses: nothing is sent twice, and no other project's page is replaced", async () => {
    const host = dialect("cut", { lists: { paging: "cut", shape: "bare" }, foreign: 19 });
    const { stranger, run, write } = await openAtStranger(host, { posts: false });
    const { pages, assets, log } = stranger.world;
    expect(await run("publish")).toMatchObject({ code: 0 });
    const files = assets.size;
    const before = log.length;
    expect(await run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed"),
    });
    expect(log.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);

    stranger.byHand.createPage("prices", "Their prices");
    await write("dist/prices/index.html", htmlPage("Prices", "<h1>Prices</h1>"));
    await write("dist/about/index.html", htmlPage("About", "<h1>About</h1><p>Changed."));
    expect(await run("publish")).toMatchObject({
      code: 1,
      said: expect.stringContaining("did not publish"),
    });
    expect(pages.get("prices")?.title).toBe("Their prices");
    expect(pages.get("about")?.html).toContain("Changed.");
    expect(assets.size).toBe(files);
  });
});

describe.each([dialectA, dialectB])("lists that show records a minute late", (dialectOf) => {
  it("are completed by records of earlier runs: nothing is sent twice", async () => {
    const dialect = dialectOf("lag", {
      lists: { recordsAfterMs: 60_000 },
      library: { listedAfterMs: 60_000 },
    });
    const { stranger, run, write } = await openAtStranger(dialect, {
      posts: { blog: dialect.routeSet === "b" ? { create: true } : {} },
    });
    const { world } = stranger;
    const counts = () => [world.pages, world.assets, world.sites, world.brandKits, world.blogs].map(({ size }) => size);
    await run("publish");
    const [before, requests] = [counts(), world.log.length];
    expect(await run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed at"),
    });
    expect(writesAt(world, requests)).toEqual([]);
    await write("dist/about/index.html", htmlPage("About", "<h1>Changed</h1>"));
    expect(await run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("1 updated"),
    });
    expect(counts()).toEqual(before);
    expect([...world.posts.values()].flat()).toHaveLength(2);
  });
});

describe.each([dialectA, dialectB])("lists that show nothing for a minute, with both memories lost", (dialectOf) => {
  const dialect = dialectOf("lag", {
    lists: { recordsAfterMs: 60_000 },
    library: { listedAfterMs: 60_000 },
  });
  const options = { posts: { blog: dialect.routeSet === "b" ? { create: true } : {} } };
  const blocked = { code: 1, said: expect.stringContaining("Run again in a few minutes") };

  it("cause no second site, brand kit, blog, page, or file", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(dialect, options);
    const { world } = stranger;
    const counts = () => [world.pages, world.sites, world.brandKits, world.blogs].map(({ size }) => size);
    await run("publish");
    const [before, files] = [counts(), world.assets.size];
    const requests = world.log.length;
    await loseState();
    await loseLock();
    for (const _ of ["both lost", "both kept"]) expect(await run("publish")).toMatchObject(blocked);
    expect(counts()).toEqual(before);
    expect(writesAt(world, requests).filter((write) => write.includes("/api/pages"))).toEqual([]);
    expect(world.assets.size).toBe(files);
  });

  it("don't hide the pages of another project, which stay", async () => {
    const { stranger, run } = await openAtStranger(dialect, options);
    const other = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts: false });
    await other.write("dist/index.html", htmlPage("Other", "<h1>Other</h1>"));
    await other.run("publish");
    const requests = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({
      code: 1,
      said: expect.stringContaining("SLUG_HELD"),
    });
    expect(writesAt(stranger.world, requests)).toEqual([]);
  });
});

it.each(["before", "after"] as const)(
  "a blog that lists show late is not created again after a run that was killed %s its first post",
  async (moment) => {
    const { stranger } = await openAtStranger(dialectA("late", { lists: { recordsAfterMs: 60_000 } }));
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: {} });
    await project.write("imprint.config.mjs", "export default { brandKit: false, posts: {} };");
    await publishAndKill(project.root, { proxy, write: /\/posts$/, moment });
    expect(stranger.world.blogs.size).toBe(1);
    // A publish waits until a post that may have arrived is sure to be listed.
    expect(await project.run("plan")).toMatchObject({ said: expect.stringContaining("blogs 1 unchanged") });
  },
);

it.each([dialectA, dialectB])("a site and a brand kit that lists show late aren't created again", async (dialect) => {
  const { stranger, run } = await openAtStranger(dialect("late", { lists: { recordsAfterMs: 2000 } }));
  await run("publish");
  await run("publish");
  expect(stranger.world.sites.size).toBe(1);
  expect(stranger.world.brandKits.size).toBe(1);
});

it.each([dialectA, dialectB])(
  "a title that a list shows late doesn't count as an edit, until someone sets another one",
  async (dialectOf) => {
    const dialect = dialectOf("lag", {
      pages: { putBody: "multipart" },
      lists: { recordsAfterMs: 60_000 },
    });
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
    const { pages } = stranger.world;
    const age = () => {
      const at = new Date(Date.now() - 120_000).toISOString();
      for (const [slug, page] of pages) pages.set(slug, { ...page, createdAt: at, updatedAt: at });
    };
    await run("publish");
    age();
    await run("publish");
    await write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    expect(await run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("1 updated"),
    });
    const nothing = { code: 0, said: expect.stringContaining("Nothing changed at") };
    for (let runs = 0; runs < 2; runs += 1) expect(await run("publish")).toMatchObject(nothing);
    age();
    expect(await run("publish")).toMatchObject(nothing);
    for (const title of ["By hand", "About"]) {
      stranger.byHand.retitlePage("about", () => title);
      age();
      expect(await run("publish")).toMatchObject({
        code: 1,
        said: expect.stringContaining(`changed to "${title}"`),
      });
    }
  },
);

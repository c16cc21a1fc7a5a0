import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { connect } from "../../../src/client.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openAtService, openBehindProxy, send } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false, maxDeleteShare: 1 };
const B = { putBody: "multipart" } as const;

it.each([
  dialectA("A"),
  dialectA("A that lists times", { lists: { fields: "times-too" } }),
  dialectB("B", { pages: B }),
])("a page that $name acknowledges to have deleted and still shows fails each run with --prune", async (dialect) => {
  const { stranger, proxy, run, remove, loseState } = await openBehindProxy(dialect, OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  await remove("dist/about");
  let isLost = true;
  proxy.meddle(({ method, answer }) => {
    if (method !== "DELETE" || !isLost) return undefined;
    answer.writeHead(204).end();
    return Promise.resolve();
  });
  const said = expect.stringContaining("that it deleted the page about, but still shows it");
  expect(await run("publish", "--prune")).toMatchObject({ code: 1, said });
  expect(await run("publish", "--prune")).toMatchObject({ code: 1, said });
  expect((await run("publish")).said).toContain("the site no longer has it");
  await loseState();
  isLost = false;
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
  expect([...stranger.world.pages.keys()]).not.toContain("about");
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

it("a preview's page that a host acknowledges to have deleted and still shows is named as kept", async () => {
  const { stranger, proxy, run } = await openBehindProxy(dialectA("A", { pages: { tells: "public-url" } }), OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(await run("publish", "--preview", "draft")).toMatchObject({ code: 0 });
  let isLost = true;
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "DELETE" || !path.includes("about") || !isLost) return undefined;
    answer.writeHead(204).end();
    return Promise.resolve();
  });
  const { code, said } = await run("preview", "remove", "draft", "--yes");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("but still shows it") });
  isLost = false;
  expect(await run("preview", "remove", "draft", "--yes")).toMatchObject({ code: 0 });
  expect([...stranger.world.pages.keys()].filter((slug) => slug.includes("draft"))).toEqual([]);
});

it.each([dialectA("A"), dialectB("B", { pages: B })])(
  "a deleted page that a backup of $name brings back is deleted again, also without .imprint/",
  async (dialect) => {
    const { stranger, run, remove, loseState } = await openBehindProxy(dialect, OPTIONS);
    const { pages } = stranger.world;
    expect(await run("publish")).toMatchObject({ code: 0 });
    const about = pages.get("about");
    await remove("dist/about");
    for (const isForgetful of [false, true]) {
      expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
      if (about !== undefined) pages.set("about", about);
      if (isForgetful) await loseState();
      expect((await run("publish")).said).toContain("the site no longer has it");
    }
    expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
    expect([...pages.keys()]).not.toContain("about");
  },
);

it.each([false, true])(
  "a page that a host's DELETE unpublishes is sent again, without .imprint/: %s",
  async (isForgetful) => {
    const dialect = dialectA("A", { pages: { deletes: "unpublishes" } });
    const { stranger, run, write, remove, loseState } = await openBehindProxy(dialect, OPTIONS);
    const about = htmlPage("About", "<h1>About</h1>");
    await write("dist/about/index.html", about);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await remove("dist/about");
    expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
    expect(await run("publish", "--prune")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed"),
    });
    if (isForgetful) await loseState();
    await write("dist/about/index.html", about);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect((await fetch(stranger.publicUrl("about"))).status).toBe(200);
  },
);

it("a deleted page that comes back at our own service is deleted again", async () => {
  const { service, run, remove } = await openAtService("a", OPTIONS);
  const at = addressOf(service, "a");
  await run("publish");
  const { pages } = await connect(at);
  const html = await pages.readHtml("about");
  await remove("dist/about");
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
  await send(at, ["PUT", "/api/pages/about"], JSON.stringify({ title: "About", html }));
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("1 deleted") });
});

it.each([dialectA("A"), dialectB("B", { pages: B })])(
  "a build without a home page leaves the published one, even with --prune, at $name",
  async (dialect) => {
    const { stranger, run, remove, write } = await openBehindProxy(dialect, OPTIONS);
    await write("dist/index.html", htmlPage("Home", "<p>Home.</p>"));
    await write("dist/other/index.html", htmlPage("Other", "<p>Other.</p>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    await Promise.all(["dist/index.html", "dist/other"].map((path) => remove(path)));
    const said = expect.stringContaining("the build has no home page, so the published one is kept");
    expect(await run("publish", "--prune")).toMatchObject({ code: 0, said });
    expect([...stranger.world.pages.keys()]).toEqual(expect.arrayContaining(["index"]));
    expect([...stranger.world.pages.keys()]).not.toContain("other");
  },
);

it.each([dialectA("A", { pages: { deletes: "unseen" } }), dialectB("B", { pages: { ...B, deletes: "unseen" } })])(
  "--verify finds a deleted page that readers of $name still get, until they don't",
  async (dialect) => {
    const { stranger, run, remove } = await openBehindProxy(dialect, OPTIONS);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await remove("dist/about");
    const said = expect.stringMatching(/page about \S+: deleted, but readers still see it/);
    expect(await run("publish", "--prune", "--verify")).toMatchObject({ code: 1, said });
    expect(await run("publish", "--verify")).toMatchObject({ code: 1, said });
    stranger.world.copies.clear();
    expect((await run("publish", "--verify")).said).not.toContain("readers still see it");
  },
);

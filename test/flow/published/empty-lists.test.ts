import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } } };

describe.each([
  dialectA("A, null under `data`", { nothing: "null" }),
  dialectA("A, null instead of a list", { nothing: "null", lists: { shape: "bare" } }),
  dialectA("A, null with a total", { nothing: "null", lists: { shape: "items", fields: "few" } }),
  dialectA("A, 204", { nothing: "204" }),
  dialectB("B, null under the list's name", { nothing: "null", lists: { shape: "named" } }),
  dialectB("B, 204", { nothing: "204" }),
])("a host without anything: $name", (dialect) => {
  it("gets the site once, with or without memory", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, POSTS);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    const before = stranger.world.log.length;
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
    await write("dist/new/index.html", htmlPage("New", "<h1>New</h1>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.has("new")).toBe(true);
  });
});

it("somebody else's page stays at a host that responds with null where there is nothing", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A", { nothing: "null" }), POSTS);
  stranger.byHand.createPage("index", "By hand");
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(stranger.world.pages.get("index")?.title).toBe("By hand");
});

it("publishes to a host that reports too high a number of records once its user says that lists are complete", async () => {
  const options = { brandKit: false, posts: {} };
  const dialect = dialectA("A", { lists: { shape: "items" }, pages: { tells: "public-url" } });
  const { run, configure, proxy, stranger } = await openBehindProxy(dialect, options);
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "GET" || !/^\/api\/(?:pages|sites|library|blogs|blogs\/[^/]+\/posts)(?:\?|$)/.test(path))
      return undefined;
    return forward().then(({ status, bytes }) => {
      const list = JSON.parse(bytes.toString()) as { items: readonly unknown[] };
      answer.writeHead(status, { "content-type": "application/json" });
      answer.end(JSON.stringify({ ...list, total: list.items.length + 7 }));
    });
  });
  const hint = 'set `dialect: { lists: "complete" }`';
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(hint) });
  await configure({ ...options, dialect: { lists: "complete" } });
  for (let runs = 0; runs < 2; runs++) expect(await run("publish")).toMatchObject({ code: 0 });
  expect([...stranger.world.posts.values()].flat()).toHaveLength(2);
});

import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const NEWEST = 2;

it.each([
  dialectA("A", { posts: { tells: "url" }, lists: { shape: "bare" } }),
  dialectB("B", { posts: { tells: "url" }, lists: { shape: "bare" }, pages: { putBody: "multipart" } }),
])("posts that $name shows at their addresses are live, though its list has only the newest", async (dialect) => {
  const { stranger, proxy, run, write } = await openBehindProxy(dialect, POSTS);
  for (const day of [1, 2, 3]) {
    const head = `---\ntitle: Day ${day}\npubDate: 2026-03-0${day}\n---\n\n`;
    await write(`src/content/blog/day-${day}.md`, `${head}We printed sheet ${day} on that day.\n`);
  }
  expect(await run("publish")).toMatchObject({ code: 0 });
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "GET" || !/\/posts(?:\?|$)/.test(path)) return undefined;
    return forward().then(({ status, bytes }) => {
      const all: unknown = JSON.parse(bytes.toString());
      const newest = Buffer.from(JSON.stringify(Array.isArray(all) ? all.slice(-NEWEST) : all));
      passOn(answer, { status, headers: { "content-type": "application/json" }, bytes: newest });
    });
  });
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  const [posts] = stranger.world.posts.values();
  const first = posts?.[0];
  if (first !== undefined) first.isDraft = true;
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect(writesAt(stranger.world, before)).toEqual([]);
});

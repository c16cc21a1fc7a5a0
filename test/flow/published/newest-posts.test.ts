import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { openBehindProxy, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const NEWEST = 2;
const HOSTS = [
  dialectA("A", { posts: { tells: "url" }, lists: { shape: "bare" } }),
  dialectB("B", { posts: { tells: "url" }, lists: { shape: "bare" }, pages: { putBody: "multipart" } }),
] as const;

/** A project with three posts, at a host whose list shows only the newest two from then on. */
async function openWithNewest(dialect: Dialect) {
  const project = await openBehindProxy(dialect, POSTS);
  const { stranger, proxy, run, write } = project;
  const writePost = (day: number) => {
    const head = `---\ntitle: Day ${day}\npubDate: 2026-03-0${day}\n---\n\n`;
    return write(`src/content/blog/day-${day}.md`, `${head}We printed sheet ${day} on that day.\n`);
  };
  for (const day of [1, 2, 3]) await writePost(day);
  expect(await run("publish")).toMatchObject({ code: 0 });
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "GET" || !/\/posts(?:\?|$)/.test(path)) return undefined;
    return forward().then(({ status, bytes }) => {
      const all: unknown = JSON.parse(bytes.toString());
      const newest = Buffer.from(JSON.stringify(Array.isArray(all) ? all.slice(-NEWEST) : all));
      passOn(answer, { status, headers: { "content-type": "application/json" }, bytes: newest });
    });
  });
  const posts = () => [...stranger.world.posts.values()].flat();
  return {
    ...project,
    writePost,
    posts,
    days: () => posts().flatMap(({ slug }) => (slug.startsWith("day-") ? [slug] : [])),
  };
}

it.each(HOSTS)(
  "posts that $name shows at their addresses are live, though its list has only the newest",
  async (dialect) => {
    const { stranger, run, posts } = await openWithNewest(dialect);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    const [first] = posts();
    if (first !== undefined) first.isDraft = true;
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(writesAt(stranger.world, before)).toEqual([]);
  },
);

it.each(HOSTS)(
  "new posts are sent to $name, once, if nothing is at the address that each would have",
  async (dialect) => {
    const { run, writePost, days } = await openWithNewest(dialect);
    for (const day of [4, 5]) await writePost(day);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("posts 2 published · 5 unchanged") });
    expect(days()).toEqual(["day-1", "day-2", "day-3", "day-4", "day-5"]);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    expect(days()).toHaveLength(5);
  },
);

it("a post that may be an unlisted one is sent only if its author says that it is new", async () => {
  const { run, writePost, days, remove } = await openWithNewest(dialectA("A", HOSTS[0]));
  await remove("src/content/blog/day-1.md");
  await writePost(4);
  const { code, said } = await run("publish");
  const reason = "the service's list lacks day-1 and 2 more, which readers see, so it may lack others";
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(reason) });
  expect(said).toContain("imprint posts new-post day-4");
  expect(said).not.toContain("posts restore");
  expect(await run("posts", "restore", "day-1", "--force")).toMatchObject({ code: 2 });
  expect(await run("posts", "new-post", "day-4")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ said: expect.stringContaining("1 published") });
  expect(days()).toEqual(["day-1", "day-2", "day-3", "day-4"]);
});

it("waits once for a list that is cut, and not in later runs", async () => {
  const dialect = dialectA("A", { posts: { tells: "url" }, lists: { shape: "bare" } });
  const { run, write, proxy } = await openBehindProxy(dialect, POSTS);
  const writePost = (number: number) =>
    write(
      `src/content/blog/sheet-${number}.md`,
      `---\ntitle: Sheet ${number}\npubDate: 2026-03-05\n---\n\nSheet ${number} is printed.\n`,
    );
  let reads = 0;
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "GET" || !/\/posts(?:\?|$)/.test(path)) return undefined;
    if (!/[?&](?:page|offset|skip)=/.test(path)) reads += 1;
    return forward().then(({ status, bytes }) => {
      const first = Buffer.from(JSON.stringify((JSON.parse(bytes.toString()) as unknown[]).slice(0, 10)));
      passOn(answer, { status, headers: { "content-type": "application/json" }, bytes: first });
    });
  });
  for (let number = 1; number <= 9; number++) await writePost(number);
  expect(await run("publish")).toMatchObject({ code: 0 });
  for (const number of [10, 11]) {
    reads = 0;
    await writePost(number);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("posts 1 published") });
    expect(reads).toBeLessThan(8);
  }
});

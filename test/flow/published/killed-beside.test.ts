import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import type { World } from "../../strangers/host/world.ts";
import { openAtStranger, openProject, publishAndKill } from "./project.ts";

const HIDDEN = { keeps: "tidied", reads: "nothing", visitors: "signed-in" } as const;

const HOSTS = [
  dialectB("B plain"),
  dialectA("A plain"),
  dialectA("A shows no HTML", { pages: HIDDEN }),
  dialectB("B tidies HTML, and lists little", { pages: { keeps: "tidied" }, lists: { fields: "few" } }),
];
const MEMORIES = ["all kept", ".imprint lost", "both lost"] as const;
// A site doesn't show its owner, and files show it only to those who know the project.
const HIDDEN_WITHOUT = { "all kept": /^$/, ".imprint lost": /^site/, "both lost": /^(?:site|file)/ } as const;
// The site, files, pages, the blog, posts, and the brand kit, in this order.
const WRITES = [2, 7, 8, 10, 11, 13];

const POST_ON_ITS_WAY =
  /posts 1 published · 1 blocked ! \w+: an interrupted run may have published it, and the service's list may lag behind Run again after /;

const CASES = HOSTS.flatMap((dialect) =>
  MEMORIES.flatMap((memory) =>
    WRITES.flatMap((write) => (["before", "after"] as const).map((moment) => ({ dialect, memory, write, moment }))),
  ),
);

describe("a second project with the same posts, killed during a publish", () => {
  it.each(CASES)("$dialect.name: $moment write $write, $memory", async ({ dialect, memory, write, moment }) => {
    const { stranger, ...first } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const second = await openProject(
      { baseUrl: proxy.url, apiKey: API_KEY },
      { posts: { blog: { create: true, slug: "docs-news", name: "Docs news" } }, slugs: { prefix: "docs" } },
    );
    await first.run("publish", "--accept");
    const { world } = stranger;
    const before = noteAll(world);
    await publishAndKill(second.root, { proxy, write, moment });
    if (memory !== "all kept") await second.loseState();
    if (memory === "both lost") await second.loseLock();
    const { code, said } = await second.run("publish", "--accept");
    const again = await second.run("publish", "--accept");

    const after = noteAll(world);
    expect(after.map((area) => new Map([...area].filter(([id]) => before.some((own) => own.has(id)))))).toEqual(before);
    const twice = findTwice(world, before);
    expect(twice.filter((name) => !HIDDEN_WITHOUT[memory].test(name))).toEqual([]);
    if (code === 1) expect(said).toMatch(/blocked/);
    else expect(again).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
    // A post that was in flight when the run was killed may still arrive: only that post waits until a list would show it.
    const isOnWay = moment === "before" && POST_ON_ITS_WAY.test(said);
    if (memory === "all kept" && !isOnWay) expect({ code, said }).toMatchObject({ code: 0 });
  });
});

type Noted = readonly ReadonlyMap<string, unknown>[];

/** All records of a host by id. */
function noteAll({ pages, sites, brandKits, blogs, posts, assets }: World): Noted {
  const all = [...posts.values()].flat().map((post) => [post.id, post] as const);
  return structuredClone([pages, sites, brandKits, blogs, assets, new Map(all)]);
}

/** Sites, blogs, and files of the second project that exist twice, and its duplicate posts by title. */
function findTwice({ sites, blogs, posts, assets }: World, before: Noted): readonly string[] {
  const isNew = ({ id }: { readonly id: string }) => before.every((own) => !own.has(id));
  const made = [
    ...[...sites.values()].filter(isNew).map(() => "site"),
    ...[...blogs.values()].filter(isNew).map(() => "blog"),
    ...[...posts.values()]
      .flat()
      .filter(isNew)
      .map(({ title }) => `post ${title}`),
    ...[...assets.values()].filter(isNew).map(({ sha256 }) => `file ${sha256}`),
  ];
  return made.filter((name, index) => made.indexOf(name) !== index);
}

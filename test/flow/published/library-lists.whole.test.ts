import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger, writesAt } from "./project.ts";

const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };

it.each([
  dialectA("A that lists files without addresses", { library: { lists: "names" } }),
  dialectB("B that lists files without addresses, and renames them", { library: { lists: "names", names: "random" } }),
  dialectA("A with addresses in `urls`", { library: { addressField: "urls.original" } }),
  dialectB("B with addresses in `urls`, which renames files", {
    library: { addressField: "urls.original", names: "random" },
    lists: { fields: "few" },
  }),
])("uploads each file once to $name, and recognizes it in later runs", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false });
  const { world, byHand } = stranger;
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { said } = await run("assets", "list");
  expect(said).toContain(`${world.assets.size} files`);
  for (const { id } of world.assets.values()) expect(said).toContain(id);
  const status = await run("status", "--all", "--json");
  const { counts, projects } = JSON.parse(status.said);
  expect(counts).toMatchObject({ assets: world.assets.size });
  expect(projects.reduce((sum: number, { files }: { files: number }) => sum + files, 0)).toBe(world.assets.size);
  const hashes = [...world.assets.values()].map(({ sha256 }) => sha256);
  expect(hashes.toSorted()).toEqual([...new Set(hashes)].toSorted());
  const before = world.log.length;
  expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  await loseState();
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(world, before)).toEqual([]);
  const photo = [...world.assets.values()].find(({ path }) => stranger.world.pages.get("index")?.html.includes(path));
  byHand.deleteAsset(photo?.id ?? "");
  await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect([...world.assets.values()].map(({ sha256 }) => sha256).toSorted()).toEqual(hashes.toSorted());
});

it("deletes a file that the site no longer has from a library that lists files without addresses", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A", { library: { lists: "names" } }), {
    posts: false,
  });
  const names = () => [...stranger.world.assets.values()].map(({ name }) => name);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(names()).toContainEqual(expect.stringMatching(/^photo\./));
  await write("dist/index.html", htmlPage("Halden Press", "<h1>Halden Press</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  const before = names().length;
  expect(await run("assets", "prune", "--yes", "--force")).toMatchObject({ code: 0 });
  expect(names()).not.toContainEqual(expect.stringMatching(/^photo\./));
  expect(names().length).toBeLessThan(before);
  expect(await deadAddresses(["index", "about"].map((slug) => stranger.publicUrl(slug)))).toEqual([]);
});

it.each([
  dialectA("A that never names the address of a file", { library: { addressField: "none" } }),
  dialectB("B that never names the address of a file", { library: { addressField: "none", names: "random" } }),
])("inlines small files of $name, and uploads none again", async (dialect) => {
  const { stranger, run, loseState } = await openAtStranger(dialect, { posts: false });
  const { world } = stranger;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("put into pages") });
  expect(await deadAddresses(["index", "about"].map((slug) => stranger.publicUrl(slug)))).toEqual([]);
  const hashes = [...world.assets.values()].map(({ sha256 }) => sha256);
  expect(hashes.toSorted()).toEqual([...new Set(hashes)].toSorted());
  const before = world.log.length;
  expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  await loseState();
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(world, before)).toEqual([]);
});

it.each([
  ["as-sent", { code: 0, said: expect.stringContaining("1 file") }],
  ["all", { code: 1, said: expect.stringContaining("doesn't show the cover image of the post ink") }],
] as const)("deletes a file only if lists of posts (%s) show which files posts use", async (lists, expected) => {
  const dialect = dialectA("A", { posts: { lists } });
  const { stranger, run, write, remove } = await openAtStranger(dialect, { posts: {} });
  const names = () => [...stranger.world.assets.values()].map(({ name }) => name);
  await write("src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is a paint.\n");
  const cover = "---\ntitle: On paper\npubDate: 2026-01-05\ncover: ./images/ink.png\n---\n\nPaper is a felt.\n";
  await write("src/content/blog/paper.md", cover);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(names()).toContainEqual(expect.stringMatching(/^ink\./));
  await remove("src/content/blog/paper.md");
  await write("dist/index.html", htmlPage("Halden Press", "<h1>Halden Press</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  const before = names().length;
  expect(await run("assets", "prune", "--yes", "--force")).toMatchObject(expected);
  expect(names()).toHaveLength(expected.code === 0 ? before - 1 : before);
  // The service still has the post, and its list shows the cover.
  expect(names()).toContainEqual(expect.stringMatching(/^ink\./));
});

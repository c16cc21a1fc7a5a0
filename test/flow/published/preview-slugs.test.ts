import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const FOLDS = { folds: "double hyphens" } as const;
const SINGLE_ONLY = {
  slugs: { pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, maxLength: 96, words: "slug: a-z, 0-9 and single hyphens between" },
};
const UNDERSCORES = {
  slugs: { pattern: /^[a-z0-9_]+$/, maxLength: 80, words: "slug may contain only a-z, 0-9 and underscores" },
};
// Each kind once; with `IMPRINT_HOSTS=all` on both route sets.
const HOSTS = [
  dialectA("A makes one hyphen of two, and hides HTML", { pages: { ...FOLDS, keeps: "tidied", reads: "nothing" } }),
  dialectB("B makes one hyphen of two, numbers taken slugs", { pages: { ...FOLDS, taken: "suffix" } }),
  dialectA("A refuses two hyphens in a row", { pages: SINGLE_ONLY }),
  dialectB("B takes only underscores", { pages: UNDERSCORES }),
  ...(process.env["IMPRINT_HOSTS"] === "all"
    ? [
        dialectA("A makes one hyphen of two", { pages: FOLDS }),
        dialectB("B makes one hyphen of two", { pages: FOLDS }),
        dialectB("B refuses two hyphens in a row", { pages: SINGLE_ONLY }),
        dialectA("A takes only underscores", { pages: UNDERSCORES }),
      ]
    : []),
];
const OPTIONS = { posts: false, slugs: { "/services/letterpress/": "letterpress" } };

describe.each(HOSTS)("a preview at a host with other slug rules: $name", (dialect) => {
  const open = () => openAtStranger(dialect, OPTIONS);

  it("is published once, listed, and removed without anything else", async () => {
    const { stranger, run } = await open();
    expect(await run("publish")).toMatchObject({ code: 0 });
    const live = [...stranger.world.pages.keys()].toSorted();
    expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.size).toBe(live.length + 3);
    const before = stranger.world.log.length;
    expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(await run("publish", "--preview", "pr")).toMatchObject({ code: 0 });
    const { said } = await run("preview", "list");
    expect(said).toMatch(/ pr-12 3 pages/);
    expect(said).toMatch(/ pr 3 pages/);
    expect(said).not.toContain("!");
    const removed = await run("preview", "remove", "pr", "--yes");
    expect(removed).toMatchObject({ code: 0, said: expect.stringContaining("Deleted 3 pages") });
    expect(await run("preview", "remove", "pr-12", "--yes")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Deleted 3 pages"),
    });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(live);
  });

  it("links to its own pages", async () => {
    const { stranger, run } = await open();
    await run("publish");
    const live = new Set(stranger.world.pages.keys());
    await run("publish", "--preview", "pr-12");
    const pages = [...stranger.world.pages.values()].filter(({ slug }) => !live.has(slug));
    const links = pages.flatMap(({ html }) => [...html.matchAll(/href="\/p\/([^"#]*)/g)].map(([, slug = ""]) => slug));
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((slug) => live.has(slug) || !stranger.world.pages.has(slug))).toEqual([]);
  });
});

describe.each(HOSTS.filter(({ pages }) => pages.reads === "html"))("without memory: $name", (dialect) => {
  it("a preview is published without duplicates, and removed", async () => {
    const { stranger, run, loseState } = await openAtStranger(dialect, OPTIONS);
    await run("publish");
    const live = [...stranger.world.pages.keys()].toSorted();
    await run("publish", "--preview", "pr-12");
    await loseState();
    const before = stranger.world.log.length;
    expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
    await loseState();
    expect(await run("preview", "remove", "pr-12", "--yes")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(live);
  });
});

describe("pages of an earlier version's preview at a host that collapses hyphens", () => {
  it("are reported by `preview list` and `preview remove`, with exit code 1, and stay", async () => {
    const { stranger, run } = await openAtStranger(dialectA("makes one hyphen of two", { pages: FOLDS }), OPTIONS);
    await run("publish");
    const { id } = stranger.byHand.createPage("preview-pr-12-about", "About");
    stranger.byHand.editPage("preview-pr-12-about", () => stranger.world.pages.get("about")?.html ?? "");
    const listed = await run("preview", "list");
    expect(listed.said).toContain("preview-pr-12-about");
    const { code, said } = await run("preview", "remove", "pr-12", "--yes");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("! preview-pr-12-about: ") });
    expect(said).toContain("Delete them in the service's dashboard");
    expect(stranger.world.pages.has("preview-pr-12-about")).toBe(true);
    expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("preview-pr-12-about")).toMatchObject({ id });
  });

  it("don't count as pages of the live site", async () => {
    const { run } = await openAtStranger(dialectA("makes one hyphen of two", { pages: FOLDS }), {
      posts: false,
      slugs: { "/about/": "preview-pr-12-about" },
    });
    await run("publish");
    expect(await run("preview", "remove", "pr-12", "--yes")).toMatchObject({ code: 0 });
    expect((await run("preview", "list")).said).not.toContain("preview-pr-12-about");
  });
});

it("removes pages whose slugs are too long for the preview's name, as long as this machine has its state", async () => {
  const short = { pattern: /^[a-z0-9-]+$/, maxLength: 20, words: "slug is too long (maximum is 20 characters)" };
  const { stranger, run, write, remove } = await openAtStranger(
    dialectB("B, short slugs", { pages: { slugs: short } }),
    OPTIONS,
  );
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  const live = [...stranger.world.pages.keys()].toSorted();
  await write("dist/contact/index.html", htmlPage("Contact", "<h1>Contact</h1>"));
  // The first refusal reveals the maximum length.
  await run("publish", "--preview", "pr-12");
  expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.size).toBe(live.length + 4);
  await remove("dist/contact");
  expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.size).toBe(live.length + 3);
  const removed = await run("preview", "remove", "pr-12", "--yes");
  expect(removed).toMatchObject({ code: 0, said: expect.stringContaining("Deleted 3 pages") });
  expect([...stranger.world.pages.keys()].toSorted()).toEqual(live);
});

const LONG_BRANCH = "feature/checkout-redesign";
const ONLY_40 = { pattern: /^[a-z0-9-]+$/, maxLength: 40, words: "slug is too long (maximum is 40 characters)" };

describe.each([
  dialectA("A, slugs of 40 characters", { pages: { slugs: ONLY_40 } }),
  dialectB("B, slugs of 40 characters", { pages: { slugs: ONLY_40 } }),
])("a preview of a branch with a long name, without memory: $name", (dialect) => {
  const open = async () => {
    const project = await openAtStranger(dialect, { posts: false });
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    return { ...project, live: [...project.stranger.world.pages.keys()].toSorted() };
  };

  it("is published again by each CI job, and removed by the last", async () => {
    const { stranger, live, run, loseState, write } = await open();
    const inJob = async (...words: string[]) => {
      const done = await run(...words);
      await loseState();
      return done;
    };
    await loseState();
    expect(await inJob("publish", "--preview", LONG_BRANCH)).toMatchObject({ code: 0 });
    const before = stranger.world.log.length;
    expect(await inJob("publish", "--preview", LONG_BRANCH)).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
    await write("dist/about/index.html", htmlPage("About", "<h1>About, again</h1>"));
    expect(await inJob("publish", "--preview", LONG_BRANCH)).toMatchObject({ code: 0 });
    expect(stranger.world.pages.size).toBe(live.length + 3);
    const { said } = await run("preview", "list");
    expect(said).toMatch(/ feature-checkout-redesign 3 pages/);
    expect(said).not.toContain("!");
    const removed = await run("preview", "remove", LONG_BRANCH, "--yes");
    expect(removed).toMatchObject({ code: 0, said: expect.stringContaining("Deleted 3 pages") });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(live);
  });

  it("doesn't share pages with the preview of a branch whose name begins the same", async () => {
    const { stranger, live, run, loseState } = await open();
    await run("publish", "--preview", LONG_BRANCH);
    await loseState();
    expect(await run("publish", "--preview", `${LONG_BRANCH}-2`)).toMatchObject({ code: 0 });
    expect(stranger.world.pages.size).toBe(live.length + 6);
    await loseState();
    expect(await run("preview", "remove", LONG_BRANCH, "--yes")).toMatchObject({
      said: expect.stringContaining("Deleted 3 pages"),
    });
    expect(stranger.world.pages.size).toBe(live.length + 3);
  });

  it("reports pages that the live site doesn't have, with exit code 1, when it is removed", async () => {
    const { stranger, live, run, loseState, write } = await open();
    await write("dist/contact/index.html", htmlPage("Contact", "<h1>Contact</h1>"));
    await write("dist/contact/directions/index.html", htmlPage("Directions", "<h1>Directions</h1>"));
    await run("publish", "--preview", LONG_BRANCH);
    await loseState();
    const { code, said } = await run("preview", "remove", LONG_BRANCH, "--yes");
    const left = [...stranger.world.pages.keys()].filter((slug) => !live.includes(slug));
    expect(left.length).toBeGreaterThan(0);
    for (const slug of left) expect(said).toContain(`! ${slug}: `);
    expect(code).toBe(1);
  });
});

import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";
import { expectReportedUntilAccepted } from "./reported-posts.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const B = { putBody: "multipart" } as const;
const DAY = "pubDate: 2026-03-05";
const WORDS = "The old press prints again from Monday on, and everyone who wants to see it may come by at noon.";
const POLISH = `---\ntitle: Ptaki\n${DAY}\n---\n\nZażółć gęślą jaźń, i ptaki nad morzem latają daleko.\n`;
const CUT = `---\ntitle: Open day\n${DAY}\n---\n\nThe doors open at nine.\n\nWe celebrate \u{1F389} with you.\n\n${WORDS}\n`;

it.each([
  [dialectA("A in latin-1", { pages: { keeps: "latin-1" }, posts: { tells: "url" } }), POLISH, 'became "?"'],
  [dialectB("B in latin-1", { pages: { ...B, keeps: "latin-1" }, posts: { tells: "url" } }), POLISH, 'became "?"'],
  [dialectA("A in latin-1, in lists only", { pages: { keeps: "latin-1" } }), POLISH, 'became "?"'],
  [dialectA("A up to an emoji", { posts: { stores: "before emoji", tells: "url" } }), CUT, "readers see"],
  [dialectB("B up to an emoji", { pages: B, posts: { stores: "before emoji", tells: "url" } }), CUT, "readers see"],
] as const)("a post that $name loses text of is reported in each run until its author accepts it", async (...row) => {
  const [dialect, text, reason] = row;
  const project = await openAtStranger(dialect, POSTS);
  await project.write("src/content/blog/lossy.md", text);
  await project.write("src/content/blog/long.md", `---\ntitle: Longer\n${DAY}\n---\n\n${`${WORDS}\n\n`.repeat(9)}\n`);
  const first = await expectReportedUntilAccepted(project, "lossy", {
    first: "lossy.md was published, but",
    later: "imprint posts ack lossy",
  });
  expect(first.said).toContain(reason);
  expect(first.said).not.toContain("long.md was");
});

it.each([
  [
    dialectA("A", { posts: { titles: "30 characters", tells: "url" } }),
    'its title, which became "Why the museum closes on Monda"',
  ],
  [
    dialectA("A, in lists", { posts: { titles: "30 characters" } }),
    'its title, which became "Why the museum closes on Monda"',
  ],
  [dialectB("B", { pages: B, posts: { titles: "untitled", tells: "url" } }), 'its title, which became "Untitled"'],
  [dialectA("A", { posts: { stores: "markup as text", tells: "url" } }), "its formatting, and see its HTML as text"],
  [dialectB("B", { pages: B, posts: { stores: "markup as text" } }), "its formatting, and see its HTML as text"],
] as const)(
  "a post that readers get without its title or formatting is reported until its author accepts it",
  async (dialect, lost) => {
    const project = await openAtStranger(dialect, POSTS);
    await Promise.all(["ink", "paper"].map((name) => project.remove(`src/content/blog/${name}.md`)));
    const title = "Why the museum closes on Mondays and opens on Sundays";
    await project.write("src/content/blog/museum.md", `---\ntitle: ${title}\n${DAY}\n---\n\n${WORDS}\n`);
    const said = { first: `museum.md was published, but readers get it without ${lost}`, later: lost };
    await expectReportedUntilAccepted(project, "museum", said);
  },
);

it.each([dialectA("A", { posts: { tells: "url" } }), dialectB("B", { pages: B, posts: { tells: "url" } })])(
  "posts that $name keeps with all characters are live",
  async (dialect) => {
    const { run, write } = await openAtStranger(dialect, POSTS);
    await write("src/content/blog/lossy.md", POLISH);
    await write("src/content/blog/emoji.md", CUT);
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);

it("fields of a post that the blog accepts and drops are named", async () => {
  const { run, write } = await openAtStranger(dialectA("A", { posts: { lists: "unset" } }), { posts: {} });
  const fields =
    "title: Ink\npubDate: 2024-01-05\ntags: [ink, felt]\ndescription: About ink\ncover: ./images/ink.png\n";
  await write("src/content/blog/ink.md", `---\n${fields}---\n\nInk is a paint.\n`);
  const { code, said } = await run("publish");
  const expected = "accepts the date, tags, cover image, and excerpt of posts, but doesn't show them: ";
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(expected) });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("but doesn't show them") });
});

it("fields that a blog keeps, or doesn't show, aren't called dropped", async () => {
  for (const lists of ["as-sent", "all"] as const) {
    const { run, write } = await openAtStranger(dialectA("A", { posts: { lists } }), { posts: {} });
    await write(
      "src/content/blog/ink.md",
      "---\ntitle: Ink\npubDate: 2024-01-05\ntags: [ink]\n---\n\nInk is a paint.\n",
    );
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("but doesn't show them") });
  }
});

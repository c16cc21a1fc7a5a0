import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const HEAD =
  "---\ntitle: Prices\npubDate: 2026-03-05\n---\n\nThese are the prices of our inks this year. We mix each of them by hand, and they dry within an hour on any paper.\n";
const RICH = `${HEAD}\n| Ink | Price |\n| --- | --- |\n| black | 12 |\n\n\`\`\`js\nconst price = 12;\n\`\`\`\n`;

it.each([
  dialectA("A", { posts: { stores: "plain text", tells: "url" } }),
  dialectA("A that shows posts only in its list", { posts: { stores: "plain text" } }),
  dialectB("B", { posts: { stores: "plain text", tells: "url" }, pages: { putBody: "multipart" } }),
])("what $name removes from posts is reported in each run until their author accepts it", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, POSTS);
  await write("src/content/blog/prices.md", RICH);
  const lacking = expect.stringContaining("readers get it without its tables and code blocks");
  expect(await run("publish", "--accept")).toMatchObject({ code: 1, said: lacking });
  const sent = stranger.world.log.length;
  for (const kind of ["unchanged", "forgetful"]) {
    if (kind === "forgetful") await loseState();
    expect({ kind, ...(await run("publish")) }).toMatchObject({ kind, code: 1, said: lacking });
  }
  expect(writesAt(stranger.world, sent)).toEqual([]);
  expect(await run("posts", "ack", "prices")).toMatchObject({ code: 0 });
  const { said } = await run("publish");
  expect(said).not.toContain("prices.md");
});

it.each([
  ["two words", "Our press.", 1],
  ["no words", "", 0],
] as const)(
  "a post of %s and a table that a host removes is reported if its page is recognized",
  async (_, text, code) => {
    const { run, write, remove } = await openAtStranger(
      dialectA("A", { posts: { stores: "plain text", tells: "url" } }),
      POSTS,
    );
    await Promise.all(["ink", "paper"].map((name) => remove(`src/content/blog/${name}.md`)));
    const table = "<table><tr><td><hr></td></tr></table>";
    await write("src/content/blog/prices.md", `---\ntitle: Prices\npubDate: 2026-03-05\n---\n\n${text}\n\n${table}\n`);
    const ran = await run("publish", "--accept");
    expect(ran).toMatchObject({ code });
    expect(ran.said.includes("without its tables")).toBe(code === 1);
  },
);

it("a post that a host shows with its tables and code is whole", async () => {
  const { run, write } = await openAtStranger(dialectA("A", { posts: { tells: "url" } }), POSTS);
  await write("src/content/blog/prices.md", RICH);
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
});

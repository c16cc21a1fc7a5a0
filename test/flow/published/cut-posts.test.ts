import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };

/** A post of 90 KB without repetitions. */
function longPost(): string {
  const paragraphs = Array.from(
    { length: 900 },
    (_, number) => `Sheet ${number} of the press run took ink ${"evenly ".repeat(10)}`,
  );
  return `---\ntitle: A long run\npubDate: 2026-03-05\n---\n\n${paragraphs.join("\n\n")}\n\nThat was the last sheet that we printed on the old press before it was sold to the museum.\n`;
}

it.each([
  dialectA("A shows addresses of posts", {
    pages: { keeps: "64-KiB" },
    posts: { tells: "url", body: "content" },
  }),
  dialectA("A lists the text of posts", { pages: { keeps: "64-KiB" } }),
  dialectB("B shows addresses of posts", { pages: { keeps: "64-KiB", putBody: "multipart" }, posts: { tells: "url" } }),
])("a post that $name but cuts off is reported in each run until its author accepts it", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, POSTS);
  await write("src/content/blog/long.md", longPost());
  const first = await run("publish", "--accept");
  expect(first).toMatchObject({
    code: 1,
    said: expect.stringContaining("long.md was published, but the service cuts it off: readers see 64 %"),
  });
  expect(first.said).toContain("imprint posts restore long");
  const sent = stranger.world.log.length;
  for (const kind of ["unchanged", "forgetful"]) {
    if (kind === "forgetful") await loseState();
    const { code, said } = await run("publish");
    expect({ kind, code, said }).toMatchObject({ code: 1, said: expect.stringContaining("the service cuts it off") });
  }
  expect(writesAt(stranger.world, sent)).toEqual([]);
  expect(await run("posts", "ack", "long")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

it.each([
  dialectA("A", { posts: { tells: "url" } }),
  dialectB("B", { pages: { putBody: "multipart" }, posts: { tells: "url" } }),
])("a long post that $name shows in full is live", async (dialect) => {
  const { run, write } = await openAtStranger(dialect, POSTS);
  await write("src/content/blog/long.md", longPost());
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

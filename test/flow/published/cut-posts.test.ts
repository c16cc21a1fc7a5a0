import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";
import { expectReportedUntilAccepted } from "./reported-posts.ts";

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
  const project = await openAtStranger(dialect, POSTS);
  await project.write("src/content/blog/long.md", longPost());
  const first = await expectReportedUntilAccepted(project, "long", {
    first: "long.md was published, but the service cuts it off: readers see 64 %",
    later: "the service cuts it off",
  });
  expect(first.said).toContain("imprint posts restore long");
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

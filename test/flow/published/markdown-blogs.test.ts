import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const POST = `---
title: On type
pubDate: 2026-03-05
---

## Cases

Type has a [home](/about/) & a **case**; 2 < 3.

- upper
- lower

\`\`\`js
const type = "set";
\`\`\`

![Ink](./images/ink.png)
`;

it.each([
  dialectA("A", { posts: { body: "markdown", tells: "url" } }),
  dialectA("A that refuses HTML", { posts: { body: "content_markdown", otherBodies: "refused", tells: "url" } }),
  dialectB("B", { pages: { putBody: "multipart" }, posts: { body: "content_markdown", tells: "url" } }),
])("$name, whose blogs take only Markdown, gets it, and readers see the post", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, {
    posts: { blog: { create: true } },
    brandKit: false,
  });
  await write("src/content/blog/type.md", POST);
  expect(await run("publish", "--accept")).toMatchObject({
    code: 0,
    said: expect.stringContaining("posts 3 published"),
  });
  const [[blog = "", posts] = ["", []]] = [...stranger.world.posts];
  expect(posts).toHaveLength(3);
  const readers = await (await fetch(`${stranger.baseUrl}/blog/${blog}/type`)).text();
  for (const part of [
    "<h2>Cases</h2>",
    "a <strong>case</strong>; 2 &#x3C; 3.",
    "<li>lower</li>",
    '<code class="language-js">const type',
    'alt="Ink"',
    ">home</a>",
  ])
    expect(readers).toContain(part);
  expect(readers).not.toContain("imprint-post");
  const sent = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  await loseState();
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, sent)).toEqual([]);
  await write("src/content/blog/more.md", POST.replace("On type", "More type"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(stranger.world, sent)).toHaveLength(1);
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildBlogSite, copyBlogSite, openService, readBlog } from "./blog-site.ts";

it("a build checks posts by the content of their files, and its error links to the line", async () => {
  const [root, service] = [await copyBlogSite(), await openService()];
  const post = (name: string, lines: string) =>
    writeFile(join(root, "src/content/blog", name), `---\ntitle: ${name}\n${lines}\n---\n\nText.\n`);
  await post("a-impossible.md", "pubDate: 2024-02-30");
  await post("ambiguous.md", "pubDate: 03/18/2024");
  await post("archived.md", "pubDate: 2024-01-01\nstatus: archived");
  await post("budding.md", "pubDate: 2024-01-01\nstatus: budding");
  await post("embargo.md", "pubDate: 2024-01-01\nembargo: 2099-01-01");
  const error: unknown = await buildBlogSite(root, {
    options: { service: service.baseUrl("a"), posts: {} },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: expect.stringContaining(
      'The run stopped before everything was published. src/content/blog/a-impossible.md:3:1 "pubDate": "2024-02-30" is not a valid date: that month has 29 days. (POST_INVALID)',
    ),
    hint: "Fix the file at the line in the message. Then build again: published content isn't sent twice.",
    loc: { file: join(root, "src/content/blog/a-impossible.md"), line: 3, column: 1 },
  });
  const slugs = [...(await readBlog(service)).keys()].map(String);
  expect(slugs.filter((slug) => /impossible|ambiguous|archived|budding|embargo/.test(slug))).toEqual([]);
  expect(slugs.length).toBeGreaterThan(0);
});

import { expect, it } from "vitest";
import { createFolder, readFolder } from "../folder.ts";

/** The only post of a folder as read without a build, and as provided by a build. */
async function readBothWays(text: string, entry: { readonly id: string; readonly data: object }) {
  const root = await createFolder({ "src/content/blog/ink.md": text });
  const body = text.split("---\n").at(-1) ?? "";
  const entries = [{ ...entry, filePath: "src/content/blog/ink.md", body, html: `<p>${body.trim()}</p>` }];
  const collected = { collection: "blog", entries, imagesAside: undefined };
  const folder = "src/content/blog";
  const [outside, inside] = [await readFolder(root, { folder }), await readFolder(root, { folder, collected })];
  return {
    outside: outside.posts[0],
    inside: inside.posts[0],
    problems: { outside: outside.problems, inside: inside.problems },
    held: { outside: [...outside.drafts, ...outside.unclear], inside: [...inside.drafts, ...inside.unclear] },
  };
}

it("a date that only the schema sets is sent and doesn't count as an edit", async () => {
  const data = { title: "On ink", pubDate: { "imprint:date": "2025-01-01T00:00:00.000Z" } };
  const { outside, inside } = await readBothWays("---\ntitle: On ink\n---\nInk\n", { id: "ink", data });
  expect(inside?.publishedAt).toEqual(new Date("2025-01-01"));
  expect(inside?.sourceHash).toBe(outside?.sourceHash);
});

it("a collection in another folder than the posts produces the same slug", async () => {
  const entry = { id: "blog/ink", data: { title: "On ink" } };
  const { outside, inside } = await readBothWays("---\ntitle: On ink\n---\nInk\n", entry);
  expect([outside?.slug, inside?.slug]).toEqual(["ink", "ink"]);
});

it.each([
  ["pubDate: 03/18/2024", { "imprint:date": "2024-03-18T00:00:00.000Z" }],
  ["pubDate: 2024-02-30", { "imprint:date": "2024-03-01T00:00:00.000Z" }],
  ["pubDate: 1710720000000", { "imprint:date": "2024-03-18T00:00:00.000Z" }],
])("%s causes the same error in a folder and in a build whose schema accepted it", async (line, pubDate) => {
  const data = { title: "On ink", pubDate };
  const { problems } = await readBothWays(`---\ntitle: On ink\n${line}\n---\nInk\n`, { id: "ink", data });
  expect(problems.inside).toMatchObject([{ line: 3, column: 1, message: expect.stringContaining('"pubDate": ') }]);
  expect(problems.inside).toEqual(problems.outside);
});

it.each([
  ["draft: 'false'", { draft: true }],
  ["status: budding", { status: true }],
  ["unlistedInFeed: true", {}],
  ["status: draft", { status: "published" }],
])("%s has the same result in a folder and in a build whose schema changed it", async (line, changed) => {
  const data = { title: "On ink", ...changed };
  const both = await readBothWays(`---\ntitle: On ink\n${line}\n---\nInk\n`, { id: "ink", data });
  expect([both.outside, both.inside]).toEqual([undefined, undefined]);
  expect(both.problems.inside).toEqual(both.problems.outside);
  expect(both.held.inside).toEqual(both.held.outside);
});

it("a private file is skipped and named, or a draft if the site's own loader created an entry for it", async () => {
  const root = await createFolder({ "blog/_a.md": "# A\n", "blog/_old/b.md": "# B\n" });
  const entry = { id: "_old/b", filePath: "blog/_old/b.md", body: "# B\n", html: "<h1>B</h1>", data: { title: "B" } };
  const collected = { collection: "blog", entries: [entry], imagesAside: undefined };
  const { posts, drafts, privateFiles } = await readFolder(root, { folder: "blog", collected });
  expect(posts).toEqual([]);
  expect([drafts.map(({ file }) => file), privateFiles]).toEqual([["blog/_old/b.md"], ["blog/_a.md"]]);
});

it("an id created by the site is the slug", async () => {
  const entry = { id: "notes-on-ink", data: { title: "On ink" } };
  expect((await readBothWays("---\ntitle: On ink\n---\nInk\n", entry)).inside?.slug).toBe("notes-on-ink");
});

import { expect, it } from "vitest";
import { parseOptions } from "../../../src/options/parse-options.ts";
import { findCollectionFolder, withFolderOf } from "../../../src/posts/read/collection-folder.ts";

function folderOf(files: Readonly<Record<string, string>>, posts: object = {}): string | undefined {
  const entries = Object.entries(files).map(([filePath, id]) => ({ id, filePath, data: {} }));
  const collected = { collection: "blog", entries, imagesAside: undefined };
  return findCollectionFolder(parseOptions({ posts }), collected)?.folder;
}

it("a collection's folder is the one from which the ids of its entries derive", () => {
  expect(folderOf({ "src/data/blog/One Day.md": "one-day" })).toBe("src/data/blog");
  expect(folderOf({ "src/data/blog/2026/one.md": "2026/one" })).toBe("src/data/blog");
  expect(folderOf({ "src/data/blog/trip/index.mdx": "trip" })).toBe("src/data/blog");
  expect(folderOf({ "../content/blog/one.md": "one" })).toBe("../content/blog");
  expect(folderOf({ "src/data/blog/2026/one.md": "2026/one", "src/data/blog/two.md": "own" })).toBe("src/data/blog");
});

it("a collection's folder is the one with all of its files if their ids are the site's own", () => {
  expect(folderOf({ "data/blog/2025/one.md": "a", "data/blog/2026/two.md": "b" })).toBe("data/blog");
  expect(folderOf({ "data/blog/2026/one.md": "one", "data/blog/2025/two.md": "b" })).toBe("data/blog");
});

it("a collection's folder isn't searched for if the options name it, or if its entries have no Markdown files", () => {
  expect(folderOf({ "src/content/blog/one.md": "blog/one", "src/content/news/two.md": "news/two" })).toBeUndefined();
  expect(folderOf({ "notes/one.md": "one" }, { folder: "./notes" })).toBeUndefined();
  expect(folderOf({ "data/posts.json": "one" })).toBeUndefined();
  expect(folderOf({})).toBeUndefined();
});

it("posts are in the folder that a build found, unless the options name another folder or collection", () => {
  const read = (posts: object) => withFolderOf(parseOptions({ posts }), { collection: "blog", folder: "data" }).posts;
  expect(read({})).toMatchObject({ folder: "data" });
  expect(read({ collection: "blog" })).toMatchObject({ folder: "data" });
  expect(read({ collection: "notes" })).toMatchObject({ folder: "src/content/notes" });
  expect(read({ folder: "posts" })).toMatchObject({ folder: "posts" });
});

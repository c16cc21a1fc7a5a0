import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { readCache } from "../../src/memory/cache.ts";
import type { PostsRead, ReadPostsSettings } from "../../src/posts/local/read-posts.ts";
import { createFolder, PIXEL, readFolder } from "./folder.ts";

/** A folder that is read with a cache, and the number of rendered bodies. */
async function openFolder(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = await createFolder(files);
  const cacheFile = join(root, ".imprint/memory.sqlite");
  const rendered: string[] = [];
  const renderer = (key: string | undefined) =>
    Object.assign(
      async (markdown: string) => {
        rendered.push(markdown.trim());
        return { html: `<p>${markdown.trim()}</p><img src="./a.png"><a href="./b.md">b</a><script>x</script>` };
      },
      { key },
    );
  async function readAgain({
    key = "one",
    ...settings
  }: Partial<ReadPostsSettings> & { readonly key?: string | undefined } = {}): Promise<
    PostsRead & { readonly rendered: readonly string[] }
  > {
    rendered.length = 0;
    const result = await readFolder(root, { render: renderer(key), ...settings });
    return { ...result, rendered: [...rendered].toSorted() };
  }
  return {
    root,
    cacheFile,
    readAgain,
    renderer,
    put: (path: string, text: string | Uint8Array) => writeFile(join(root, path), text),
  };
}

const FILES = {
  "posts/a.md": "---\ntitle: A\n---\nText of a",
  "posts/b.md": "---\ntitle: B\n---\nText of b",
  "posts/a.png": PIXEL,
};

it("cached posts are unchanged, and nothing is rendered again", async () => {
  const { readAgain } = await openFolder(FILES);
  const first = await readAgain();
  const second = await readAgain();
  expect(first.rendered).toHaveLength(2);
  expect(second.rendered).toEqual([]);
  expect(second.posts).toEqual(first.posts);
  expect(second.posts[1]?.warnings).toHaveLength(2);
});

it("only what changed is rendered again", async () => {
  const { readAgain, put } = await openFolder(FILES);
  await readAgain();
  await put("posts/b.md", "---\ntitle: B\n---\nOther text");
  expect((await readAgain()).rendered).toEqual(["Other text"]);
  await put("posts/a.png", Buffer.concat([PIXEL, PIXEL]));
  expect((await readAgain()).rendered).toHaveLength(2);
  await put("posts/b.md", "---\ntitle: B\ndraft: true\n---\nOther text");
  const { posts, rendered } = await readAgain();
  expect(rendered).toHaveLength(1);
  expect(posts[0]?.html).toMatch(/">b$/);
});

it("another renderer renders everything, and one without an identity always does", async () => {
  const { readAgain, renderer } = await openFolder(FILES);
  await readAgain();
  expect((await readAgain({ key: "two" })).rendered).toHaveLength(2);
  const unknown = { render: renderer(undefined) };
  await readAgain(unknown);
  expect((await readAgain(unknown)).rendered).toHaveLength(2);
});

it.each([
  ["a damaged line", (text: string) => text.replace("Text of a", "Text of x")],
  ["a truncated file", (text: string) => text.slice(0, -40)],
  ["an entry of another version", (text: string) => text.replaceAll("cache/posts 1", "cache/posts 0")],
  ["unrelated content", () => "\0\0\0"],
])("renders again after %s", async (_, damage) => {
  const { readAgain, cacheFile } = await openFolder(FILES);
  const first = await readAgain();
  await writeFile(cacheFile, damage(await readFile(cacheFile, "latin1")), "latin1");
  const second = await readAgain();
  expect(second.rendered.length).toBeGreaterThan(0);
  expect(second.posts).toEqual(first.posts);
  expect((await readAgain()).rendered).toEqual([]);
});

it("an unwritable cache is reported and stops nothing, and leaves no partial file", async () => {
  const { root, readAgain } = await openFolder({ ...FILES, ".imprint": "a file in the way" });
  const warnings: string[] = [];
  const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
  const { posts } = await readAgain({ logger });
  expect(posts).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining("can't be written")]);
  expect((await readdir(root)).toSorted()).toEqual([".imprint", "posts"]);
});

it("deleted posts are removed", async () => {
  const { root, readAgain, put } = await openFolder(FILES);
  await readAgain();
  await put("posts/b.md", "---\ntitle: B\n---\nOther text");
  await readAgain();
  const cached = [...readCache({ projectRoot: root, name: "posts 1", logger: SILENT_LOGGER }).values()];
  expect(cached).toHaveLength(2);
  expect(JSON.stringify(cached)).not.toContain("Text of b");
});

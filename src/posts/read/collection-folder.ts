import { existsSync } from "node:fs";
import { posix, resolve } from "node:path";
import { usualFolder, type Options } from "../../options/schema.ts";
import { readPostsHint, type PostsHint } from "../../site/build-hints.ts";
import type { CollectedPosts } from "./collected.ts";
import { contentIdOf, pathBelow } from "./slugs.ts";

/**
 * Finds the folder of a collection's Markdown files, which Astro's content API doesn't name: the one below which they
 * all are, and from which their ids derive. `undefined` if any of them is in the folder of the options.
 */
export function findCollectionFolder(
  { posts }: Pick<Options, "posts">,
  collected: CollectedPosts | undefined,
): PostsHint | undefined {
  if (posts === false || collected === undefined) return undefined;
  const files = collected.entries.flatMap(({ id, filePath }) =>
    filePath !== undefined && /\.(?:md|markdown|mdx)$/i.test(filePath)
      ? [{ id, file: filePath.replaceAll("\\", "/") }]
      : [],
  );
  if (files.length === 0 || files.some(({ file }) => pathBelow(posts.folder, file) !== undefined)) return undefined;
  const [first = [], ...others] = files.map(({ file }) => ancestorsOf(file));
  const common = first.filter((folder) => others.every((ancestors) => ancestors.includes(folder)));
  const named = common.find((folder) =>
    files.some(({ id, file }) => contentIdOf(pathBelow(folder, file) ?? "") === id),
  );
  const folder = named ?? common[0];
  return folder === undefined ? undefined : { collection: collected.collection, folder };
}

/** The folders that contain a file, the deepest first. */
function ancestorsOf(file: string): readonly string[] {
  const parent = posix.dirname(file);
  return parent === "." || parent === ".." || parent === file ? [] : [parent, ...ancestorsOf(parent)];
}

/** Fills in the folder where a build found the posts, unless the options name one. */
export function withFolderOf(options: Options, found: PostsHint | undefined): Options {
  const { posts } = options;
  if (posts === false || found === undefined || posts.folder !== usualFolder(posts)) return options;
  if (found.collection !== (posts.collection ?? "blog")) return options;
  return { ...options, posts: { ...posts, folder: found.folder } };
}

/** Fills in the folder where the last build of a project found the posts, if it is still there. */
export function withFoundFolder(options: Options, projectRoot: string): Options {
  if (options.posts === false) return options;
  const found = readPostsHint(projectRoot);
  const isThere = found !== undefined && existsSync(resolve(projectRoot, found.folder));
  return isThere ? withFolderOf(options, found) : options;
}

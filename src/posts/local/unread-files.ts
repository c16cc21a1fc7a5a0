import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Lock } from "../../sync/lock.ts";
import { NO_FILE } from "../memory/ledger.ts";
import type { DesiredPosts } from "./desire-posts.ts";

/**
 * Files of published posts that are there and that this run does not read: Markdoc, or a folder that only the content
 * config names. Such a post is not without a file.
 */
export function findUnreadFiles(
  { posts: blogs = {} }: Lock,
  { projectRoot, local: { posts, held } }: { readonly projectRoot: string; readonly local: DesiredPosts },
): ReadonlySet<string> {
  const read = new Set([...posts, ...held].map(({ file }) => file));
  const remembered = Object.values(blogs).flatMap((blog) => Object.values(blog.posts).map(({ file }) => file));
  return new Set(
    remembered.filter((file) => file !== NO_FILE && !read.has(file) && existsSync(join(projectRoot, file))),
  );
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "../../options/schema.ts";
import { NO_FILE, type BlogLedger } from "../memory/ledger.ts";
import type { WantedPosts } from "../plan/plan.ts";
import type { DesiredPosts } from "./desire-posts.ts";
import { findRenamedFiles } from "./renamed-files.ts";

export interface DesiredBlog extends Pick<WantedPosts, "collection" | "held" | "unread" | "renamedFrom"> {
  readonly id: string | undefined;
  readonly name: string;
  readonly slug: string;
  /** Whether to create a missing blog; `undefined`: only if blogs can be listed. */
  readonly create: boolean | undefined;
}

export interface BlogSources {
  /** Name of a new blog if the options set none. */
  readonly siteName: string;
  /** What the lock file remembers about blogs. */
  readonly ledgers: Readonly<Record<string, BlogLedger>> | undefined;
  readonly local: DesiredPosts;
}

/** Returns the blog that posts are published to, or `undefined` if there is none. */
export async function desireBlog(
  { projectRoot, options: { posts } }: { readonly projectRoot: string; readonly options: Options },
  { siteName, ledgers = {}, local }: BlogSources,
): Promise<DesiredBlog | undefined> {
  if (posts === false || posts.target === "pages") return undefined;
  const { folder, blog } = posts;
  const { id, name = siteName, slug, create } = blog;
  const remembered = Object.values(ledgers).flatMap((each) => Object.values(each.posts));
  const files = new Set(remembered.flatMap(({ file }) => (file === NO_FILE ? [] : [file])));
  return {
    id,
    name,
    slug,
    create,
    collection: folder,
    held: local.held,
    unread: findUnreadFiles(files, { projectRoot, local }),
    renamedFrom: await findRenamedFiles(files, { projectRoot, folder, local }),
  };
}

/**
 * Finds files of published posts that exist but that this run doesn't read: Markdoc, or a folder that only the content
 * config names. Such a post isn't missing its file.
 */
function findUnreadFiles(
  remembered: ReadonlySet<string>,
  { projectRoot, local: { posts, held } }: { readonly projectRoot: string; readonly local: DesiredPosts },
): ReadonlySet<string> {
  const read = new Set([...posts, ...held].map(({ file }) => file));
  return new Set([...remembered].filter((file) => !read.has(file) && existsSync(join(projectRoot, file))));
}

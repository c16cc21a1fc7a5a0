import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { glob } from "tinyglobby";
import { ImprintError } from "../../base/error.ts";

export interface MarkdownPlace {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  /** Glob patterns below the folder. */
  readonly patterns: readonly string[];
}

export interface MarkdownFiles {
  /** Paths below the folder, with forward slashes and sorted. */
  readonly paths: readonly string[];
  /** Symbolic links, to files or folders, which are not followed: they may lead anywhere and in circles. */
  readonly links: readonly string[];
}

/**
 * Finds the markdown files below a folder. Names that start with an underscore are private as in Astro. Throws
 * `OPTIONS_INVALID` when there is no such folder.
 */
export async function findMarkdown({ root, folder, patterns }: MarkdownPlace): Promise<MarkdownFiles> {
  const cwd = resolve(root, folder);
  const status = await stat(cwd).catch(() => undefined);
  if (!status?.isDirectory()) {
    throw new ImprintError("OPTIONS_INVALID", `The folder of the posts, ${folder}, does not exist.`, {
      hint: "Correct `posts.folder`, or set `posts: false` when the site has none.",
    });
  }
  // The folder is never part of a pattern: its name may hold brackets or other signs with a meaning.
  const search = { cwd, ignore: ["**/node_modules/**", "**/_*", "**/_*/**"], followSymbolicLinks: false };
  const paths = await glob([...patterns], { ...search, expandDirectories: false, caseSensitiveMatch: false });
  return { paths: paths.toSorted(), links: await findLinks(cwd) };
}

async function findLinks(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink());
  return links
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"))
    .filter(
      (path) =>
        !/(?:^|\/)(?:[._][^/]*|node_modules)(?:\/|$)/.test(path) && /(?:^|\/)[^.]+$|\.(?:md|markdown|mdx)$/i.test(path),
    )
    .toSorted();
}

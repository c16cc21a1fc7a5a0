import { readdir, stat } from "node:fs/promises";
import { join, posix, relative, resolve } from "node:path";
import fastGlob from "fast-glob";
import { ImprintError } from "../../base/error.ts";

export interface MarkdownPlace {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  /** Glob patterns below the folder. */
  readonly patterns: readonly string[];
}

/** The files that can be posts. */
export const MARKDOWN_PATTERNS: readonly string[] = ["**/*.{md,markdown,mdx}"];

export interface MarkdownFiles {
  /** Paths below the folder, with forward slashes and sorted. */
  readonly paths: readonly string[];
  /** Paths that would be posts if no file or folder in them started with an underscore, sorted. */
  readonly privatePaths: readonly string[];
  /** Symbolic links, to files or folders, which are not followed: they may lead anywhere and in circles. */
  readonly links: readonly string[];
}

/**
 * Finds the markdown files below a folder. A file or folder whose name starts with an underscore is private: it's
 * listed apart and not read. Throws `OPTIONS_INVALID` when there is no such folder.
 */
export async function findMarkdown({ root, folder, patterns }: MarkdownPlace): Promise<MarkdownFiles> {
  await checkPostsFolder({ root, folder });
  const cwd = resolve(root, folder);
  // The folder is never part of a pattern: its name may hold brackets or other signs with a meaning.
  const found = await search(cwd, patterns);
  return {
    paths: found.filter((path) => !isPrivatePath(path)),
    privatePaths: found.filter(isPrivatePath),
    links: await findLinks(cwd),
  };
}

/** @throws ImprintError `OPTIONS_INVALID` when there is no such folder. */
export async function checkPostsFolder({ root, folder }: Pick<MarkdownPlace, "root" | "folder">): Promise<void> {
  const status = await stat(resolve(root, folder)).catch(() => undefined);
  if (status?.isDirectory()) return;
  throw new ImprintError("OPTIONS_INVALID", `The folder of the posts, ${folder}, does not exist.`, {
    hint: "Correct `posts.folder`, or set `posts: false` when the site has none.",
  });
}

/** Paths below the folder that are private, sorted; none where there is no such folder. */
export async function findPrivateMarkdown({ root, folder, patterns }: MarkdownPlace): Promise<readonly string[]> {
  return (await search(resolve(root, folder), patterns)).filter(isPrivatePath);
}

/** Whether a name in a path below the folder starts with an underscore. */
export function isPrivatePath(path: string): boolean {
  return /(?:^|\/)_/.test(path);
}

async function search(cwd: string, patterns: readonly string[]): Promise<readonly string[]> {
  const rules = { cwd, ignore: ["**/node_modules/**"], followSymbolicLinks: false, caseSensitiveMatch: false };
  return (await fastGlob.glob([...patterns], rules)).toSorted();
}

/** The path of a file relative to the project, with forward slashes. */
export function fileBelow(folder: string, path: string): string {
  return posix.join(folder.replaceAll("\\", "/"), path);
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

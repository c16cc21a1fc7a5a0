import { readdir, stat } from "node:fs/promises";
import { join, posix, relative, resolve } from "node:path";
import fastGlob from "fast-glob";
import { ImprintError } from "../../base/error.ts";
import { pathBelow } from "./slugs.ts";

export interface MarkdownPlace {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
}

export interface MarkdownFiles {
  /** Paths below the folder, with forward slashes, sorted. */
  readonly paths: readonly string[];
  /** Paths that would be posts if no segment started with an underscore, sorted. */
  readonly privatePaths: readonly string[];
  /** Symbolic links to files or folders. They aren't followed, since they may lead anywhere, including in circles. */
  readonly links: readonly string[];
}

/**
 * Finds the Markdown files below a folder. A file or folder whose name starts with an underscore is private: it is
 * listed separately and not read. Throws `OPTIONS_INVALID` if the folder doesn't exist.
 */
export async function findMarkdown({ root, folder }: MarkdownPlace): Promise<MarkdownFiles> {
  await checkPostsFolder({ root, folder });
  const cwd = resolve(root, folder);
  // The folder is never part of the pattern, since its name may contain brackets or other special characters.
  const found = await search(cwd);
  return {
    paths: found.filter((path) => !isPrivatePath(path)),
    privatePaths: found.filter(isPrivatePath),
    links: await findLinks(cwd),
  };
}

/** @throws ImprintError `OPTIONS_INVALID` if the folder doesn't exist */
export async function checkPostsFolder({ root, folder }: MarkdownPlace): Promise<void> {
  const status = await stat(resolve(root, folder)).catch(() => undefined);
  if (status?.isDirectory()) return;
  throw new ImprintError("OPTIONS_INVALID", `The posts folder, ${folder}, doesn't exist.`, {
    hint: "Set `posts.folder` to the folder of your posts, or `posts: false` if the site has none. If they are in a content collection, omit `posts.folder` and run `astro build` once: it finds their folder.",
  });
}

/** Returns the private paths below the folder, sorted; empty if the folder doesn't exist. */
export async function findPrivateMarkdown({ root, folder }: MarkdownPlace): Promise<readonly string[]> {
  return (await search(resolve(root, folder))).filter(isPrivatePath);
}

/**
 * Whether a Markdown file is private: its name, or that of a folder between it and the posts folder, begins with an
 * underscore. Both paths are relative to the project; for a file elsewhere, only its own name is checked.
 */
export function isPrivateFile(file: string, folder: string): boolean {
  return isPrivatePath(pathBelow(folder, file) ?? posix.basename(file));
}

function isPrivatePath(path: string): boolean {
  return /(?:^|\/)_/.test(path);
}

async function search(cwd: string): Promise<readonly string[]> {
  const rules = { cwd, ignore: ["**/node_modules/**"], followSymbolicLinks: false, caseSensitiveMatch: false };
  return (await fastGlob.glob("**/*.{md,markdown,mdx}", rules)).toSorted();
}

/** Returns the path of a file relative to the project, with forward slashes. */
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

import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { UnfollowedLink } from "./model.ts";

interface FoundFiles {
  /** Paths below the folder, with forward slashes, sorted. */
  readonly files: readonly string[];
  readonly leftOut: readonly UnfollowedLink[];
}

/** Paths of the files below a folder, with forward slashes, sorted; see `listFiles`. */
export function findFiles(folder: string): readonly string[] {
  return listFiles(folder, { within: folder }).files;
}

/**
 * Lists the files below a folder, including hidden ones but not those of git. Follows a symbolic link only if its
 * target is within another folder, and is neither hidden there nor in a package: a link to `.env` is a mistake.
 */
export function listFiles(folder: string, { within }: { readonly within: string }): FoundFiles {
  const files: string[] = [];
  const leftOut: UnfollowedLink[] = [];
  const root = realpathSync(folder);
  const folders: Folder[] = [{ inner: "", real: root, linkedFrom: [] }];
  const bounds = [root, realpathSync(within)];
  // Folders found here are added to the loop.
  for (const { inner, real, linkedFrom } of folders) {
    // Forward slashes work on every system, and joining thousands of paths takes as long as listing them.
    for (const entry of readdirSync(`${folder}/${inner}`, { withFileTypes: true })) {
      const { name } = entry;
      if (name.toLowerCase() === ".git") continue;
      const path = inner + name;
      if (entry.isFile()) files.push(path);
      if (entry.isDirectory()) folders.push({ inner: `${path}/`, real: `${real}${sep}${name}`, linkedFrom });
      if (!entry.isSymbolicLink()) continue;
      const chain = [...linkedFrom, real];
      const followed = followLink(`${folder}/${path}`, { chain, bounds });
      if ("why" in followed) leftOut.push({ path, why: followed.why });
      else if (followed.isFolder) folders.push({ inner: `${path}/`, real: followed.target, linkedFrom: chain });
      else files.push(path);
    }
  }
  return { files: files.toSorted(), leftOut };
}

interface Folder {
  readonly inner: string;
  /** Its path with links resolved. */
  readonly real: string;
  /** Real paths of the folders with the links that led to it. */
  readonly linkedFrom: readonly string[];
}

interface LinkContext {
  /** Real paths of the folder with the link, and of those with the previous links. */
  readonly chain: readonly string[];
  readonly bounds: readonly string[];
}

type Followed = Pick<UnfollowedLink, "why"> | { readonly target: string; readonly isFolder: boolean };

function followLink(path: string, { chain, bounds }: LinkContext): Followed {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { why: "its target doesn't exist" };
  const target = realpathSync(path);
  if (chain.some((folder) => isBelow(folder, target))) return { why: "it points to a folder that contains it" };
  if (!bounds.some((folder) => isOpen(folder, target)) || !(stats.isFile() || stats.isDirectory())) {
    return { why: "its target isn't one of the project's files" };
  }
  return { target, isFolder: stats.isDirectory() };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

/** Whether a target is within a folder, with no hidden or package folder in its path. */
function isOpen(folder: string, target: string): boolean {
  if (!isBelow(dirname(target), folder)) return false;
  return !relative(folder, target)
    .split(sep)
    .some((name) => name.startsWith(".") || name === "node_modules");
}

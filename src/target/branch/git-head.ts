import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemCodeOf } from "../../base/error.ts";

/** The branch that is checked out; `undefined` outside a repository, and where a commit is checked out by itself. */
export async function readGitBranch(folder: string): Promise<string | undefined> {
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec((await readHead(folder)) ?? "") ?? [];
  return branch?.trim();
}

async function readHead(folder: string): Promise<string | undefined> {
  const head = await readIfThere(join(folder, ".git", "HEAD"));
  if (head !== undefined) return head;
  // A worktree and a submodule have a file in place of the folder, which says where the folder is.
  const [, elsewhere] = /^gitdir: (.+)$/m.exec((await readIfThere(join(folder, ".git"))) ?? "") ?? [];
  if (elsewhere !== undefined) return readIfThere(join(resolve(folder, elsewhere.trim()), "HEAD"));
  const parent = dirname(folder);
  return parent === folder ? undefined : readHead(parent);
}

const NOT_THERE = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (NOT_THERE.has(systemCodeOf(error) ?? "")) return undefined;
    throw error;
  }
}

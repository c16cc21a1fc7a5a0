import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CI_TABLE, type CiRow } from "./ci-table.ts";
import { systemCodeOf } from "../../base/error.ts";

/** What a build is a build of. */
export interface BuiltBranch {
  /** `undefined` when it is not known. */
  readonly branch: string | undefined;
  /** The pull request that is built, as `pr-12`: its changes are not in a branch of the repository yet. */
  readonly request: { readonly name: string | undefined } | undefined;
  /** Who says so, in words: `GitHub`, `.git/HEAD`. */
  readonly source: string;
}

export interface BranchSources {
  /** What the user says, which wins over everything. */
  readonly stated: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly projectRoot: string;
}

/** Finds the branch of a build: from what the user says, from the CI's variables, or from the checkout. */
export async function findBranch({ stated, environment, projectRoot }: BranchSources): Promise<BuiltBranch> {
  if (stated !== undefined) return { branch: branchName(stated) || undefined, request: undefined, source: STATED };
  const row = CI_TABLE.find(({ mark }) => valueOf(environment, mark) !== undefined);
  if (row !== undefined) return branchInCi(row, environment);
  return { branch: await readGitBranch(projectRoot), request: undefined, source: ".git/HEAD" };
}

const STATED = "--branch or IMPRINT_BRANCH";

function branchInCi(row: CiRow, environment: NodeJS.ProcessEnv): BuiltBranch {
  const { name, branch, tag, request, requestWord = "pr", head } = row;
  const [, number] = /^(?:refs\/pull\/)?(\d+)(?:\/|$)/.exec(valueOf(environment, request) ?? "") ?? [];
  const headBranch = branchName(valueOf(environment, head));
  const isTag = valueOf(environment, tag) !== undefined;
  const ownBranch = isTag ? undefined : branch.map((each) => branchName(valueOf(environment, each))).find(Boolean);
  const isRequest = number !== undefined || headBranch !== undefined;
  return {
    branch: isRequest ? (headBranch ?? ownBranch) : ownBranch,
    request: isRequest ? { name: number === undefined ? undefined : `${requestWord}-${number}` } : undefined,
    source: name,
  };
}

function valueOf(environment: NodeJS.ProcessEnv, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : environment[name]?.trim();
  return value === undefined || /^(?:|false|none)$/i.test(value) ? undefined : value;
}

/** `undefined` for a tag or a pull request, which are no branches. */
function branchName(text: string | undefined): string | undefined {
  if (text === undefined || /^refs\/(?!heads\/)/.test(text)) return undefined;
  return text.replace(/^(?:refs\/heads|origin)\//, "");
}

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

import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { slugOfFile } from "../read/slugs.ts";
import type { FormerFile } from "../plan/plan.ts";
import type { DesiredPosts } from "./desire-posts.ts";
import { runGit } from "./git.ts";

export interface RenameQuestion {
  readonly projectRoot: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  readonly local: DesiredPosts;
}

/**
 * Returns former names of post files, by file, newest first, from the project's git history and its uncommitted
 * changes. Git is queried only if the files of published posts, as remembered in the lock file, don't account for every
 * file. Empty if there is no repository or no git.
 */
export async function findRenamedFiles(
  remembered: ReadonlySet<string>,
  { projectRoot, folder, local }: RenameQuestion,
): Promise<ReadonlyMap<string, readonly FormerFile[]>> {
  const files = new Set([...local.posts, ...local.held].map(({ file }) => file));
  const fresh = local.posts.filter(({ file }) => !remembered.has(file));
  const isExplained = remembered.size > 0 && [...remembered].every((file) => files.has(file));
  if (fresh.length === 0 || isExplained) return new Map();
  const former = new Map([
    ...(await readCommitted(projectRoot, folder)),
    ...(await readUncommitted(projectRoot, folder)),
  ]);
  const toFormer = (file: string): FormerFile => ({ file, slug: slugOfFile(file, folder) });
  return new Map(
    fresh.flatMap(({ file }) => {
      const names = followNames(file, former).filter((name) => !files.has(name));
      return names.length === 0 ? [] : [[file, names.map(toFormer)] as const];
    }),
  );
}

function followNames(file: string, former: ReadonlyMap<string, string>): readonly string[] {
  const names: string[] = [];
  for (let name = former.get(file); name !== undefined && !names.includes(name); name = former.get(name)) {
    names.push(name);
  }
  return names;
}

const MOST_COMMITS = "1000";
const RENAMES = ["--diff-filter=R", "--find-renames", "--name-status", "-z", "--relative"];

/** Former names by later names; the last rename of a name wins. */
async function readCommitted(cwd: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const log = ["log", `--max-count=${MOST_COMMITS}`, "--format=", "--reverse", ...RENAMES, "--", folder];
  return parseRenames(await runGit(log, { cwd }));
}

/** Reads uncommitted renames. Uses a temporary index so that git also considers untracked files. */
async function readUncommitted(cwd: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const place = await mkdtemp(join(tmpdir(), "imprint-index-"));
  try {
    const index = (await runGit(["rev-parse", "--git-path", "index"], { cwd }))?.trim();
    if (index === undefined || index === "") return new Map();
    const GIT_INDEX_FILE = join(place, "index");
    await copyFile(resolve(cwd, index), GIT_INDEX_FILE);
    const environment = { ...process.env, GIT_INDEX_FILE };
    await runGit(["add", "--intent-to-add", "--", folder], { cwd, environment });
    return parseRenames(await runGit(["diff", ...RENAMES, "HEAD", "--", folder], { cwd, environment }));
  } catch {
    // A repository without an index or a commit has no renames.
    return new Map();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** `R100`, the old path, and the new path, each followed by a NUL byte. */
function parseRenames(output = ""): ReadonlyMap<string, string> {
  const parts = output.split("\0").map((part) => part.trim());
  const renames = new Map<string, string>();
  parts.forEach((part, place) => {
    const [from, to] = [parts[place + 1], parts[place + 2]];
    if (/^R\d+$/.test(part) && from !== undefined && to !== undefined) renames.set(to, from);
  });
  return renames;
}

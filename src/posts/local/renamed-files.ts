import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { promisify } from "node:util";
import { contentIdOf, foldSlug } from "../read/slugs.ts";
import type { FormerFile } from "../plan/plan.ts";
import type { DesiredPosts } from "./desire-posts.ts";

export interface RenameQuestion {
  readonly projectRoot: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  readonly local: DesiredPosts;
}

/**
 * The names that files of posts had before, by file, newest first, as the git repository of the project knows them:
 * renames that were committed, and those that were not yet. Git is asked only when the files of published posts, as
 * the lock file remembers them, do not explain every file. Empty where there is no repository or no git.
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
  const root = posix.join(folder.replaceAll("\\", "/"), "/");
  const toFormer = (file: string): FormerFile => ({ file, slug: foldSlug(contentIdOf(file.replace(root, ""))) });
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

/** Former names by later ones, the last rename of a name counting. */
async function readCommitted(cwd: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const log = ["log", `--max-count=${MOST_COMMITS}`, "--format=", "--reverse", ...RENAMES, "--", folder];
  return parseRenames(await git(log, { cwd }));
}

/** Renames that are not committed: of files that git does not know yet too, for which it gets an index of its own. */
async function readUncommitted(cwd: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const place = await mkdtemp(join(tmpdir(), "imprint-index-"));
  try {
    const index = (await git(["rev-parse", "--git-path", "index"], { cwd })).trim();
    if (index === "") return new Map();
    const GIT_INDEX_FILE = join(place, "index");
    await copyFile(resolve(cwd, index), GIT_INDEX_FILE);
    const environment = { ...process.env, GIT_INDEX_FILE };
    await git(["add", "--intent-to-add", "--", folder], { cwd, environment });
    return parseRenames(await git(["diff", ...RENAMES, "HEAD", "--", folder], { cwd, environment }));
  } catch {
    // A repository without an index or a commit has no renames.
    return new Map();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** `R100`, the old path and the new path, each with a zero byte behind it. */
function parseRenames(output: string): ReadonlyMap<string, string> {
  const parts = output.split("\0").map((part) => part.trim());
  const renames = new Map<string, string>();
  parts.forEach((part, place) => {
    const [from, to] = [parts[place + 1], parts[place + 2]];
    if (/^R\d+$/.test(part) && from !== undefined && to !== undefined) renames.set(to, from);
  });
  return renames;
}

const run = promisify(execFile);
const MOST_BYTES = 16 * 1024 * 1024;

interface GitPlace {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
}

// No git and no repository are as good as no renames.
async function git(args: readonly string[], { cwd, environment = process.env }: GitPlace): Promise<string> {
  try {
    return (await run("git", [...args], { cwd, env: environment, maxBuffer: MOST_BYTES })).stdout;
  } catch {
    return "";
  }
}

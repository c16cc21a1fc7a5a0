// A project on disk: its files, its memory, and optionally its git history.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runCli } from "../../src/cli/run-cli.ts";
import { renderPost, type Tree } from "./desk.ts";
import type { RunningHost } from "./hosts.ts";
import { parseRun, type PublisherRun } from "./report.ts";

export type Git = "no repository" | "git mv" | "plain mv";
export type State = "kept" | "lock lost" | "both lost";

export interface ProjectOptions {
  readonly git: Git;
  /** Whether clones share `imprint.lock.json`. */
  readonly sharesLock: boolean;
  readonly blog: Readonly<Record<string, unknown>>;
  readonly prune: boolean;
}

export interface Project {
  readonly root: string;
  /** Writes exactly these files to the folder of posts. */
  write(tree: Tree): Promise<void>;
  /** Commits everything if there is a repository. */
  commit(): Promise<void>;
  lose(state: State): Promise<void>;
  run(...argv: readonly string[]): Promise<PublisherRun>;
  clone(): Promise<Project>;
  /** Takes over these files of another clone, and its lock file if the clones share it. */
  pull(other: Project, tree: Tree): Promise<void>;
  remove(): Promise<void>;
}

const POSTS = "src/content/blog";
const LOCK = "imprint.lock.json";
const EDITOR = "-c user.name=Editor -c user.email=editor@example.com -c commit.gpgsign=false";
const COMMIT = `git add -A && git ${EDITOR} commit -q --allow-empty -m Write`;

export async function createProject(host: RunningHost, options: ProjectOptions): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), "imprint-renames-"));
  const config = { service: host.baseUrl, posts: { blog: options.blog }, ...(options.prune ? { prune: true } : {}) };
  await mkdir(join(root, POSTS), { recursive: true });
  await writeFile(join(root, "package.json"), JSON.stringify({ name: "site", private: true, type: "module" }));
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(config, undefined, 2)};\n`);
  const ignored = [".imprint", "node_modules", ...(options.sharesLock ? [] : [LOCK])];
  await writeFile(join(root, ".gitignore"), `${ignored.join("\n")}\n`);
  if (options.git !== "no repository") await runGit(root, ["init", "-q", "-b", "main"]);
  return openProject(root, host, { options, tree: new Map() });
}

interface Opened {
  readonly options: ProjectOptions;
  readonly tree: Tree;
}

function openProject(root: string, host: RunningHost, { options, tree }: Opened): Project {
  const isRepository = options.git !== "no repository";
  let written = tree;
  const project: Project = {
    root,
    async write(wanted) {
      await writeTree({ root, git: options.git }, written, wanted);
      written = wanted;
    },
    async commit() {
      if (!isRepository) return;
      // One process for both, as starting one costs more than git's work.
      await promisify(execFile)("sh", ["-c", COMMIT], { cwd: root });
    },
    async lose(state) {
      if (state !== "kept") await rm(join(root, LOCK), { force: true });
      if (state === "both lost") await rm(join(root, ".imprint"), { recursive: true, force: true });
    },
    run: (...argv) => runImprint(root, host, argv),
    async clone() {
      const copy = await mkdtemp(join(tmpdir(), "imprint-renames-clone-"));
      if (isRepository) {
        await project.commit();
        await runGit(copy, ["clone", "-q", root, "."]);
        await cp(join(root, LOCK), join(copy, LOCK), { force: true }).catch(() => {});
      } else {
        await cp(root, copy, { recursive: true, filter: (source) => !source.endsWith("/.imprint") });
      }
      return openProject(copy, host, { options, tree: written });
    },
    async pull(other, tree) {
      written = tree;
      await other.commit();
      if (isRepository) {
        await project.commit();
        await runGit(root, ["fetch", "-q", other.root, "HEAD"]);
        await runGit(root, ["reset", "-q", "--hard", "FETCH_HEAD"]);
        return;
      }
      for (const path of [POSTS, ...(options.sharesLock ? [LOCK] : [])]) {
        await rm(join(root, path), { recursive: true, force: true });
        await cp(join(other.root, path), join(root, path), { recursive: true }).catch(() => {});
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
  return project;
}

async function writeTree(place: { readonly root: string; readonly git: Git }, from: Tree, to: Tree): Promise<void> {
  const at = (file: string) => join(place.root, POSTS, file);
  const before = new Map([...from.values()].map((post) => [post.identity, post]));
  const moves = [...to.values()].flatMap((post) => {
    const former = before.get(post.identity);
    return former === undefined || former.file === post.file ? [] : [{ from: former.file, to: post.file }];
  });
  const kept = new Set([...to.keys(), ...moves.map(({ from }) => from)]);
  for (const file of from.keys()) if (!kept.has(file)) await rm(at(file), { force: true });
  // Uses temporary names, since two files may swap their names.
  for (const move of moves) await moveFile(place, at(move.from), `${at(move.from)}.moving`);
  for (const move of moves) {
    await rm(at(move.to), { force: true });
    await moveFile(place, `${at(move.from)}.moving`, at(move.to));
  }
  for (const [file, post] of to) {
    const former = before.get(post.identity);
    if (former !== undefined && renderPost(former) === renderPost(post) && from.has(former.file)) continue;
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), renderPost(post));
  }
}

async function moveFile({ root, git }: { readonly root: string; readonly git: Git }, from: string, to: string) {
  await mkdir(dirname(to), { recursive: true });
  // git only moves tracked files.
  if (git === "git mv" && (await runGit(root, ["mv", "-f", from, to]).catch(() => "unknown")) !== "unknown") return;
  await rename(from, to);
}

async function runGit(cwd: string, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", [...argv], { cwd });
  return stdout;
}

/** Runs the CLI in a project, like a user. */
async function runImprint(root: string, { apiKey }: RunningHost, argv: readonly string[]): Promise<PublisherRun> {
  let [out, error] = ["", ""];
  try {
    const code = await runCli(argv, {
      cwd: root,
      environment: { IMPRINT_API_KEY: apiKey },
      out: { write: (text) => (out += text) },
      error: { write: (text) => (error += text) },
      signal: AbortSignal.timeout(900_000),
    });
    return parseRun({ code, out, error });
  } catch (thrown) {
    const crash = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { ...parseRun({ code: -1, out, error }), crash };
  }
}

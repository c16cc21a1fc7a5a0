import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { ASTRO_CONFIGS } from "../../options/parse-options.ts";

/** What was detected in a project's folder. */
export interface ProjectFacts {
  /** Path of the Astro config, relative to the project; `undefined` when it has none. */
  readonly configFile: string | undefined;
  /** Folders with Markdown posts, the most likely first, relative to the project. */
  readonly postFolders: readonly PostFolder[];
  /** The CI that the repository seems to use. */
  readonly ci: CiName | undefined;
}

export interface PostFolder {
  readonly path: string;
  readonly count: number;
}

export const CI_NAMES = ["github", "gitlab"] as const;
export type CiName = (typeof CI_NAMES)[number];

/** @throws ImprintError `USAGE` when the folder holds no Astro project */
export function inspectProject(root: string): ProjectFacts {
  const configFile = ASTRO_CONFIGS.find((name) => existsSync(join(root, name)));
  if (configFile === undefined && !hasAstro(root)) {
    throw new ImprintError("USAGE", `${root} is not an Astro project.`, {
      hint: "Run this in an Astro project, or create one with `npm create astro@latest`.",
    });
  }
  return { configFile, postFolders: findPostFolders(root), ci: findCi(root) };
}

function hasAstro(root: string): boolean {
  const manifest = readIfThere(join(root, "package.json"));
  return manifest !== undefined && /"astro"\s*:/.test(manifest);
}

const POST_NAMES = ["blog", "posts", "articles", "news", "writing"];

function findPostFolders(root: string): readonly PostFolder[] {
  return POST_NAMES.map((name) => `src/content/${name}`)
    .map((path) => ({ path, count: countMarkdown(join(root, path)) }))
    .filter(({ count }) => count > 0);
}

function countMarkdown(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.mdx?$/.test(name)).length;
}

function findCi(root: string): CiName | undefined {
  const repository = findRepository(root);
  if (repository === undefined) return undefined;
  if (existsSync(join(repository, ".gitlab-ci.yml"))) return "gitlab";
  if (existsSync(join(repository, ".github"))) return "github";
  const remotes = readIfThere(join(repository, ".git/config")) ?? "";
  return CI_NAMES.find((name) => new RegExp(`url = .*\\b${name}\\b`).test(remotes));
}

/** Finds the git repository that a project is in. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

/** Returns the live branch: `main`, or `master` if the repository is on it. */
export function liveBranch(root: string): string {
  const repository = findRepository(root) ?? root;
  return /^ref: refs\/heads\/master$/m.test(readIfThere(join(repository, ".git/HEAD")) ?? "") ? "master" : "main";
}

export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

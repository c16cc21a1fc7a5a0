import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import picomatch from "picomatch";
import { systemCodeOf } from "../base/error.ts";
import type { Options } from "../options/schema.ts";
import { parsePreviewName } from "../sync/preview-name.ts";
import type { Environment } from "./target.ts";

/** What a run publishes. */
export type RunMode =
  | { readonly kind: "live" }
  | { readonly kind: "preview"; readonly name: string }
  /** `why`: a complete sentence for the log. */
  | { readonly kind: "none"; readonly why: string };

export interface RunModeContext {
  readonly projectRoot: string;
  /** The process's own environment, for the variables of a CI. */
  readonly process: NodeJS.ProcessEnv;
  /** imprint's variables from the environment and the `.env` files. */
  readonly environment: Environment;
  /** Flags take precedence over the environment, which takes precedence over the options. */
  readonly flags?: { readonly preview?: string | undefined; readonly branch?: string | undefined };
}

/**
 * Decides whether a run publishes the live site, a preview, or nothing.
 *
 * @throws ImprintError `USAGE` if the name of a preview is invalid
 */
export async function decideRunMode(
  options: Pick<Options, "preview" | "publish">,
  { projectRoot, process, environment, flags = {} }: RunModeContext,
): Promise<RunMode> {
  const name = findNamedPreview(options, { environment, flags });
  if (name !== undefined) return { kind: "preview", name };
  const { publish } = options;
  if (typeof publish === "boolean") return { kind: "live" };
  const stated = flags.branch ?? (environment.IMPRINT_BRANCH || undefined);
  return followRules(publish, await findBranch(stated, { process, projectRoot }));
}

/**
 * Returns the preview that was named explicitly, regardless of the branch.
 *
 * @throws ImprintError `USAGE` if the name of a preview is invalid
 */
export function findNamedPreview(
  { preview }: Pick<Options, "preview">,
  { environment, flags = {} }: Pick<RunModeContext, "environment" | "flags">,
): string | undefined {
  const named = flags.preview ?? (environment.IMPRINT_PREVIEW || preview);
  return named === undefined ? undefined : parsePreviewName(named);
}

type Rules = Exclude<Options["publish"], boolean>;

function followRules({ branches, previews }: Rules, built: BuiltBranch): RunMode {
  const { branch, request, source } = built;
  if (branch === undefined && request?.name === undefined) {
    const why = `Not published: the branch of this build is unknown (${source} specifies none). Set IMPRINT_BRANCH or --branch.`;
    return { kind: "none", why };
  }
  if (request === undefined && matches(branch, branches)) return { kind: "live" };
  if (previews === true || (previews !== false && matches(branch, previews))) {
    return { kind: "preview", name: parsePreviewName(previewOf(built)) };
  }
  const what = request === undefined ? `the branch ${branch}` : `the pull request ${request.name ?? branch}`;
  const rules = previews === false ? "`publish.branches`" : "`publish.branches` and `publish.previews`";
  return { kind: "none", why: `Not published: this is ${what} (${source}), which is not in ${rules}.` };
}

function previewOf({ branch = "", request }: BuiltBranch): string {
  return request?.name ?? branch;
}

function matches(branch: string | undefined, patterns: readonly string[]): boolean {
  return branch !== undefined && picomatch.isMatch(branch, [...patterns]);
}

/** What a build was made from. */
interface BuiltBranch {
  /** `undefined` if unknown. */
  readonly branch: string | undefined;
  /** The pull request, as `pr-12`: its changes aren't in a branch of the repository yet. */
  readonly request: { readonly name: string | undefined } | undefined;
  /** Where this was read from: `GitHub`, `.git/HEAD`. */
  readonly source: string;
}

// From the user's settings, the CI's variables, or the checkout.
async function findBranch(
  stated: string | undefined,
  { process: environment, projectRoot }: Pick<RunModeContext, "process" | "projectRoot">,
): Promise<BuiltBranch> {
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

// `undefined` for a tag or a pull request, which aren't branches.
function branchName(text: string | undefined): string | undefined {
  if (text === undefined || /^refs\/(?!heads\/)/.test(text)) return undefined;
  return text.replace(/^(?:refs\/heads|origin)\//, "");
}

// `undefined` outside a repository and with a detached HEAD.
async function readGitBranch(folder: string): Promise<string | undefined> {
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec((await readHead(folder)) ?? "") ?? [];
  return branch?.trim();
}

async function readHead(folder: string): Promise<string | undefined> {
  const head = await readIfThere(join(folder, ".git", "HEAD"));
  if (head !== undefined) return head;
  // In a worktree or a submodule, a file contains the path of the folder.
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

/** Names of a CI's variables for what it builds; the values "", `false` and `none` count as unset. */
interface CiRow {
  readonly name: string;
  /** Always set in this CI. */
  readonly mark: string;
  /** The branch, as `main`, `refs/heads/main` or `origin/main`. */
  readonly branch: readonly string[];
  /** Set for builds of a tag, which some report in the variable of the branch. */
  readonly tag?: string;
  /** The number of the pull request, as `12` or `refs/pull/12/merge`. */
  readonly request?: string;
  /** Prefix for pull requests. Default: "pr". */
  readonly requestWord?: "mr";
  /** The branch that the pull request comes from; set for pull requests only. */
  readonly head?: string;
}

// A pull request from a fork may come from a branch of any name, including `main`, so it never counts as that branch.
const CI_TABLE: readonly CiRow[] = [
  { name: "GitHub", mark: "GITHUB_ACTIONS", branch: ["GITHUB_REF"], request: "GITHUB_REF", head: "GITHUB_HEAD_REF" },
  {
    name: "GitLab",
    mark: "GITLAB_CI",
    branch: ["CI_COMMIT_BRANCH"],
    request: "CI_MERGE_REQUEST_IID",
    requestWord: "mr",
    head: "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
  },
  { name: "Netlify", mark: "NETLIFY", branch: ["BRANCH"], request: "REVIEW_ID" },
  { name: "Vercel", mark: "VERCEL", branch: ["VERCEL_GIT_COMMIT_REF"], request: "VERCEL_GIT_PULL_REQUEST_ID" },
  { name: "Cloudflare Pages", mark: "CF_PAGES", branch: ["CF_PAGES_BRANCH"] },
  { name: "Cloudflare Workers", mark: "WORKERS_CI", branch: ["WORKERS_CI_BRANCH"] },
  { name: "Bitbucket", mark: "BITBUCKET_BUILD_NUMBER", branch: ["BITBUCKET_BRANCH"], request: "BITBUCKET_PR_ID" },
  { name: "CircleCI", mark: "CIRCLECI", branch: ["CIRCLE_BRANCH"], tag: "CIRCLE_TAG", request: "CIRCLE_PR_NUMBER" },
  {
    name: "Azure Pipelines",
    mark: "TF_BUILD",
    branch: ["BUILD_SOURCEBRANCH"],
    request: "SYSTEM_PULLREQUEST_PULLREQUESTNUMBER",
    head: "SYSTEM_PULLREQUEST_SOURCEBRANCH",
  },
  {
    name: "Buildkite",
    mark: "BUILDKITE",
    branch: ["BUILDKITE_BRANCH"],
    tag: "BUILDKITE_TAG",
    request: "BUILDKITE_PULL_REQUEST",
  },
  {
    name: "Travis",
    mark: "TRAVIS",
    branch: ["TRAVIS_BRANCH"],
    tag: "TRAVIS_TAG",
    request: "TRAVIS_PULL_REQUEST",
    head: "TRAVIS_PULL_REQUEST_BRANCH",
  },
  {
    name: "Jenkins",
    mark: "JENKINS_URL",
    branch: ["BRANCH_NAME", "GIT_BRANCH"],
    tag: "TAG_NAME",
    request: "CHANGE_ID",
    head: "CHANGE_BRANCH",
  },
  // Checks out the target branch of a pull request, and merges the request into it.
  { name: "Drone", mark: "DRONE", branch: ["DRONE_BRANCH"], tag: "DRONE_TAG", request: "DRONE_PULL_REQUEST" },
  { name: "AWS Amplify", mark: "AWS_APP_ID", branch: ["AWS_BRANCH"], request: "AWS_PULL_REQUEST_ID" },
  { name: "Render", mark: "RENDER", branch: ["RENDER_GIT_BRANCH"] },
];

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { decideRunMode } from "../../src/target/run-mode.ts";
import { parseOptions, type Environment, type ImprintOptions } from "../../src/publish.ts";

async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-branch-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

interface Situation {
  readonly ci?: NodeJS.ProcessEnv;
  readonly environment?: Environment;
  readonly flags?: { readonly preview?: string; readonly branch?: string };
  readonly files?: Readonly<Record<string, string>>;
  readonly at?: string;
}

async function decide(
  input: Pick<ImprintOptions, "publish" | "preview">,
  { ci = {}, environment = {}, flags = {}, files, at = "." }: Situation = {},
): Promise<string> {
  const projectRoot = join(await makeFolder(files), at);
  const runMode = await decideRunMode(parseOptions(input), { projectRoot, process: ci, environment, flags });
  if (runMode.kind === "none") return runMode.why;
  return runMode.kind === "preview" ? `preview ${runMode.name}` : "live";
}

const MAIN = { branches: ["main", "release/*"], previews: true };

describe("the branch in a CI", () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ["GitHub, push", { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/main", GITHUB_HEAD_REF: "" }, "live"],
    ["GitHub, pattern", { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/release/2" }, "live"],
    ["GitHub, branch", { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/feature/nav" }, "preview feature-nav"],
    [
      "GitHub, pull request from a branch named main",
      { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/pull/12/merge", GITHUB_HEAD_REF: "main" },
      "preview pr-12",
    ],
    [
      "GitHub, pull_request_target",
      { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/main", GITHUB_HEAD_REF: "patch-1" },
      "preview patch-1",
    ],
    ["GitLab, branch", { GITLAB_CI: "true", CI_COMMIT_BRANCH: "main" }, "live"],
    [
      "GitLab, merge request",
      { GITLAB_CI: "true", CI_MERGE_REQUEST_IID: "7", CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "main" },
      "preview mr-7",
    ],
    ["Netlify, production", { NETLIFY: "true", BRANCH: "main", HEAD: "main", PULL_REQUEST: "false" }, "live"],
    [
      "Netlify, deploy preview",
      { NETLIFY: "true", BRANCH: "pull/3/head", HEAD: "nav", REVIEW_ID: "3" },
      "preview pr-3",
    ],
    ["Netlify, branch deploy", { NETLIFY: "true", BRANCH: "nav", HEAD: "nav" }, "preview nav"],
    ["Vercel", { VERCEL: "1", VERCEL_GIT_COMMIT_REF: "main", VERCEL_GIT_PULL_REQUEST_ID: "" }, "live"],
    [
      "Vercel, pull request",
      { VERCEL: "1", VERCEL_GIT_COMMIT_REF: "nav", VERCEL_GIT_PULL_REQUEST_ID: "4" },
      "preview pr-4",
    ],
    ["Cloudflare Pages", { CF_PAGES: "1", CF_PAGES_BRANCH: "main" }, "live"],
    ["Cloudflare Workers", { WORKERS_CI: "1", WORKERS_CI_BRANCH: "nav" }, "preview nav"],
    ["Bitbucket", { BITBUCKET_BUILD_NUMBER: "9", BITBUCKET_BRANCH: "main" }, "live"],
    [
      "Bitbucket, pull request",
      { BITBUCKET_BUILD_NUMBER: "9", BITBUCKET_BRANCH: "main", BITBUCKET_PR_ID: "5" },
      "preview pr-5",
    ],
    ["CircleCI", { CIRCLECI: "true", CIRCLE_BRANCH: "main" }, "live"],
    ["Azure", { TF_BUILD: "True", BUILD_SOURCEBRANCH: "refs/heads/main" }, "live"],
    [
      "Azure, pull request",
      {
        TF_BUILD: "True",
        BUILD_SOURCEBRANCH: "refs/pull/6/merge",
        SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: "6",
        SYSTEM_PULLREQUEST_SOURCEBRANCH: "refs/heads/main",
      },
      "preview pr-6",
    ],
    ["Buildkite", { BUILDKITE: "true", BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "false" }, "live"],
    [
      "Buildkite, pull request",
      { BUILDKITE: "true", BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "8" },
      "preview pr-8",
    ],
    ["Travis", { TRAVIS: "true", TRAVIS_BRANCH: "main", TRAVIS_PULL_REQUEST: "false", TRAVIS_TAG: "" }, "live"],
    ["Jenkins, multibranch", { JENKINS_URL: "http://ci/", BRANCH_NAME: "main" }, "live"],
    ["Drone, push", { DRONE: "true", DRONE_BRANCH: "main", DRONE_SOURCE_BRANCH: "main" }, "live"],
    [
      "Drone, pull request to main, which it checks out",
      { DRONE: "true", DRONE_BRANCH: "main", DRONE_SOURCE_BRANCH: "nav", DRONE_PULL_REQUEST: "12" },
      "preview pr-12",
    ],
    ["Jenkins, git plugin", { JENKINS_URL: "http://ci/", GIT_BRANCH: "origin/main" }, "live"],
    [
      "Jenkins, pull request",
      { JENKINS_URL: "http://ci/", BRANCH_NAME: "PR-2", CHANGE_ID: "2", CHANGE_BRANCH: "main" },
      "preview pr-2",
    ],
  ])("%s", async (_, ci, expected) => {
    expect(await decide({ publish: MAIN }, { ci })).toBe(expected);
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ["GitHub", { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/tags/main" }],
    ["GitLab", { GITLAB_CI: "true", CI_COMMIT_TAG: "main" }],
    ["Buildkite", { BUILDKITE: "true", BUILDKITE_BRANCH: "main", BUILDKITE_TAG: "main" }],
    ["Jenkins", { JENKINS_URL: "http://ci/", BRANCH_NAME: "main", TAG_NAME: "main" }],
  ])("is unset for a tag at %s, whatever its name", async (name, ci) => {
    expect(await decide({ publish: MAIN }, { ci })).toContain(`unknown (${name} specifies none)`);
  });
});

describe("the checked-out branch", () => {
  const head = (text: string) => ({ ".git/HEAD": text });

  it("is read from .git/HEAD, also in a subfolder", async () => {
    expect(await decide({ publish: MAIN }, { files: head("ref: refs/heads/main\n") })).toBe("live");
    const files = { ...head("ref: refs/heads/feature/nav\n"), "sites/blog/package.json": "{}" };
    expect(await decide({ publish: MAIN }, { files, at: "sites/blog" })).toBe("preview feature-nav");
  });

  it("is read from a worktree", async () => {
    const files = {
      "tree/.git": "gitdir: ../repository/.git/worktrees/tree\n",
      "repository/.git/worktrees/tree/HEAD": "ref: refs/heads/nav\n",
    };
    expect(await decide({ publish: MAIN }, { files, at: "tree" })).toBe("preview nav");
  });

  it("is unknown if a commit is checked out, which is reported with a remedy", async () => {
    const why = await decide({ publish: MAIN }, { files: head("63657f9a63657f9a63657f9a63657f9a63657f9a\n") });
    expect(why).toBe(
      "Not published: the branch of this build is unknown (.git/HEAD specifies none). Set IMPRINT_BRANCH or --branch.",
    );
  });
});

describe("the rules for branches", () => {
  const ci = { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/feature/nav" };

  it("publish nothing from another branch unless previews are enabled, and report why", async () => {
    expect(await decide({ publish: { branches: ["main"] } }, { ci })).toBe(
      "Not published: this is the branch feature/nav (GitHub), which is not in `publish.branches`.",
    );
    const previews = ["preview/*"];
    expect(await decide({ publish: { branches: ["main"], previews } }, { ci })).toBe(
      "Not published: this is the branch feature/nav (GitHub), which is not in `publish.branches` and `publish.previews`.",
    );
    expect(await decide({ publish: { branches: ["main"], previews: ["feature/*"] } }, { ci })).toBe(
      "preview feature-nav",
    );
  });

  it("use a flag before the environment, and the environment before the CI", async () => {
    const environment = { IMPRINT_BRANCH: "nav" };
    expect(await decide({ publish: MAIN }, { ci, environment })).toBe("preview nav");
    expect(await decide({ publish: MAIN }, { ci, environment, flags: { branch: "main" } })).toBe("live");
  });

  it("accept a full reference as a branch, as in CI variables, and reject tags", async () => {
    const modeOf = (branch: string) => decide({ publish: MAIN }, { ci, environment: { IMPRINT_BRANCH: branch } });
    expect(await modeOf("refs/heads/main")).toBe("live");
    expect(await modeOf("refs/heads/feature/nav")).toBe("preview feature-nav");
    const unknown = "the branch of this build is unknown (--branch or IMPRINT_BRANCH specifies none)";
    expect(await modeOf("refs/tags/v1.0.0")).toContain(unknown);
    expect(await decide({ publish: MAIN }, { ci, flags: { branch: "" } })).toContain(unknown);
  });

  it("don't apply to a named preview: by a flag, the environment, or the options, in this order", async () => {
    const options = { publish: { branches: ["main"] }, preview: "option" };
    const environment = { IMPRINT_PREVIEW: "variable" };
    expect(await decide(options, { ci })).toBe("preview option");
    expect(await decide(options, { ci, environment })).toBe("preview variable");
    expect(await decide(options, { ci, environment, flags: { preview: "flag" } })).toBe("preview flag");
  });

  it("treat an empty IMPRINT_PREVIEW as unset, and reject an empty --preview", async () => {
    expect(await decide({}, { environment: { IMPRINT_PREVIEW: "" } })).toBe("live");
    await expect(decide({}, { flags: { preview: "" } })).rejects.toMatchObject({ code: "USAGE" });
  });

  it("don't apply if there are none", async () => {
    expect(await decide({}, { ci })).toBe("live");
    expect(await decide({ publish: false }, { ci })).toBe("live");
  });
});

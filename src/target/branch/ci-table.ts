/** Where a CI says what it builds. Names of variables; an empty one, `false` and `none` count as not set. */
export interface CiRow {
  readonly name: string;
  /** Set wherever this CI runs. */
  readonly mark: string;
  /** The branch, as `main`, `refs/heads/main` or `origin/main`. */
  readonly branch: readonly string[];
  /** Set while a tag is built, which some call by the variable of the branch. */
  readonly tag?: string;
  /** The number of the pull request that is built, as `12` or `refs/pull/12/merge`. */
  readonly request?: string;
  /** What pull requests are called here. Default: "pr". */
  readonly requestWord?: "mr";
  /** The branch that the pull request comes from; set for pull requests only. */
  readonly head?: string;
}

// A pull request from a fork may come from a branch of any name, `main` too: it never counts as that branch.
export const CI_TABLE: readonly CiRow[] = [
  {
    name: "GitHub",
    mark: "GITHUB_ACTIONS",
    branch: ["GITHUB_REF"],
    request: "GITHUB_REF",
    head: "GITHUB_HEAD_REF",
  },
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
  {
    name: "Bitbucket",
    mark: "BITBUCKET_BUILD_NUMBER",
    branch: ["BITBUCKET_BRANCH"],
    request: "BITBUCKET_PR_ID",
  },
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
  // It checks out the branch that a pull request goes to, and merges the request into it.
  { name: "Drone", mark: "DRONE", branch: ["DRONE_BRANCH"], tag: "DRONE_TAG", request: "DRONE_PULL_REQUEST" },
  { name: "AWS Amplify", mark: "AWS_APP_ID", branch: ["AWS_BRANCH"], request: "AWS_PULL_REQUEST_ID" },
  { name: "Render", mark: "RENDER", branch: ["RENDER_GIT_BRANCH"] },
];

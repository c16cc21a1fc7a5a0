import type { OutputStream } from "./context.ts";

// Most set CI; these older ones have variables of their own.
const MARKS = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID", "BUILDKITE"];

/** Whether a person watches the output as it comes: a terminal that is not one of a CI. */
export function isWatched({ isTTY }: OutputStream, environment: NodeJS.ProcessEnv): boolean {
  return isTTY === true && !isCi(environment);
}

function isCi(environment: NodeJS.ProcessEnv): boolean {
  return MARKS.some((name) => !/^(?:|0|false)$/i.test(environment[name] ?? ""));
}

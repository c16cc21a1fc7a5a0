// Most set CI; these older ones have their own variables.
const MARKS = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID", "BUILDKITE"];

/** Whether this runs in CI, where nobody can answer prompts. */
export function isCi(environment: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((name) => !/^(?:|0|false)$/i.test(environment[name] ?? ""));
}

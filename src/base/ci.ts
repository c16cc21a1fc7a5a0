// Most set CI; these older ones have variables of their own.
const MARKS = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID", "BUILDKITE"];

/** Whether the environment is that of a CI, where nobody can be asked. */
export function isCi(environment: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((name) => !/^(?:|0|false)$/i.test(environment[name] ?? ""));
}

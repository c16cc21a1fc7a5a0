import { sha256 } from "../../base/hash.ts";
import type { Report } from "./report.ts";
import { problemLine } from "./words.ts";

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
interface Finding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "minor" | "major" | "blocker";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** Failures, blocked changes and warnings as GitLab shows them in a merge request (`artifacts:reports:codequality`). */
export function renderCodeQuality({ entries, warnings, verified }: Report): string {
  const findings = [
    ...entries.flatMap(({ kind, resource, name, reason, error }) => {
      if (kind !== "failed" && kind !== "blocked") return [];
      const severity = kind === "failed" ? ("blocker" as const) : ("major" as const);
      const description = `${resource} ${name}: ${error?.message ?? reason}`;
      return [findingOf({ description, check_name: error?.code ?? kind, severity, path: name, line: undefined })];
    }),
    ...(verified?.problems ?? []).map((problem) => {
      const { usedBy, address } = problem;
      const description = `${problemLine(problem)}. ${problem.hint}`;
      const path = usedBy[0] ?? address;
      return findingOf({ description, check_name: "not-live", severity: "blocker", path, line: undefined });
    }),
    ...warnings.map(({ code, file, line, message }) =>
      findingOf({ description: message, check_name: code, severity: "minor", path: file, line }),
    ),
  ];
  return `${JSON.stringify(findings, undefined, 2)}\n`;
}

function findingOf({
  path,
  line = 1,
  ...finding
}: Omit<Finding, "fingerprint" | "location"> & { readonly path: string; readonly line: number | undefined }): Finding {
  // The same finding has the same fingerprint in the next run, also when lines above it changed.
  const fingerprint = sha256(JSON.stringify([finding.check_name, path, finding.description]));
  return { ...finding, fingerprint, location: { path, lines: { begin: line } } };
}

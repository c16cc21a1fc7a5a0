import type { Report } from "../../src/publish.ts";
import type { FailedRequest, Heard } from "./visit.ts";

/** Whether the report says that something of the site is unsupported; then the page isn't at fault. */
export function isReported(report: Report, path: string): boolean {
  const blocked = report.entries.filter(({ kind }) => kind === "blocked");
  const texts = [
    ...report.warnings.map(({ message }) => message),
    ...blocked.flatMap(({ reason, details = [] }) => [reason, ...details]),
  ];
  return path !== "" && texts.some((text) => text.includes(path));
}

/** What was recorded on a published page, without the requests that the report mentions and their console messages. */
export function withoutReported(report: Report, { console, failed }: Pick<Heard, "console" | "failed">) {
  const unreported = failed.filter((failure) => !isReported(report, pathOf(failure)));
  return { failed: unreported, console: withoutComplaints(console, failed.length - unreported.length) };
}

function pathOf({ address }: FailedRequest): string {
  return decodeURIComponent(new URL(address).pathname.slice(1));
}

/** The browser logs every failed request once, without naming it. */
function withoutComplaints(lines: readonly string[], count: number): readonly string[] {
  let excused = 0;
  return lines.filter((line) => {
    const isExcused = excused < count && line.startsWith("error: Failed to load resource");
    if (isExcused) excused += 1;
    return !isExcused;
  });
}

import type { Report } from "./report.ts";

/** The report for machines. Fields are only added while `version` stays the same. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

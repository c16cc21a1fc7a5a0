import { ON_HOLD } from "../../posts/plan/changes.ts";
import type { BuildFindings } from "./build-order.ts";
import type { PlanView } from "./messages.ts";

/** The findings of a build, and when it began. */
export interface PlannedAt extends BuildFindings {
  readonly route: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

// Changes that a publish has applied are no longer shown as changes.
const CARRIED_OUT: readonly string[] = ["create", "update"];
const PUBLISHED = { kind: "published", reason: "It matches this build" } as const;
const CHANGES: readonly string[] = ["create", "update", "delete", "blocked", "failed"];

/** Describes a plan for the page on screen, and counts its other changes. */
export function viewPlan({ report, slug, file, diff, at }: PlannedAt, isStale: boolean): PlanView {
  const { entries } = report;
  // The panel lists posts on hold by themselves.
  const warnings = report.warnings.filter(({ code }) => code !== ON_HOLD);
  const entry = entries.find(({ resource, name }) => resource === "page" && name === slug);
  const kit = entries.find(({ resource }) => resource === "brand kit");
  const others = entries.filter((each) => each !== entry && each.resource !== "asset" && CHANGES.includes(each.kind));
  const named = warnings.flatMap(({ message, places }) => {
    const place = places.find((each) => each.file === file || !each.file.endsWith(".html"));
    if (place === undefined) return [];
    return [{ message, place: place.line === undefined ? place.file : `${place.file}:${place.line}` }];
  });
  return {
    at: new Date(at).toISOString(),
    isStale,
    page:
      entry !== undefined && !report.dryRun && CARRIED_OUT.includes(entry.kind)
        ? PUBLISHED
        : entry && { kind: entry.kind, reason: entry.error?.message ?? entry.reason, hint: entry.hint },
    diff: report.dryRun ? diff : "",
    others: report.dryRun ? others.length : 0,
    warnings: named,
    otherWarnings: warnings.length - named.length,
    drift: report.dryRun && kit?.kind === "update" ? (kit.details ?? []) : [],
  };
}

import * as z from "zod";
import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { listChanges, type ChangeSummary, type Plan } from "./changes.ts";
import type { ResourceName } from "../base/outcome.ts";

const changeSchema = z.object({
  resource: z.string(),
  kind: z.string(),
  name: z.string(),
  reason: z.string(),
  /** Fingerprint of what the change is based on: the site's and the service's versions. */
  basis: z.string(),
});

const planFileSchema = z.object({
  version: z.literal(1),
  target: z.object({ baseUrl: z.string(), routeSet: z.enum(["a", "b"]) }),
  changes: z.array(changeSchema),
});

type PlanFile = z.infer<typeof planFileSchema>;
type PlannedChange = PlanFile["changes"][number];

/** The service that a plan is for. */
export type PlanTarget = PlanFile["target"];

/** Renders a plan as a file for review, which a later run applies. Contains neither content nor keys. */
export function renderPlanFile(plan: Plan, target: PlanTarget): string {
  const file: PlanFile = { version: 1, target, changes: [...describeChanges(plan)] };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/**
 * Compares a reviewed plan to what a run would do now.
 *
 * @throws ImprintError `PLAN_OUTDATED` with the differences, `USAGE` if the text isn't a plan
 */
export function checkPlanFile(
  text: string,
  { plan, target }: { readonly plan: Plan; readonly target: PlanTarget },
): void {
  const reviewed = parsePlanFile(text);
  if (JSON.stringify(reviewed.target) !== JSON.stringify(target)) {
    throw outdated([`It was made for ${reviewed.target.baseUrl}, and this run publishes to ${target.baseUrl}.`]);
  }
  const now = describeChanges(plan);
  const differences = [...missingFrom(now, reviewed.changes), ...missingFrom(reviewed.changes, now)];
  const names = [...new Set(differences.map(({ resource, name }) => `${resource} ${name}`))];
  if (names.length > 0) throw outdated(names.map((name) => `${name} has changed since the plan was made.`));
}

function parsePlanFile(text: string): PlanFile {
  try {
    return planFileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ImprintError("USAGE", "The file for --plan is not a plan.", {
      cause: error,
      hint: "Write one with `imprint plan --out plan.json`.",
    });
  }
}

function missingFrom(changes: readonly PlannedChange[], others: readonly PlannedChange[]): readonly PlannedChange[] {
  const known = new Set(others.map((change) => JSON.stringify(change)));
  return changes.filter((change) => !known.has(JSON.stringify(change)));
}

const MAX_REASONS = 5;

function outdated(reasons: readonly string[]): ImprintError {
  const more = reasons.length > MAX_REASONS ? [`And ${reasons.length - MAX_REASONS} more.`] : [];
  return new ImprintError("PLAN_OUTDATED", [...reasons.slice(0, MAX_REASONS), ...more].join("\n"));
}

// Omits kept records and general limitations of the host: only changes that would be applied, or are blocked.
function describeChanges(plan: Plan): readonly PlannedChange[] {
  const changes = listChanges(plan).filter(([resource, { kind }]) => resource !== "host" && kind !== "keep");
  return changes.map(([resource, change]) => describe(resource, change));
}

function describe(resource: ResourceName, change: Omit<ChangeSummary, "resource">): PlannedChange {
  const { kind, name, reason } = change;
  return { resource, kind, name, reason, basis: sha256(JSON.stringify(basisOf(change))).slice(0, 16) };
}

// Hashes and versions if available, else IDs and addresses. Omits times, as a service may touch a record without
// changing it.
function basisOf(change: object): unknown {
  return Object.entries(change)
    .filter(([name]) => name === "desired" || name === "known" || name === "asset" || name === "post")
    .map(([name, value]) => [name, JSON.parse(JSON.stringify(value, lastingOnly))]);
}

function lastingOnly(name: string, value: unknown): unknown {
  if (name === "record") return versionOf(value);
  return /(?:At|url|Url|usedBy|pageCount)$/.test(name) ? undefined : value;
}

// A remembered page has fewer fields than a listed one.
function versionOf(record: unknown): unknown {
  const { version, contentHash } = Object(record);
  return { version, contentHash };
}

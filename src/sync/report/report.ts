import type { ErrorLocation, ImprintError } from "../../base/error.ts";
import type { ChangeSummary } from "../changes.ts";
import type { SiteWarning } from "../../site/model.ts";
import type { SpareAssets } from "../known-assets.ts";
import { groupWarnings, type ReportedWarning } from "./warning-groups.ts";
import { REPORT_KINDS, RESOURCES, type Verified } from "./words.ts";
import type { Outcome, ChangeKind, ResourceName } from "../../base/outcome.ts";
import type { HeldPage } from "../../posts/local/held-pages.ts";

/** What a run did, or would do: the data of every form of the report. */
export interface Report {
  /** Increases if a field changes its meaning. */
  readonly version: 1;
  readonly dryRun: boolean;
  readonly target: { readonly baseUrl: string; readonly routeSet: "a" | "b"; readonly isEmbedded?: true };
  /** Name of the preview that the pages belong to; absent for the live site. */
  readonly preview?: string;
  /** Changes that were applied, planned (in a dry run), failed or blocked. */
  readonly entries: readonly ReportEntry[];
  readonly counts: Readonly<Record<ResourceName, Readonly<Record<ReportKind, number>>>>;
  /** One for all pages that have it, in the order of discovery. */
  readonly warnings: readonly ReportedWarning[];
  /** Pages of the built site that are left out because their posts aren't published; absent if there are none. */
  readonly heldPages?: readonly HeldPage[];
  /** Slugs of pages with the script that maps routes in their own scripts to published pages; absent if none. */
  readonly routeMapPages?: readonly string[];
  /**
   * The release that the pages were published with, and the one that it replaced; absent if the pages were published
   * one by one, or nothing changed.
   */
  readonly release?: { readonly id: string; readonly parent: string | null };
  readonly links: { readonly home?: string; readonly blog?: string };
  /** The command that serves the site at `links` if no service runs after the run; absent if one does. */
  readonly seeWith?: string;
  readonly requests: { readonly total: number; readonly writes: number };
  readonly bytesSent: number;
  /** Bytes of the sent images, before and after optimizing. */
  readonly images: { readonly bytesBefore: number; readonly bytesAfter: number };
  /** Our files in the library that seem to be unused; absent if there are none, or if it is unknown. */
  readonly spareAssets?: SpareAssets;
  /** What the public addresses showed after publishing; absent if they were not verified. */
  readonly verified?: Verified;
  readonly elapsedMs: number;
  /**
   * 0: everything that was built is live. 1: something isn't, because it failed or was blocked, or there is a warning
   * in strict mode. Optional resources such as a brand kit, limitations accepted for this host, and notices don't
   * count.
   */
  readonly exitCode: 0 | 1;
}

/** Whether a report needs nobody's attention; notices don't. */
export function isClean({ exitCode, warnings }: Report): boolean {
  return exitCode === 0 && warnings.every(({ isNotice }) => isNotice === true);
}

export type ReportKind = ChangeKind | "failed";

export interface ReportEntry {
  readonly resource: ResourceName;
  readonly kind: ReportKind;
  readonly name: string;
  readonly reason: string;
  readonly url?: string;
  readonly hint?: string;
  /** Absent: blocked counts as not live. `never`: the site works without it. `unless accepted`: it may be accepted. */
  readonly counts?: ChangeSummary["counts"];
  /** What `--accept` accepts one by one, such as the attributes that the host removes. Absent: the entry as a whole. */
  readonly parts?: readonly string[];
  /** Set if what is blocked or failed is deleting something that isn't part of the site. */
  readonly isLeftover?: true;
  /** The differences, one per line: `primary #25c2a0 → #2bd4b0`. */
  readonly details?: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    /** Where the error was found in the project; absent if not in a file. */
    readonly location?: ErrorLocation;
  };
  readonly bytes?: number;
}

export interface ReportInput {
  /** The planned changes, in the order of the report. */
  readonly changes: readonly ChangeSummary[];
  readonly target: Report["target"];
  /** Accepted limitations of the host, by the names of `findAcceptable`. */
  readonly accepted?: ReadonlySet<string>;
  /** Name of the preview, if it is one. */
  readonly preview?: string | undefined;
  readonly warnings: readonly SiteWarning[];
  readonly release?: Report["release"] | undefined;
  readonly links: Report["links"];
  readonly requests: Report["requests"];
  readonly elapsedMs: number;
  readonly strict: boolean;
  readonly seeWith?: string | undefined;
  readonly spareAssets?: SpareAssets | undefined;
  readonly verified?: Verified | undefined;
  readonly heldPages?: readonly HeldPage[];
  readonly routeMapPages?: readonly string[];
  /** Posts with invalid files, which are not sent. */
  readonly invalidPosts: readonly { readonly file: string; readonly error: ImprintError }[];
}

/** Creates the report of a dry run. */
export function reportPlan(input: ReportInput): Report {
  return createReport(input.changes, { ...input, dryRun: true, images: { bytesBefore: 0, bytesAfter: 0 } });
}

/** Creates the report of a run that published. */
export function reportOutcomes(outcomes: readonly Outcome[], input: ReportInput): Report {
  const ordered = inPlanOrder(withoutRefuted(outcomes), input.changes);
  return createReport(ordered.map(entryOf), { ...input, dryRun: false, images: imageBytes(outcomes) });
}

// A change that the service acknowledged but doesn't show counts as failed. A page may have failed several checks.
function withoutRefuted(outcomes: readonly Outcome[]): readonly Outcome[] {
  const keyOf = ({ resource, kind, name }: Outcome) =>
    resource === "page" ? `page ${name}` : `${resource} ${kind} ${name}`;
  const failures = outcomes.filter(({ status }) => status === "failed");
  const first = new Map(failures.toReversed().map((outcome) => [keyOf(outcome), outcome]));
  return outcomes.filter((outcome) => {
    const failed = first.get(keyOf(outcome));
    const isOther = outcome.resource !== "page" && outcome.status === "failed";
    return failed === undefined || failed === outcome || isOther;
  });
}

// Outcomes arrive in the order of responses, but reports of equal runs should be equal.
function inPlanOrder(outcomes: readonly Outcome[], changes: readonly ChangeSummary[]): readonly Outcome[] {
  const places = new Map(
    changes.map(({ resource, name }, index) => [`${resource} ${name}`, index] as const).toReversed(),
  );
  const placeOf = ({ resource, name }: Outcome) => places.get(`${resource} ${name}`) ?? changes.length;
  return outcomes.toSorted((one, other) => placeOf(one) - placeOf(other) || (one.bytes ?? 0) - (other.bytes ?? 0));
}

function createReport(changes: readonly ReportEntry[], input: ReportInput & Pick<Report, "dryRun" | "images">): Report {
  const { strict, target, preview, dryRun, warnings, links, requests, images, elapsedMs, verified } = input;
  const entries = [...changes, ...input.invalidPosts.map(invalidPostEntry)];
  const isVerified = verified === undefined || verified.problems.length === 0;
  const isNotLive =
    !isVerified ||
    entries.some(
      (entry) => entry.kind === "failed" || (entry.kind === "blocked" && !isAccepted(entry, input.accepted)),
    );
  const isDoubtful =
    warnings.some(({ isNotice }) => isNotice !== true) || entries.some((entry) => entry.kind === "blocked");
  return {
    version: 1,
    dryRun,
    target,
    ...(preview === undefined ? {} : { preview }),
    entries,
    counts: countEntries(entries),
    warnings: groupWarnings(warnings),
    ...(input.heldPages === undefined || input.heldPages.length === 0 ? {} : { heldPages: input.heldPages }),
    ...(input.routeMapPages === undefined || input.routeMapPages.length === 0
      ? {}
      : { routeMapPages: input.routeMapPages }),
    ...(input.release === undefined ? {} : { release: input.release }),
    links,
    ...(input.seeWith === undefined ? {} : { seeWith: input.seeWith }),
    requests,
    // Inlined files are sent as part of their pages.
    bytesSent: dryRun ? 0 : entries.reduce((sum, { kind, bytes = 0 }) => sum + (kind === "inline" ? 0 : bytes), 0),
    images,
    ...(input.spareAssets === undefined ? {} : { spareAssets: input.spareAssets }),
    ...(verified === undefined ? {} : { verified }),
    elapsedMs: Math.round(elapsedMs),
    exitCode: isNotLive || (strict && isDoubtful) ? 1 : 0,
  };
}

function entryOf(outcome: Outcome): ReportEntry {
  const { resource, kind, name, reason, url, hint, counts, parts, isLeftover, details, bytes, error } = outcome;
  const entry = { resource, kind, name, reason, url, hint, counts, parts, isLeftover, details, bytes };
  if (error === undefined) return entry;
  return { ...entry, kind: "failed", error: errorData(error), ...(kind === "delete" ? { isLeftover: true } : {}) };
}

function isAccepted(entry: ReportEntry, accepted: ReadonlySet<string> = new Set()): boolean {
  return entry.counts === "never" || (entry.counts === "unless accepted" && areAccepted(entry, accepted));
}

type Acceptable = Pick<Outcome, "resource" | "name" | "parts">;

/** Whether a user accepted a limitation of the host, as a whole or each of its parts. */
export function areAccepted(limit: Acceptable, accepted: ReadonlySet<string>): boolean {
  const whole = `${limit.resource} ${limit.name}`;
  return accepted.has(whole) || (limit.parts !== undefined && namesOf(limit).every((name) => accepted.has(name)));
}

function namesOf({ resource, name, parts }: Acceptable): readonly string[] {
  return parts === undefined ? [`${resource} ${name}`] : parts.map((part) => `${resource} ${name} ${part}`);
}

/** Returns the names of the host's limitations that a user may accept. */
export function findAcceptable(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => (outcome.counts === "unless accepted" ? namesOf(outcome) : []));
}

function invalidPostEntry({ file, error }: ReportInput["invalidPosts"][number]): ReportEntry {
  return { resource: "post", kind: "failed", name: file, reason: error.title, error: errorData(error) };
}

function errorData({ code, message, hint, location }: ImprintError) {
  return { code, message, hint, ...(location === undefined ? {} : { location }) };
}

function imageBytes(outcomes: readonly Outcome[]): Report["images"] {
  const sent = outcomes.filter((outcome) => outcome.bytesBefore !== undefined);
  return {
    bytesBefore: sent.reduce((sum, outcome) => sum + (outcome.bytesBefore ?? 0), 0),
    bytesAfter: sent.reduce((sum, outcome) => sum + (outcome.bytes ?? 0), 0),
  };
}

function countEntries(entries: readonly ReportEntry[]): Report["counts"] {
  const count = (resource: ResourceName, kind: ReportKind) =>
    entries.filter((entry) => entry.resource === resource && entry.kind === kind).length;
  const counts = RESOURCES.map((resource) => {
    return [resource, Object.fromEntries(REPORT_KINDS.map((kind) => [kind, count(resource, kind)]))];
  });
  return Object.fromEntries(counts) as Report["counts"];
}

import type { Report, ReportKind } from "./report.ts";
import type { ResourceName } from "../../base/outcome.ts";

const PLURALS: Readonly<Record<ResourceName, string>> = {
  site: "sites",
  asset: "assets",
  page: "pages",
  blog: "blogs",
  post: "posts",
  "brand kit": "brand kits",
  host: "host",
};

/** In the order in which reports count them. */
export const REPORT_KINDS: readonly ReportKind[] = [
  "create",
  "update",
  "delete",
  "keep",
  "inline",
  "orphan",
  "wait",
  "blocked",
  "failed",
];

const DONE: Readonly<Record<ReportKind, string>> = {
  create: "published",
  update: "updated",
  keep: "unchanged",
  inline: "put into pages",
  delete: "deleted",
  orphan: "no longer in the site",
  wait: "waiting",
  blocked: "blocked",
  failed: "failed",
};

const PLANNED: Readonly<Record<ReportKind, string>> = {
  ...DONE,
  create: "to publish",
  update: "to update",
  delete: "to delete",
};

export function pluralOf(resource: ResourceName): string {
  return PLURALS[resource];
}

export function kindWord(kind: ReportKind, report: Pick<Report, "dryRun">): string {
  return (report.dryRun ? PLANNED : DONE)[kind];
}

/** Whether the run found everything as it should be, but for what was accepted of this host. */
export function isUnchanged({ entries, exitCode }: Report): boolean {
  return entries.every(({ kind }) => kind === "keep" || kind === "inline" || (kind === "blocked" && exitCode === 0));
}

/** Whether the public addresses were verified and don't show what was published. */
export function hasLiveProblems({ verified }: Pick<Report, "verified">): boolean {
  return verified !== undefined && verified.problems.length > 0;
}

/** Whether something of what was built failed, or is blocked and was not accepted. */
export function hasFailed({ dryRun, exitCode, entries }: Report): boolean {
  const isFailed = entries.some(({ kind }) => kind === "failed");
  return (
    isFailed ||
    (!dryRun && exitCode !== 0 && entries.some(({ kind, counts }) => kind === "blocked" && counts !== "never"))
  );
}

const LIVE: ReadonlySet<ReportKind> = new Set<ReportKind>(["create", "update", "keep"]);

/** What the run was about, as the first line of a report says it, without a full stop. */
export function headlineOf(report: Report): string {
  const { target, preview, dryRun } = report;
  const service = `${target.baseUrl} (route set ${target.routeSet.toUpperCase()})`;
  const place = preview === undefined ? service : `the preview ${preview} at ${service}`;
  if (hasFailed(report)) {
    const isAnyLive = report.entries.some(({ resource, kind }) => resource !== "host" && LIVE.has(kind));
    return isAnyLive ? `Not everything could be published to ${place}` : `Nothing could be published to ${place}`;
  }
  const doubt = hasLiveProblems(report) ? ", but not everything is live" : "";
  if (isUnchanged(report)) return `Nothing changed at ${place}${doubt}`;
  return dryRun ? `Plan for ${place}` : `Published to ${place}${doubt}`;
}

/** What a preview does not do; `undefined` for the live site. */
export function previewNote({ preview }: Pick<Report, "preview">): string | undefined {
  return preview === undefined
    ? undefined
    : "A preview leaves the live pages, the site, posts and brand kit as they are.";
}

/** What to say of files that seem to be used by nothing; `undefined` when there are none. */
export function spareNote({ spareAssets }: Pick<Report, "spareAssets">): string | undefined {
  if (spareAssets === undefined) return undefined;
  const { count, bytes } = spareAssets;
  const files = count === 1 ? "1 file of the library seems" : `${count} files of the library seem`;
  return `${files} unused (${formatBytes(bytes)}): see \`imprint assets prune\`.`;
}

/** `1.2 MB`, `340 kB`, `12 B`: decimal units, as disks and hosts count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

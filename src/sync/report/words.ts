import { pluralize } from "../../base/pluralize.ts";
import { ImprintError } from "../../base/error.ts";
import { isWritten, type ResourceName, type Outcome } from "../../base/outcome.ts";
import { failureOf, outcomeOf } from "../../client/transport/outcome.ts";
import type { Report, ReportEntry, ReportKind } from "./report.ts";

const PLURALS: Readonly<Record<ResourceName, string>> = {
  site: "sites",
  page: "pages",
  asset: "assets",
  blog: "blogs",
  post: "posts",
  "brand kit": "brand kits",
  host: "host",
};

const DONE: Readonly<Record<ReportKind, string>> = {
  create: "published",
  update: "updated",
  delete: "deleted",
  keep: "unchanged",
  inline: "put into pages",
  orphan: "no longer in the site",
  wait: "waiting",
  blocked: "blocked",
  failed: "failed",
};

/** In the order of reports. */
export const REPORT_KINDS = Object.keys(DONE) as readonly ReportKind[];

const PLANNED: Readonly<Record<ReportKind, string>> = {
  ...DONE,
  create: "to publish",
  update: "to update",
  delete: "to delete",
};

/** All resources that a report counts. */
export const RESOURCES = Object.keys(PLURALS) as readonly ResourceName[];

export function pluralOf(resource: ResourceName): string {
  return PLURALS[resource];
}

export const NOT_DELETED = "not deleted";

export function entryWord({ kind, isLeftover }: Pick<ReportEntry, "kind" | "isLeftover">, { dryRun }: Report): string {
  return isLeftover === true ? NOT_DELETED : (dryRun ? PLANNED : DONE)[kind];
}

/** Counts a resource's entries by their words, in the order of reports. */
export function countWords(report: Report, resource: ResourceName): ReadonlyMap<string, number> {
  const counts = new Map(
    [...REPORT_KINDS.map((kind) => entryWord({ kind }, report)), NOT_DELETED].map((word) => [word, 0]),
  );
  for (const entry of report.entries.filter((each) => each.resource === resource)) {
    const word = entryWord(entry, report);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const NOTHING_SENT: ReadonlySet<ReportKind> = new Set<ReportKind>(["keep", "inline", "orphan", "wait"]);

/** Whether nothing was sent, and nothing is blocked except for accepted limitations of this host. */
export function isUnchanged({ entries, exitCode }: Report): boolean {
  return entries.every(({ kind }) => NOTHING_SENT.has(kind) || (kind === "blocked" && exitCode === 0));
}

/** Whether the public addresses were verified and don't show what was published. */
export function hasLiveProblems({ verified }: Pick<Report, "verified">): boolean {
  return verified !== undefined && verified.problems.length > 0;
}

/** Whether something failed, or is blocked and not accepted. */
export function hasFailed(report: Report): boolean {
  return failuresOf(report).length > 0;
}

function failuresOf({ dryRun, exitCode, entries }: Report): readonly ReportEntry[] {
  const doesBlockedCount = !dryRun && exitCode !== 0;
  return entries.filter(
    ({ kind, counts }) => kind === "failed" || (doesBlockedCount && kind === "blocked" && counts !== "never"),
  );
}

const LIVE: ReadonlySet<ReportKind> = new Set<ReportKind>(["create", "update", "keep"]);

/** Returns the first line of a report, without a period. */
export function headlineOf(report: Report): string {
  const { target, preview, dryRun } = report;
  const service = target.isEmbedded === true ? "the embedded service" : target.baseUrl;
  const place = preview === undefined ? service : `the preview ${preview} at ${service}`;
  const failures = failuresOf(report);
  if (failures.some(({ isLeftover }) => isLeftover !== true)) {
    const isAnyLive = report.entries.some(({ resource, kind }) => resource !== "host" && LIVE.has(kind));
    return `${isAnyLive ? "Not everything" : "Nothing"} ${dryRun ? "can" : "could"} be published to ${place}`;
  }
  const isNotDeleted = failures.length > 0 ? ", but not everything could be deleted" : "";
  const doubt = hasLiveProblems(report) ? ", but not everything is live" : isNotDeleted;
  if (isUnchanged({ ...report, entries: report.entries.filter((entry) => !failures.includes(entry)) }))
    return `Nothing changed at ${place}${doubt}`;
  return dryRun ? `Plan for ${place}` : `Published to ${place}${doubt}`;
}

/** Returns a note on what a preview doesn't change; `undefined` for the live site. */
export function previewNote({ preview }: Pick<Report, "preview">): string | undefined {
  return preview === undefined
    ? undefined
    : "A preview doesn't change the live pages, the site, posts, or the brand kit.";
}

/** Returns a note on the release of a run and how to roll back; `undefined` if there was none. */
export function releaseNote({ release }: Pick<Report, "release">): string | undefined {
  if (release === undefined) return undefined;
  const { id, parent } = release;
  const back = parent === null ? "" : ` To roll back: \`imprint releases rollback ${parent}\`.`;
  return `All pages went live at once, as release ${id}.${back}`;
}

/** Returns a note on files that seem to be unused; `undefined` if there are none. */
export function spareNote({ spareAssets }: Pick<Report, "spareAssets">): string | undefined {
  if (spareAssets === undefined) return undefined;
  const { count, bytes } = spareAssets;
  const files = count === 1 ? "1 file in the library seems" : `${count} files in the library seem`;
  return `${files} unused (${formatBytes(bytes)}): see \`imprint assets prune\`.`;
}

/** Returns a note on pages that got a script of ours, if any pages were or would be sent. */
export function routeMapNote(report: Report): string | undefined {
  const { routeMapPages: [first, ...others] = [] } = report;
  if (first === undefined || isUnchanged(report)) return undefined;
  const slugs = [first, ...others.slice(0, 2), ...(others.length > 2 ? ["…"] : [])].join(", ");
  return `Scripts on ${pluralize(others.length + 1, "page")} use addresses of the site's pages; imprint redirects them to the published ones (${slugs}).`;
}

/** Formats a size in decimal units: `1.2 MB`, `340 kB`, `12 B`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `12 requests (1 write)` */
export function requestsText({ total, writes }: Report["requests"]): string {
  return `${pluralize(total, "request")} (${pluralize(writes, "write")})`;
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Adds a summary of what was already done to the error that ended a run. */
export function describeInterruption(
  thrown: unknown,
  { outcomes, total }: { readonly outcomes: readonly Outcome[]; readonly total: number },
): unknown {
  if (!(thrown instanceof ImprintError)) return thrown;
  const { code, message, hint, location } = thrown;
  return new ImprintError(code, `${message}\n${progressSentence(outcomes, { total, thrown })}`, {
    cause: thrown,
    location,
    hint: code === "ABORTED" ? undefined : `${hint} You can run it again: published content isn't sent twice.`,
  });
}

interface Interruption {
  readonly total: number;
  readonly thrown: ImprintError;
}

function progressSentence(outcomes: readonly Outcome[], { total, thrown }: Interruption): string {
  const written = outcomes.filter((each) => isWritten(each) || (each.kind === "delete" && each.status === "done"));
  const names = new Map<ResourceName, number>();
  for (const { resource } of written) names.set(resource, (names.get(resource) ?? 0) + 1);
  const counts = [...names].map(([name, count]) => `${count} ${count === 1 ? name : pluralOf(name)}`);
  const left = total - outcomes.length;
  // The last request may have been carried out.
  const isOpen = failureOf(thrown) !== undefined && outcomeOf(thrown) === "ambiguous";
  const none = isOpen ? "No change was confirmed" : "Nothing had been changed";
  const done = counts.length === 0 ? none : `Already sent: ${counts.join(", ")}`;
  return left > 0 ? `${done}; ${left} of ${pluralize(total, "step")} left.` : `${done}.`;
}

/** Findings of `--verify` at the public addresses after publishing. */
export interface Verified {
  /** Published pages whose address was fetched. */
  readonly pages: number;
  /** Posts whose address was fetched. */
  readonly posts: number;
  /** Distinct files that the pages and posts load from the hosts of the pages and of the library. */
  readonly files: number;
  /** Distinct links of the pages to the hosts of the pages, with their anchors. */
  readonly links: number;
  readonly problems: readonly LiveProblem[];
  /** Addresses that redirect to `to`. */
  readonly redirects: readonly { readonly address: string; readonly to: string }[];
  /** Number of pages opened in a browser, and of different page shapes; absent without `--verify=browser`. */
  readonly browser?: { readonly pages: number; readonly shapes: number };
}

/** Something that is not live as published. */
export interface LiveProblem {
  /** `browser`: a failed request or a console error that occurs only on the published page. */
  readonly kind: "page" | "post" | "file" | "link" | "browser";
  readonly address: string;
  /** What was found: `404`, `text/html instead of image/png`, `an older version of the page is shown`. */
  readonly found: string;
  /** Slugs of the pages and posts that use the address, in the order of the site. */
  readonly usedBy: readonly string[];
  /** How to fix it. */
  readonly hint: string;
}

/** `Verified 12 pages, 34 files and 80 links: all live.` */
export function verifiedLine({ pages, posts, files, links, problems, browser }: Verified): string {
  if (pages + posts + problems.length === 0) return "Nothing was verified: no page of this site is published.";
  const counts = [
    pluralize(pages, "page"),
    ...(posts === 0 ? [] : [pluralize(posts, "post")]),
    pluralize(files, "file"),
    pluralize(links, "link"),
  ];
  const opened = browser === undefined ? "" : `, ${pluralize(browser.pages, "page")} in a browser`;
  const result = problems.length === 0 ? "all live" : pluralize(problems.length, "problem");
  return `Verified ${new Intl.ListFormat("en-GB").format(counts)}${opened}: ${result}.`;
}

/** `page about: 404 at https://…`, in one line. */
export function problemLine({ kind, usedBy, address, found }: LiveProblem): string {
  const subject = kind === "page" || kind === "post" ? `${kind} ${usedBy.join(", ")}` : kind;
  return `${subject} ${address}: ${found}`;
}

const NAMED = 5;

/** `used by 50 pages: about, contact, …`; `undefined` if the problem already mentions its one page. */
export function usersLine({ kind, usedBy }: LiveProblem): string | undefined {
  if (kind === "page" || kind === "post" || usedBy.length === 0) return undefined;
  const more = usedBy.length > NAMED ? ", …" : "";
  return `used by ${pluralize(usedBy.length, "page")}: ${usedBy.slice(0, NAMED).join(", ")}${more}`;
}

/** `2 addresses redirect: https://… → https://…, …`; `undefined` if none do. */
export function redirectsLine({ redirects }: Verified): string | undefined {
  const [first] = redirects;
  if (first === undefined) return undefined;
  const more = redirects.length > 1 ? ` and ${redirects.length - 1} more` : "";
  return `Redirected: ${first.address} → ${first.to}${more}.`;
}

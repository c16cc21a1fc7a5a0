import { pluralize } from "../../base/pluralize.ts";
import type { ErrorLocation } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { heldPageLines } from "../../posts/local/held-pages.ts";
import { ON_HOLD } from "../../posts/plan/changes.ts";
import type { Report, ReportEntry } from "./report.ts";
import { describeGroup, foldWarnings, type ReportedWarning } from "./warning-groups.ts";
import {
  problemLine,
  usersLine,
  verifiedLine,
  type LiveProblem,
  countWords,
  entryWord,
  formatBytes,
  formatDuration,
  headlineOf,
  pluralOf,
  previewNote,
  RESOURCES,
  releaseNote,
  spareNote,
  requestsText,
} from "./words.ts";

// GitHub shows ten annotations of each level per step, and drops the rest.
const MAX_ANNOTATIONS = 10;
const MAX_ROWS = 100;

/**
 * Renders workflow commands for GitHub: an error for each failure, a warning for everything else that needs attention.
 */
export function renderGithubAnnotations(report: Report): string {
  const failed = report.entries.filter(({ kind }) => kind === "failed");
  const blocked = report.entries.filter(({ kind }) => kind === "blocked");
  const lines = [
    ...[
      ...failed.map((entry) =>
        renderAnnotation({ level: "error", ...placeOf(entry), title: titleOf(entry), message: textOf(entry) }),
      ),
      ...(report.verified?.problems ?? []).map((problem) =>
        renderAnnotation({ level: "error", title: "not live", message: problemText(problem) }),
      ),
    ].slice(0, MAX_ANNOTATIONS),
    ...gatherLast([
      ...blocked.map((entry) => ({ level: "warning", title: titleOf(entry), message: textOf(entry) }) as const),
      ...report.warnings.map(warningAnnotation),
    ]).map(renderAnnotation),
  ];
  return lines.join("");
}

function warningAnnotation(warning: ReportedWarning): Annotation {
  const { code, file, line, column, isNotice } = warning;
  const place = code === ON_HOLD ? { file, line, column } : {};
  return { level: isNotice ? "notice" : "warning", ...place, title: file, message: warningText(warning) };
}

function warningText(warning: ReportedWarning): string {
  const { subject, places } = describeGroup(warning);
  return places.length === 0 ? warning.message : `${warning.message}\n${subject}: ${places.join(", ")}`;
}

/** Merges annotations that GitHub would drop into the last one that it shows. */
function gatherLast(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MAX_ANNOTATIONS) return annotations;
  const others = annotations.slice(MAX_ANNOTATIONS - 1);
  const message = others.map((other) => `${other.title}: ${other.message}`).join("\n");
  return [
    ...annotations.slice(0, MAX_ANNOTATIONS - 1),
    { level: "warning", title: `${pluralize(others.length, "more warning")}`, message },
  ];
}

/** Renders the step summary: counts, changes with their addresses, and what needs attention. */
export function renderGithubSummary(report: Report): string {
  const blocks = [
    `### ${headlineOf(report)}`,
    previewNote(report) ?? "",
    renderCounts(report),
    renderEntries("Needs attention", needsAttention(report), report),
    renderWarnings(report),
    renderEntries("Changes", changes(report), report),
    heldPageLines(report.heldPages).map(cell).join("\n\n"),
    renderVerified(report),
    releaseNote(report) ?? "",
    spareNote(report) ?? "",
    footer(report),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

// GitHub shows annotations at lines only for files in the repository, so for posts but not for the built site.
function placeOf({ resource, error }: ReportEntry): Partial<ErrorLocation> {
  if (resource !== "post" || error?.location === undefined) return {};
  return error.location;
}

function titleOf({ resource, name, kind }: ReportEntry): string {
  return `${resource} ${name} ${kind}`;
}

function textOf({ error, reason, hint, details = [] }: ReportEntry): string {
  return [error === undefined ? reason : `${error.message} (${error.code})`, ...details, error?.hint ?? hint]
    .filter((part) => part !== undefined)
    .join("\n");
}

function problemText(problem: LiveProblem): string {
  return [problemLine(problem), usersLine(problem), problem.hint].filter((part) => part !== undefined).join("\n");
}

function renderVerified({ verified }: Report): string {
  if (verified === undefined) return "";
  const rows = verified.problems.slice(0, MAX_ROWS).map((problem) => {
    const parts = [problem.kind, problem.usedBy.join(", "), problem.address, problem.found, problem.hint];
    return `| ${parts.map(cell).join(" | ")} |`;
  });
  const table = rows.length === 0 ? [] : ["", "| | used by | address | found | |", "|---|---|---|---|---|", ...rows];
  const more = verified.problems.length > MAX_ROWS ? [`\n… and ${verified.problems.length - MAX_ROWS} more.`] : [];
  return [verifiedLine(verified), ...table, ...more].join("\n");
}

function renderCounts(report: Report): string {
  const resources = RESOURCES.filter((resource) => resource !== "host").map(
    (resource) => [pluralOf(resource), countWords(report, resource)] as const,
  );
  const all = [...new Set(resources.flatMap(([, counts]) => [...counts.keys()]))];
  const words = all.filter((word) => resources.some(([, counts]) => counts.get(word)));
  const rows = resources
    .filter(([, counts]) => words.some((word) => counts.get(word)))
    .map(([plural, counts]) => `| ${plural} | ${words.map((word) => counts.get(word) || "").join(" | ")} |`);
  const head = `| | ${words.join(" | ")} |`;
  return [head, `|---|${words.map(() => "---:|").join("")}`, ...rows].join("\n");
}

function needsAttention(report: Report): readonly ReportEntry[] {
  return report.entries.filter(({ kind }) => kind === "failed" || kind === "blocked" || kind === "orphan");
}

function changes(report: Report): readonly ReportEntry[] {
  return report.entries.filter(({ kind }) => kind === "create" || kind === "update" || kind === "delete");
}

function renderEntries(title: string, entries: readonly ReportEntry[], report: Report): string {
  if (entries.length === 0) return "";
  const rows = entries.slice(0, MAX_ROWS).map((entry) => {
    const name = entry.url === undefined ? cell(entry.name) : `[${cell(entry.name)}](${entry.url})`;
    return `| ${entry.resource} | ${name} | ${entryWord(entry, report)} | ${cell(entry.error?.message ?? whatOf(entry))} |`;
  });
  const more = entries.length > MAX_ROWS ? [`\n… and ${entries.length - MAX_ROWS} more.`] : [];
  return [`#### ${title}`, "", "| | | | |", "|---|---|---|---|", ...rows, ...more].join("\n");
}

function renderWarnings({ warnings }: Report): string {
  if (warnings.length === 0) return "";
  const rows = foldWarnings(warnings, MAX_ROWS).flatMap(({ warning, more }) => {
    const { subject, places } = describeGroup(warning);
    const row = [warning.code, [subject, ...places].join(" "), warning.message];
    const others = more > 0 ? [[warning.code, `… and ${more} more`, ""]] : [];
    return [row, ...others].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
  });
  return ["#### Warnings", "", "| | | |", "|---|---|---|", ...rows].join("\n");
}

function whatOf({ reason, details = [] }: ReportEntry): string {
  return details.length === 0 ? reason : `${reason}: ${details.join(", ")}`;
}

// Names and messages come from files and from the service, so they must not end a cell or become markup.
function cell(text: string): string {
  return text.replace(/[\\`*_[\]<>|&]/g, (character) => `&#${character.codePointAt(0)};`).replace(/\s+/g, " ");
}

function footer({ requests, bytesSent, elapsedMs, links }: Report): string {
  const site = links.home === undefined ? "" : `${links.home} · `;
  return `${site}${formatDuration(elapsedMs)}, ${requestsText(requests)}, ${formatBytes(bytesSent)} sent`;
}

/** One annotation of a GitHub workflow. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** Renders the command that makes GitHub show a message at a line of a file. */
export function renderAnnotation({ level, file, line, column, title, message }: Annotation): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(",")}::${escapeMessage(message)}\n`;
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
interface Finding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "major" | "blocker";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** Renders failures, blocked changes and warnings for GitLab's merge requests (`artifacts:reports:codequality`). */
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
    ...warnings.map((warning) => {
      const { code, file, line, message, isNotice } = warning;
      const severity = isNotice ? "info" : "minor";
      return {
        ...findingOf({ description: message, check_name: code, severity, path: file, line }),
        description: warningText(warning),
      };
    }),
  ];
  return `${JSON.stringify(findings, undefined, 2)}\n`;
}

function findingOf({
  path,
  line = 1,
  ...finding
}: Omit<Finding, "fingerprint" | "location"> & { readonly path: string; readonly line: number | undefined }): Finding {
  // A finding keeps its fingerprint in the next run, even if lines above it have changed.
  const fingerprint = sha256(JSON.stringify([finding.check_name, path, finding.description]));
  return { ...finding, fingerprint, location: { path, lines: { begin: line } } };
}

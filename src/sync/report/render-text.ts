import { pluralize } from "../../base/pluralize.ts";
import { heldPageLines } from "../../posts/local/held-pages.ts";
import type { Report, ReportEntry, ReportKind } from "./report.ts";
import { describeGroup, foldWarnings } from "./warning-groups.ts";
import {
  countWords,
  formatBytes,
  formatDuration,
  hasFailed,
  hasLiveProblems,
  headlineOf,
  isUnchanged,
  NOT_DELETED,
  pluralOf,
  previewNote,
  releaseNote,
  RESOURCES,
  routeMapNote,
  spareNote,
  problemLine,
  redirectsLine,
  usersLine,
  verifiedLine,
  requestsText,
} from "./words.ts";
import type { ResourceName } from "../../base/outcome.ts";
import { listFirstNames } from "../../base/list-names.ts";

/** Colors a text for a terminal; the default returns it unchanged. */
export type Paint = (style: "good" | "bad" | "warn" | "dim" | "strong", text: string) => string;

export interface TextOptions {
  readonly paint?: Paint;
  /** Maximum lines per resource, and warnings per kind; the rest is counted. Default: 12. */
  readonly maxLines?: number;
  /** Wraps a line at the width of the terminal; continuation lines start with `indent`. Default: no wrapping. */
  readonly wrap?: (line: string, indent: string) => string;
  /** Whether to show the addresses of individual pages and posts. Default: true. */
  readonly addresses?: boolean;
}

type TextContext = Required<TextOptions> & { readonly report: Report };

const SIGNS: Readonly<Record<ReportKind, string>> = {
  failed: "x",
  blocked: "!",
  delete: "-",
  orphan: "?",
  wait: "…",
  inline: "<",
  create: "+",
  update: "~",
  keep: "=",
};

/** Renders the report for a terminal. */
export function renderText(report: Report, options: TextOptions = {}): string {
  const context = { paint: plain, maxLines: 12, wrap: plainLine, addresses: true, ...options, report };
  const sections = RESOURCES.map((resource) => renderResource(resource, context)).filter((section) => section !== "");
  const blocks = [
    context.wrap(renderHeadline(context), "  "),
    sections.join("\n"),
    heldPageLines(report.heldPages)
      .map((line) => context.wrap(`  ${line}`, "  "))
      .join("\n"),
    renderWarnings(context),
    renderVerified(context),
    renderFooter(context),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function plain(_: string, text: string): string {
  return text;
}

function plainLine(line: string): string {
  return line;
}

function renderHeadline({ report, paint }: TextContext): string {
  const headline = headlineOf(report);
  if (hasLiveProblems(report) || hasFailed(report)) return paint("bad", `${headline}.`);
  if (report.dryRun && !isUnchanged(report)) return paint("strong", `${headline}. Nothing is sent.`);
  return paint("good", `${headline}.`);
}

function renderResource(resource: ResourceName, context: TextContext): string {
  const { report, paint, maxLines } = context;
  const parts = [...countWords(report, resource)].flatMap(([word, count]) =>
    count === 0 ? [] : [paintCount(word, `${count} ${word}`, context)],
  );
  if (parts.length === 0) return "";
  const entries = Object.keys(SIGNS)
    .flatMap((kind) => report.entries.filter((entry) => entry.resource === resource && entry.kind === kind))
    .filter((entry) => entry.kind !== "keep");
  const shown = mergeBlocked(entries);
  const lines = shown.slice(0, maxLines).flatMap((entry) => renderEntry(entry, context));
  const more = shown.length - Math.min(shown.length, maxLines);
  if (more > 0) lines.push(paint("dim", `    … and ${more} more`));
  return [`  ${paint("strong", pluralOf(resource).padEnd(11))} ${parts.join(" · ")}`, ...lines].join("\n");
}

/** Merges entries that are blocked for the same reason, so that it isn't repeated for each page. */
function mergeBlocked(entries: readonly ReportEntry[]): readonly ReportEntry[] {
  const groups = Map.groupBy(entries, (entry) =>
    entry.kind === "blocked" && entry.details === undefined ? `${entry.reason}\n${entry.hint ?? ""}` : entry,
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [nameAll(first, others)]));
}

const NAMED = 3;

function nameAll(first: ReportEntry, others: readonly ReportEntry[]): ReportEntry {
  if (others.length === 0) return first;
  const names = [first, ...others].map(({ name }) => name);
  return { ...first, name: listFirstNames(names, NAMED) };
}

function paintCount(word: string, text: string, { paint }: TextContext): string {
  if (word === "failed") return paint("bad", text);
  return word === "blocked" || word === NOT_DELETED ? paint("warn", text) : text;
}

const INDENT = " ".repeat(6);

function renderEntry(entry: ReportEntry, context: TextContext): readonly string[] {
  const { paint, wrap, maxLines } = context;
  const { kind, name, error } = entry;
  const hint = error?.hint ?? entry.hint;
  const style = kind === "failed" ? "bad" : kind === "blocked" ? "warn" : "good";
  const size = entry.bytes === undefined ? "" : ` ${paint("dim", formatBytes(entry.bytes))}`;
  // The message of an invalid file begins with its path and line.
  const isPlaced = error?.message.startsWith(`${name}:`) === true;
  const subject = isPlaced ? error.message : `${name}${size}${renderDetail(entry, context)}`;
  return [
    wrap(`    ${paint(style, SIGNS[kind])} ${subject}`, INDENT),
    ...detailLines(entry, maxLines).map((line) => wrap(`${INDENT}${line}`, INDENT)),
    ...(hint === undefined ? [] : [wrap(`${INDENT}${paint("dim", hint)}`, INDENT)]),
  ];
}

function detailLines({ details = [] }: ReportEntry, maxLines: number): readonly string[] {
  const more = details.length - maxLines;
  return more > 0 ? [...details.slice(0, maxLines), `… and ${more} more`] : details;
}

// The reason of a new record is obvious, and addresses in the library are for programs.
function renderDetail({ resource, kind, url, error, reason }: ReportEntry, context: TextContext): string {
  const { report, paint, addresses } = context;
  const isExplained =
    kind === "failed" || ["blocked", "inline", "orphan", "wait"].includes(kind) || (report.dryRun && kind !== "create");
  if (isExplained) return `${paint("dim", ":")} ${error?.message ?? reason}`;
  const isShown = addresses && report.seeWith === undefined && resource !== "asset";
  return isShown && url !== undefined ? `  ${url}` : "";
}

function renderWarnings({ report, paint, wrap, maxLines }: TextContext): string {
  return foldWarnings(report.warnings, maxLines)
    .flatMap(({ warning, more }) => {
      const { subject, places } = describeGroup(warning);
      const lines = places.map((place) => wrap(`${INDENT}${paint("dim", place)}`, INDENT));
      const sign = warning.isNotice ? paint("dim", "i") : paint("warn", "!");
      const others =
        more > 0
          ? [wrap(paint("dim", `    … and ${more} more like these; \`imprint plan --json\` lists all`), "    ")]
          : [];
      return [wrap(`  ${sign} ${subject}  ${warning.message}`, "    "), ...lines, ...others];
    })
    .join("\n");
}

function renderVerified({ report: { verified }, paint, maxLines, wrap }: TextContext): string {
  if (verified === undefined) return "";
  const { problems } = verified;
  const redirects = redirectsLine(verified);
  const lines = problems.slice(0, maxLines).flatMap((problem) => {
    const users = usersLine(problem);
    return [
      wrap(`    ${paint("bad", SIGNS.failed)} ${problemLine(problem)}`, INDENT),
      ...(users === undefined ? [] : [wrap(`${INDENT}${users}`, INDENT)]),
      wrap(`${INDENT}${paint("dim", problem.hint)}`, INDENT),
    ];
  });
  const more = problems.length - maxLines;
  return [
    wrap(`  ${paint(problems.length === 0 ? "good" : "bad", verifiedLine(verified))}`, "  "),
    ...lines,
    ...(more > 0 ? [paint("dim", `    … and ${pluralize(more, "more problem")}`)] : []),
    ...(redirects === undefined ? [] : [wrap(`  ${paint("dim", redirects)}`, "  ")]),
  ].join("\n");
}

function renderFooter(context: TextContext): string {
  const { report, paint, wrap } = context;
  const { images, requests } = report;
  const { bytesBefore, bytesAfter } = images;
  const saved = bytesBefore > bytesAfter ? ` (files ${formatBytes(bytesBefore)} → ${formatBytes(bytesAfter)})` : "";
  const sent = report.dryRun ? "nothing sent" : `${formatBytes(report.bytesSent)} sent${saved}`;
  const notes = [previewNote(report), releaseNote(report), routeMapNote(report), spareNote(report)].filter(
    (note) => note !== undefined,
  );
  return [
    ...notes.map((note) => wrap(`  ${paint("dim", note)}`, "  ")),
    ...placeLines(context),
    wrap(paint("dim", `  ${formatDuration(report.elapsedMs)}, ${requestsText(requests)}, ${sent}`), "  "),
  ].join("\n");
}

// If nothing listens at an address, it is shown with the command that starts the service.
function placeLines({ report: { links, seeWith, dryRun }, paint }: TextContext): readonly string[] {
  if (seeWith !== undefined && dryRun) return [];
  return [
    ...(seeWith === undefined ? [] : [`  To see it, run  ${paint("strong", seeWith)}`]),
    ...(links.home === undefined ? [] : [`  Site  ${paint("strong", links.home)}`]),
    ...(links.blog === undefined ? [] : [`  Blog  ${paint("strong", links.blog)}`]),
  ];
}

// What no publisher can do on a host, and what nobody can know without memory.

import type { Dialect } from "./dialect.ts";
import { namesOfRoute, namesOfText, type Difference } from "./live/difference.ts";
import type { Expected } from "./verdict.ts";

export const MEMORIES = ["all kept", ".imprint lost", "both lost"] as const;
export type Memory = (typeof MEMORIES)[number];

const PAGE_KINDS = new Set<Difference["kind"]>([
  "page-missing",
  "page-differs",
  "page-extra",
  "link",
  "file",
  "form",
  "script",
]);
const POST_KINDS = new Set<Difference["kind"]>(["post-missing", "post-differs", "post-file", "post-link"]);

export function isExcusedByHost({ cannot }: Dialect, { kind, about }: Difference, reported: string): boolean {
  if (cannot.includes("large-page") && PAGE_KINDS.has(kind) && about === "/handbook/") return true;
  // The refused page is a new one, and may be what replaces the page that is gone.
  const mayReplace = /a new page that may replace it could not be published/;
  if (cannot.includes("large-page") && kind === "page-extra" && mayReplace.test(reported)) return true;
  if (cannot.includes("scripts") && kind === "script") return true;
  if (cannot.includes("styles") && kind === "file") return true;
  if (cannot.includes("posts") && POST_KINDS.has(kind)) return true;
  return (
    cannot.includes("pages-address") && (PAGE_KINDS.has(kind) || kind === "post-link") && reported.includes("pagesUrl")
  );
}

/** Whether no user can fix a difference: scripts that the host removes, and a post that nobody can change. */
export function isAcceptable({ cannot }: Dialect, difference: Difference, isOfStep: Expected["isExcused"]): boolean {
  if (difference.kind === "script" && cannot.includes("scripts")) return true;
  return difference.kind === "post-differs" && isOfStep(difference);
}

/** Whether the host reveals which pages belong to this project, without any memory. */
function isRecognizable({ pages }: Dialect): boolean {
  return pages.keeps === "as-sent" && (pages.reads !== "nothing" || pages.visitors === "all");
}

export function isExcusedWithoutMemory(dialect: Dialect, { kind }: Difference): boolean {
  if (kind === "page-extra") return true;
  if (PAGE_KINDS.has(kind) && !isRecognizable(dialect)) return true;
  return POST_KINDS.has(kind) && (dialect.routeSet === "b" || dialect.posts.lists === "id-and-title");
}

/**
 * Whether a difference is undetectable without memory: old pages that look like those of others, files whose names are
 * lost, and which file of a post was elsewhere before.
 */
export function isHiddenWithoutMemory(dialect: Dialect, { kind }: Difference): boolean {
  if (kind === "page-extra") return !isRecognizable(dialect);
  if (kind === "post-file") return true;
  const hasNames = dialect.library.names !== "random" && dialect.lists.fields !== "few";
  return kind === "asset-twice" && !hasNames;
}

export function mayHoldWithoutMemory(dialect: Dialect): readonly RegExp[] {
  const posts = dialect.routeSet === "b" || dialect.posts.lists === "id-and-title";
  return [
    ...(isRecognizable(dialect) ? [] : namesOfRoute("/about/")),
    // A title alone proves nothing, so the user is asked, with both options.
    ...(posts ? [/\bblog\b/i, ...namesOfText("The first ride of the year"), /`imprint posts rename \S+ \S+`/] : []),
  ];
}

export function forbiddenWrites(dialect: Dialect, memory: Memory): Expected["forbiddenWrites"] {
  if (memory === "all kept") return "all";
  return memory === ".imprint lost" || isRecognizable(dialect) ? "pages" : "none";
}

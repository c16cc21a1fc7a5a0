import type { Area, Dialect } from "./dialect.ts";
import type { Difference } from "./live/difference.ts";
import type { PublisherRun } from "./run-publisher.ts";

export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "reported"; readonly why: string }
  | { readonly kind: "WRONG"; readonly why: string };

export interface Expected {
  readonly dialect: Dialect;
  readonly differences: readonly Difference[];
  /** What can't always be detected, so that reporting it is right, and so is not doing it. */
  readonly hidden: readonly Difference[];
  /** Whether no publisher could avoid this difference after this step, so that reporting it is enough. */
  readonly isExcused: (difference: Difference) => boolean;
  /** Whether no user could ever fix it, so that reporting it may not fail the run. */
  readonly isAcceptable: (difference: Difference) => boolean;
  /**
   * What may be reported although everything is live, because of lost memory that the host can't replace; the report
   * must match one of these.
   */
  readonly mayHold: readonly RegExp[];
  /** What this step must not write. */
  readonly forbiddenWrites: "all" | "pages" | "none";
}

/** Judges one run by its exit code, its messages and what is live afterwards. */
export function judge(run: PublisherRun, expected: Expected): Verdict {
  const { differences, hidden, dialect, isExcused, isAcceptable, mayHold } = expected;
  if (run.crash !== undefined) return wrong(`crashed: ${run.crash.split("\n").slice(0, 3).join(" ")}`, run);
  if (run.code === 2) return wrong("exit 2", run);
  const unexcused = differences.filter((difference) => !isExcused(difference));
  // The address of pages, and what is removed from all of them, applies to every page.
  const isOfAddress =
    (dialect.cannot.includes("pages-address") && run.reported.includes("pagesUrl")) ||
    (dialect.cannot.includes("styles") && run.reported.includes("without style sheets"));
  const untold = differences.filter(
    (difference) => !isNamed(difference, run) && !(isOfAddress && isExcused(difference)),
  );
  const unacceptable = differences.filter((difference) => !isAcceptable(difference));
  if (run.code === 0 && unacceptable.length > 0) return wrong(`exit 0, but ${sentence(unacceptable)}`, run);
  const grave = unexcused.filter(({ kind }) => GRAVE.has(kind));
  if (grave.length > 0) return wrong(sentence(grave), run);
  if (untold.length > 0) return wrong(`exit ${run.code} without naming: ${sentence(untold)}`, run);
  if (unexcused.length > 0) return wrong(`gave up: ${sentence(unexcused)}`, run);
  const silent = findSilentArea(dialect, run);
  if (silent !== undefined) return wrong(silent, run);
  const forbidden = findForbiddenWrite(run, expected);
  if (forbidden !== undefined) return wrong(forbidden, run);
  if (run.code === 0)
    return differences.length === 0 ? { kind: "ok" } : { kind: "reported", why: sentence(differences) };
  if (differences.length > 0) return { kind: "reported", why: sentence(differences) };
  if (hidden.some((difference) => isNamed(difference, run))) return { kind: "reported", why: sentence(hidden) };
  if (mayHold.some((name) => name.test(run.reported))) return { kind: "reported", why: "on hold without memory" };
  return wrong("exit 1, but all is live", run);
}

// Reporting doesn't excuse these.
const GRAVE = new Set<Difference["kind"]>(["foreign", "post-twice", "asset-twice", "record-twice", "draft"]);

function isNamed({ names }: Difference, { reported }: PublisherRun): boolean {
  return names.some((name) => name.test(reported));
}

const AREA_PATHS: Readonly<Record<Area, RegExp>> = {
  sites: /^\/api\/sites/,
  brandKits: /^\/api\/brand-kits/,
  blogs: /^\/api\/blogs/,
  analytics: /^\/api\/analytics/,
  domains: /^\/api\/custom-domains/,
  forms: /^\/api\/forms/,
  library: /^\/api\/library/,
  upload: /^\/api\/(?:library|assets)/,
  pages: /^\/api\/pages/,
};

/** An area that refused a write of this run, where the run does not repeat the host's words. */
function findSilentArea({ areas }: Dialect, { requests, reported }: PublisherRun): string | undefined {
  // Such a run ends before it needs the area.
  if (/imprint\.lock\.json doesn't list what this project has published/.test(reported)) return undefined;
  for (const [area, refusal] of Object.entries(areas)) {
    const path = Object.entries(AREA_PATHS).find(([name]) => name === area)?.[1];
    const wasRefused = requests.some((request) => request.method !== "GET" && path?.test(request.path));
    if (wasRefused && !reported.includes(refusal.words.replace(/\.$/, "")))
      return `${area} refused "${refusal.words}", and this was not reported`;
  }
  return undefined;
}

function findForbiddenWrite({ requests }: PublisherRun, { forbiddenWrites }: Expected): string | undefined {
  if (forbiddenWrites === "none") return undefined;
  const writes = requests.filter(
    ({ method, path, status }) =>
      !["GET", "HEAD"].includes(method) && status < 300 && (forbiddenWrites === "all" || path.startsWith("/api/pages")),
  );
  const [first] = writes;
  return first && `nothing had changed, but ${writes.length} writes, first ${first.method} ${first.path}`;
}

function sentence(differences: readonly Difference[]): string {
  const shown = differences.slice(0, 2).map(({ what }) => what.replace(/https?:\/\/127\.0\.0\.1:\d+/g, ""));
  return shown.join("; ") + (differences.length > 2 ? `; and ${differences.length - 2} more` : "");
}

/** A verdict with what the publisher said, and the host's first refusal, in one line. */
function wrong(why: string, run: PublisherRun): Verdict {
  const said = run.reported.replace(/\s+/g, " ").trim().slice(0, 220);
  const refusal = run.requests.find(({ words, status }) => words !== undefined && status !== 404 && status !== 405);
  const refused = refusal && ` | host: ${refusal.method} ${refusal.path} ${refusal.status} ${refusal.words}`;
  return {
    kind: "WRONG",
    why: `${why} | exit ${run.code}: ${said}${refused ?? ""}`.replace(/http:\/\/127\.0\.0\.1:\d+/g, "HOST"),
  };
}

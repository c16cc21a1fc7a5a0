// Extracts what one run of the publisher reports about each file.

export interface PublisherRun {
  readonly code: number;
  /** Stack of an uncaught exception. */
  readonly crash: string | undefined;
  /** Everything that the run reported as not done, as text. */
  readonly said: string;
  /** Summary of changed files, in one line. */
  readonly summary: string;
  /** Whether there was a report. */
  readonly isReported: boolean;
  /** Open entries: on hold, blocked, failed or without a file. */
  readonly open: readonly Entry[];
  /** Slugs of posts that the run reported as created. */
  readonly created: readonly string[];
  /** The publisher's slug for each file. */
  readonly slugs: ReadonlyMap<string, string>;
}

export interface Entry {
  readonly file: string | undefined;
  readonly slug: string | undefined;
  /** All of its texts: subject, reason and hint. */
  readonly text: string;
}

const PLANNED = new Set(["create", "update", "keep"]);

export function parseRun({ code, out, error }: { code: number; out: string; error: string }): PublisherRun {
  const report = parseJson(out);
  const posts = listIn(report, "posts");
  const outcomes = listIn(report, "outcomes").filter((outcome) => textIn(outcome, "resource") === "post");
  // A post without a file may have the slug of an existing file, so their kinds distinguish them.
  const isDone = (post: unknown) => {
    const ofSlug = outcomes.filter((outcome) => textIn(outcome, "name") === textIn(post, "slug"));
    const ofKind = ofSlug.filter((outcome) => textIn(outcome, "kind") === textIn(post, "kind"));
    const own = ofKind.length > 0 ? ofKind : ofSlug;
    return own.length === 0
      ? PLANNED.has(textIn(post, "kind"))
      : own.every((outcome) => textIn(outcome, "status") === "done");
  };
  const openPosts = posts.filter((post) => !isDone(post));
  const openOutcomes = listIn(report, "outcomes").filter((outcome) => textIn(outcome, "status") !== "done");
  const others = ["held", "problems", "warnings"].flatMap((name) => listIn(report, name));
  const open = [...openPosts, ...openOutcomes, ...others].map(toEntry);
  const isReported = report !== undefined && Array.isArray(Reflect.get(Object(report), "posts"));
  return {
    code,
    crash: undefined,
    isReported,
    open,
    summary: (isReported ? summarize([...posts, ...others]) : error || out).replace(/\s+/g, " ").slice(0, 600),
    said: [error, ...(isReported ? [] : [out]), ...open.map(({ text }) => text)].join("\n"),
    created: outcomes
      .filter((outcome) => textIn(outcome, "kind") === "create" && textIn(outcome, "status") === "done")
      .map((outcome) => textIn(outcome, "name")),
    slugs: new Map(
      [...posts, ...listIn(report, "held")].flatMap((entry) =>
        textIn(entry, "file") === "" || textIn(entry, "kind") === "orphan"
          ? []
          : [[textIn(entry, "file"), textIn(entry, "slug")] as const],
      ),
    ),
  };
}

function summarize(entries: readonly unknown[]): string {
  const changed = entries.filter((entry) => textIn(entry, "state") !== "unchanged");
  const lines = changed.map((entry) => {
    const name = textIn(entry, "slug") || textIn(entry, "file");
    return `${name}: ${textIn(entry, "state") || textIn(entry, "reason") || textOf(entry)}`;
  });
  return lines.join(", ");
}

function toEntry(entry: unknown): Entry {
  return {
    file: textIn(entry, "file") || undefined,
    slug: textIn(entry, "slug") || textIn(entry, "name") || undefined,
    text: textOf(entry),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listIn(report: unknown, name: string): readonly unknown[] {
  const list: unknown = Reflect.get(Object(report), name);
  return Array.isArray(list) ? list : [];
}

function textIn(record: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(record), name);
  return typeof value === "string" ? value : "";
}

/** Returns all texts in a value. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).map(textOf).join(" · ");
}

// Judges one run by comparing the host's content with the editor's files, regardless of the run's own report.

import { isReady, type Post, type Tree } from "./desk.ts";
import { lettersOf, lettersOfHtml, type HostPost } from "./hosts.ts";
import { isShown, type Sighting } from "./ledger.ts";
import type { Entry, PublisherRun } from "./report.ts";

export const FAILURES = [
  "second post",
  "lost",
  "leaked",
  "silent",
  "no next step",
  "not updated",
  "unnamed orphan",
  "foreign changed",
  "unknown post",
  "answer refused",
  "crash",
] as const;
export type FailureKind = (typeof FAILURES)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** The expected and the actual content. */
  readonly what: string;
}

/** All posts on a host at one time. */
export interface Snapshot {
  readonly posts: readonly HostPost[];
  /** Posts that belong to the project. */
  readonly own: readonly Sighting[];
}

export interface Judged {
  readonly run: PublisherRun;
  /** The files of the clone that ran. */
  readonly tree: Tree;
  /** Every slug that a post ever had in the files. */
  readonly slugsOf: (identity: number) => readonly string[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly foreign: readonly HostPost[];
  readonly canUpdate: boolean;
  /** Whether the clone that ran has outdated files, which must not overwrite anything newer. */
  readonly isBehind: boolean;
  readonly prunes: boolean;
  /** Whether the run can recognize all of our posts: it remembers them, or the host shows their owner. */
  readonly canKnowAll: boolean;
}

export function judge(judged: Judged): readonly Failure[] {
  const { run } = judged;
  if (run.crash !== undefined) return [{ kind: "crash", what: run.crash.split("\n").slice(0, 3).join(" ") }];
  if (run.code === 2) return [{ kind: "crash", what: `exit code 2: ${run.said.slice(0, 300)}` }];
  const findings = [
    findSecond,
    findLost,
    findLeaked,
    findSilent,
    findNotUpdated,
    findOrphans,
    findForeign,
    findUnknown,
  ];
  return findings.flatMap((find) => find(judged));
}

const identityOf = ({ version }: Sighting) => version?.identity;
const describe = ({ post }: Sighting) => `"${post.title}" at ${post.slug}${post.isVisible ? "" : " (hidden)"}`;

/** Returns the posts with one identity. */
function postsOf(snapshot: Snapshot, identity: number): readonly Sighting[] {
  return snapshot.own.filter((sighting) => identityOf(sighting) === identity);
}

function shownOf(snapshot: Snapshot, identity: number): readonly Sighting[] {
  return postsOf(snapshot, identity).filter(({ post }) => post.isVisible);
}

function identitiesOf({ own }: Snapshot): readonly number[] {
  return [...new Set(own.flatMap((sighting) => identityOf(sighting) ?? []))];
}

function findSecond({ before, after }: Judged): readonly Failure[] {
  return identitiesOf(after).flatMap((identity) => {
    const posts = postsOf(after, identity);
    if (posts.length < 2 || posts.length <= postsOf(before, identity).length) return [];
    return [
      { kind: "second post", what: `one post is there ${posts.length} times: ${posts.map(describe).join(", ")}` },
    ];
  });
}

function fileOf(tree: Tree, identity: number): Post | undefined {
  return [...tree.values()].find((post) => post.identity === identity);
}

function findLost({ before, after, tree, prunes }: Judged): readonly Failure[] {
  return identitiesOf(before).flatMap((identity) => {
    const [former] = shownOf(before, identity);
    if (former === undefined || shownOf(after, identity).length > 0) return [];
    const file = fileOf(tree, identity);
    if (file === undefined ? prunes : !isReady(file)) return [];
    const why = file === undefined ? "though nothing is pruned" : `though ${file.file} is there`;
    return [{ kind: "lost", what: `${describe(former)} is gone from the blog, ${why}` }];
  });
}

function findLeaked({ before, after, tree }: Judged): readonly Failure[] {
  const visible = after.own.filter(({ post }) => post.isVisible);
  const never = visible.flatMap((sighting): readonly Failure[] =>
    sighting.isText && sighting.version?.wasReady === false
      ? [{ kind: "leaked", what: `${describe(sighting)} was never ready` }]
      : [],
  );
  const waiting = [...tree.values()].filter((post) => !isReady(post));
  const appeared = waiting.flatMap((post): readonly Failure[] => {
    if (shownOf(before, post.identity).length > 0 || shownOf(after, post.identity).length === 0) return [];
    return [{ kind: "leaked", what: `${post.file} is a draft or scheduled, and readers see it` }];
  });
  const titles = waiting.flatMap((post): readonly Failure[] => {
    const title = lettersOf(post.title);
    // Neighboring posts still mention a post that the host can't withdraw.
    if (shownOf(before, post.identity).some((sighting) => lettersOf(sighting.post.title) === title)) return [];
    const place = visible.find((sighting) => {
      const isOwn = identityOf(sighting) === post.identity;
      return !isOwn && lettersOf(sighting.post.title + sighting.post.html).includes(title);
    });
    return place === undefined
      ? []
      : [{ kind: "leaked", what: `the title of ${post.file} stands in ${describe(place)}` }];
  });
  return [...never, ...appeared, ...titles];
}

/** Returns the run's open entries about a file. */
export function entriesOf(run: PublisherRun, file: string): readonly Entry[] {
  const slug = run.slugs.get(pathOf(file));
  return run.open.filter(
    (entry) =>
      entry.file === pathOf(file) ||
      (entry.file === undefined && entry.slug !== undefined && entry.slug === slug) ||
      entry.text.includes(pathOf(file)),
  );
}

/** Returns the path of a file in reports. */
export function pathOf(file: string): string {
  return `src/content/blog/${file}`;
}

const NEXT_STEP =
  /`|\bimprint [a-z]|\b(?:run|set|give|use|add|remove|rename|correct|restore|delete|change|fix|choose|check)\b/i;

function findSilent({ run, after, tree }: Judged): readonly Failure[] {
  const missing = [...tree.values()].filter((post) => isReady(post) && shownOf(after, post.identity).length === 0);
  return missing.flatMap(({ file }): readonly Failure[] => {
    const slug = run.slugs.get(pathOf(file));
    if (slug !== undefined && run.created.includes(slug)) {
      return [{ kind: "silent", what: `${file} is said to be created, and is not in the blog` }];
    }
    // A run that ends before it reads the posts only reports why.
    if (!run.isReported && run.code !== 0 && run.said.trim() !== "") return [];
    const entries = entriesOf(run, file);
    if (entries.length === 0)
      return [{ kind: "silent", what: `${file} is not in the blog, and nothing is said of it` }];
    if (entries.some(({ text }) => NEXT_STEP.test(text))) return [];
    return [{ kind: "no next step", what: `${file}: ${entries.map(({ text }) => text).join(" | ")}` }];
  });
}

function findNotUpdated({ run, after, tree, canUpdate, isBehind }: Judged): readonly Failure[] {
  if (!canUpdate || isBehind || !run.isReported) return [];
  return [...tree.values()].filter(isReady).flatMap((post): readonly Failure[] => {
    const shown = shownOf(after, post.identity);
    if (shown.length === 0 || shown.some((sighting) => isShown(sighting, post.title, post.body))) return [];
    if (entriesOf(run, post.file).length > 0) return [];
    const what = `readers don't see the text of ${post.file}, and nothing is said of it: ${shown.map(describe).join(", ")}`;
    return [{ kind: "not updated", what }];
  });
}

function findOrphans({ run, after, tree, slugsOf, canKnowAll }: Judged): readonly Failure[] {
  if (!canKnowAll || !run.isReported) return [];
  return after.own.flatMap((sighting): readonly Failure[] => {
    const identity = identityOf(sighting);
    const { slug, title, id } = sighting.post;
    if (!sighting.post.isVisible || identity === undefined || fileOf(tree, identity) !== undefined) return [];
    const slugs = [slug, ...slugsOf(identity)];
    const isNamed = run.open.some(
      (entry) => slugs.includes(entry.slug ?? "") || [title, id].some((name) => entry.text.includes(name)),
    );
    if (isNamed || run.open.some(({ text }) => new RegExp(`/${slug}(?![\\w-])`).test(text))) return [];
    return [{ kind: "unnamed orphan", what: `${describe(sighting)} has no file, and nothing is said of it` }];
  });
}

function findForeign({ after, foreign }: Judged): readonly Failure[] {
  return foreign.flatMap((former): readonly Failure[] => {
    const now = after.posts.find(({ id }) => id === former.id);
    if (now !== undefined && contentOf(now) === contentOf(former)) return [];
    const what = `"${former.title}" of somebody else was ${now === undefined ? "deleted" : "changed"}`;
    return [{ kind: "foreign changed", what }];
  });
}

// The content around a post on its public page may change with neighboring posts.
function contentOf({ slug, title, html, isVisible }: HostPost): string {
  const article = /<article[\s\S]*<\/article>/.exec(html)?.[0] ?? html;
  return [slug, title, isVisible, lettersOfHtml(article)].join(" ");
}

function findUnknown({ before, after }: Judged): readonly Failure[] {
  const known = new Set(before.posts.map(({ id }) => id));
  return after.own.flatMap((sighting): readonly Failure[] => {
    if (sighting.version !== undefined || known.has(sighting.post.id)) return [];
    return [{ kind: "unknown post", what: `${describe(sighting)} is nobody's text` }];
  });
}

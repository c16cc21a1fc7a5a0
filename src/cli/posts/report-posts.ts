import { formatMinute } from "../../base/time.ts";
import { isWritten, type Outcome } from "../../base/outcome.ts";
import type { ProbeResult } from "../../posts/apply/probe-upsert.ts";
import { ON_HOLD, type HeldFile, type PostChange } from "../../posts/plan/changes.ts";
import { renderPlace } from "../../posts/read/problems.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { wrapText } from "../terminal.ts";
import type { PostsRun } from "./sync-posts.ts";

export interface RunText {
  readonly paint: Paint;
  readonly dryRun: boolean;
  /** Width of the terminal in characters; without a terminal, large enough never to wrap. */
  readonly columns: number;
}

const LABEL = "posts  ";

/** Renders a plan or a run of posts: counts on one line, then a list of what needs attention. */
export function renderPostsRun(run: PostsRun, text: RunText): string {
  const { paint, dryRun, columns } = text;
  const counts = wrapText(countPosts(run, dryRun), columns - LABEL.length);
  const pages = countPages(run, dryRun);
  const published = run.outcomes.filter(
    (outcome) => (outcome.resource === "post" || outcome.resource === "page") && isWritten(outcome),
  );
  const lines = [
    LABEL + counts.join(`\n${" ".repeat(LABEL.length)}`),
    ...(pages === "" ? [] : [`pages  ${pages}`]),
    ...published.flatMap(({ name, url, hint }) => [
      `  ${paint("good", "+")} ${name}  ${url ?? ""}`,
      ...(hint === undefined ? [] : indent([hint], text)),
    ]),
    ...listSections(run, dryRun).flatMap((section) => renderSection(section, text)),
    ...probeLines(run.probe, text),
  ];
  return `${lines.join("\n")}\n`;
}

const DONE = { create: "created", update: "updated", delete: "deleted", keep: "unchanged" } as const;
const PLANNED = { create: "to create", update: "to update", delete: "to delete", keep: "unchanged" } as const;

const STATES = {
  edited: "edited",
  orphan: "without a file",
  foreign: "slug taken",
  duplicate: "duplicated in the blog",
  "deleted-remotely": "deleted on the service",
  "slug-changed": "slug changed",
  resembles: "on hold as a possible rename",
  "cannot-unpublish": "to unpublish by hand",
  unresolved: "uncertain",
  blocked: "blocked",
} as const;

type Count = readonly [number: number, word: string];

/** `12 local · 1 created · 8 unchanged · 1 edited`. */
function countPosts({ plan, local, outcomes }: PostsRun, dryRun: boolean): string {
  const count = (test: (change: PostChange) => boolean) => plan.posts.filter(test).length;
  const posts = outcomes.filter(({ resource }) => resource === "post");
  const done = posts.filter(({ status }) => status === "done");
  const isWrite = ({ kind }: PostChange) => kind === "update" || kind === "delete";
  const { held } = local;
  const scheduled = held.filter(({ reason }) => reason === "scheduled");
  const dates = scheduled.map(({ publishedAt }) => publishedAt?.toISOString().slice(0, 10) ?? "").toSorted();
  const holds = (reason: HeldFile["reason"]) => held.filter((each) => each.reason === reason).length;
  const counts: readonly Count[] = [
    ...Object.entries(dryRun ? PLANNED : DONE).map(([kind, word]): Count => [
      (dryRun ? plan.posts : done).filter((each) => each.kind === kind).length,
      word,
    ]),
    ...Object.entries(STATES).map(([state, word]): Count => [
      count((each) => !isWrite(each) && each.state === state),
      word,
    ]),
    [dryRun ? 0 : posts.filter(({ status }) => status === "failed").length, "failed"],
    [count(({ state }) => state === "settling"), "settling"],
    [count(({ state }) => state === "needs-build"), "waiting for a build"],
    [scheduled.length, `scheduled (${dates.slice(0, 3).join(", ")}${dates.length > 3 ? ", …" : ""})`],
    [holds("draft"), holds("draft") === 1 ? "draft" : "drafts"],
    [holds("expired"), "expired"],
    [holds("unclear"), "on hold"],
    [holds("invalid"), "to fix"],
    [local.privateFiles.length, "private"],
  ];
  return [`${local.posts.length + held.length} local`, ...renderCounts(counts)].join(" · ");
}

/** Counts of the pages that are built from posts; empty if there are none. */
function countPages({ plan: { pages }, outcomes }: PostsRun, dryRun: boolean): string {
  if (pages.length === 0) return "";
  const words = { ...(dryRun ? PLANNED : DONE), orphan: "without a post", blocked: "blocked" } as const;
  const done = outcomes.filter(({ resource }) => resource === "page");
  const shown = dryRun ? pages : done.filter(({ status }) => status !== "failed");
  const counts = Object.entries(words).map(([kind, word]): Count => [
    shown.filter((each) => each.kind === kind).length,
    word,
  ]);
  return renderCounts([...counts, [done.filter(({ status }) => status === "failed").length, "failed"]]).join(" · ");
}

function renderCounts(counts: readonly Count[]): readonly string[] {
  return counts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
}

/** One thing that an author can do, or that is about to happen. */
interface Item {
  /** `bad`: a problem. `warn`: needs a person. `good`: the next run does it. `dim`: waiting. */
  readonly style: "good" | "bad" | "warn" | "dim";
  readonly sign: string;
  /** The file, with the location in it if known. */
  readonly place: string;
  readonly text?: string;
  /** What to do about it, one step per line. */
  readonly steps?: readonly string[];
}

interface Section {
  readonly title: string;
  /** Advice for all items. */
  readonly advice?: string;
  readonly items: readonly Item[];
}

/** Groups everything that a plan or a run leaves to do. Omits empty sections. */
function listSections({ plan, local, outcomes }: PostsRun, dryRun: boolean): readonly Section[] {
  const open = plan.posts.filter((change) => dryRun || isStillOpen(change, outcomes));
  const pick = (test: (change: PostChange) => boolean) => open.filter(test).map(changeItem);
  const planned = (test: (change: PostChange) => boolean) => (dryRun ? pick(test) : []);
  const held = (reason: HeldFile["reason"]) => local.held.filter((each) => each.reason === reason);
  const pages = plan.pages.filter(({ kind }) => (dryRun ? kind !== "keep" : kind === "blocked" || kind === "orphan"));
  const blocked = (test: (change: Blocked) => boolean) => pick((change) => change.kind === "blocked" && test(change));
  const kept = (test: (state: string) => boolean) => pick(({ kind, state }) => kind === "keep" && test(state));
  const waiting = (file: string): Item => ({ style: "dim", sign: ".", place: file });
  const bad = { style: "bad", sign: "x" } as const;
  const problems = local.problems.map((each) => ({ ...bad, place: renderPlace(each), text: each.message }));
  const sections: readonly Section[] = [
    { title: "To fix", advice: CORRECT, items: [...problems, ...outcomes.flatMap(failureItem)] },
    { title: "To publish", advice: SYNC, items: planned(({ kind }) => kind === "create") },
    { title: "To update", advice: SYNC, items: planned(({ kind }) => kind === "update" || kind === "delete") },
    { title: "Pages", items: pages.map(({ kind, name, reason }) => ({ ...MARKS[kind], place: name, text: reason })) },
    { title: "Edited since publication: update by hand", items: blocked(isByHand) },
    { title: "On hold: new, or renamed", advice: RENAMED, items: blocked(({ state }) => state === "resembles") },
    {
      title: "Blocked",
      items: [
        ...blocked((change) => !isByHand(change) && change.state !== "resembles"),
        ...blockedOutcomes(outcomes, { open, posts: plan.posts }),
      ],
    },
    { title: "Published posts without a file", advice: ORPHANS, items: pick(({ kind }) => kind === "orphan") },
    { title: "On hold", advice: ON_HOLD_ADVICE, items: held("unclear").flatMap(doubtItems) },
    { title: "Settling", advice: LATER, items: pick(({ state }) => state === "settling") },
    { title: "Waiting for a build", advice: BUILD, items: pick(({ state }) => state === "needs-build") },
    { title: "Changed on the service", items: kept((state) => state === "changed-remotely") },
    { title: "Recognized", items: kept((state) => state !== "unchanged" && state !== "changed-remotely") },
    { title: "Scheduled", advice: LATER, items: held("scheduled").map(scheduledItem) },
    { title: "Drafts", advice: DRAFTS, items: held("draft").map(({ file }) => waiting(file)) },
    { title: "Expired", items: held("expired").map(({ file }) => waiting(file)) },
    { title: "Private", advice: PRIVATE, items: local.privateFiles.map(waiting) },
    { title: "Warnings", items: local.warnings.flatMap(warningItem) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

const CORRECT = "These posts aren't sent until you fix them. The others are.";
const SYNC = "`imprint posts sync` sends these.";
const ORPHANS = "`imprint posts pull` restores the file. Otherwise delete the post in the service's dashboard.";
const RENAMED = "These aren't sent until you decide, so that no post is published twice.";
const LATER = "The first `imprint posts sync` after that time publishes them.";
const ON_HOLD_ADVICE = "These aren't sent until the project's options define what their keys mean.";
const PRIVATE = "Files and folders with a leading underscore are skipped.";
const BUILD = "MDX needs the site's components. With imprint in astro.config, `astro build` publishes these posts.";
const DRAFTS = "To publish a draft, remove the draft line from its front matter.";

function isStillOpen({ name, kind }: PostChange, outcomes: readonly Outcome[]): boolean {
  if (kind === "orphan" || kind === "blocked" || kind === "wait") return true;
  return kind === "keep" && outcomes.some((each) => each.name === name && each.resource === "post");
}

const MARKS: Readonly<Record<PostChange["kind"], Pick<Item, "style" | "sign">>> = {
  create: { style: "good", sign: "+" },
  update: { style: "good", sign: "~" },
  delete: { style: "bad", sign: "-" },
  keep: { style: "dim", sign: "=" },
  orphan: { style: "warn", sign: "?" },
  wait: { style: "dim", sign: "." },
  blocked: { style: "warn", sign: "!" },
};

type Blocked = Extract<PostChange, { kind: "blocked" }>;

function isByHand(change: Blocked): boolean {
  return change.isByHand === true;
}

function changeItem(change: PostChange): Item {
  const { kind, file, reason, hint, name } = change;
  // The reason of a new post is always that the blog doesn't have it.
  const first = { ...MARKS[kind], place: file, text: kind === "create" ? "" : reason };
  if (kind === "blocked" && change.state === "edited") {
    const open = change.places.map((place) => `open   ${place}`);
    if (!isByHand(change)) return { ...first, steps: [...open, ...(hint === undefined ? [] : [hint])] };
    const steps = [
      ...open,
      `copy   imprint posts html ${name}`,
      ...(change.title === undefined ? [] : [`title  ${change.title}`]),
      `done?  imprint posts ack ${name}`,
      `or     imprint posts repost ${name}, or posts.target "pointer"`,
    ];
    return { ...first, steps };
  }
  const url = change.kind === "orphan" ? change.url : undefined;
  return { ...first, steps: [url, hint].filter((step) => step !== undefined) };
}

function failureItem({ name, error }: Outcome): readonly Item[] {
  if (error === undefined) return [];
  return [{ style: "bad", sign: "x", place: name, text: error.message, steps: [error.hint] }];
}

function doubtItems({ file, doubts = [] }: HeldFile): readonly Item[] {
  return doubts.map((doubt) => ({ ...MARKS.blocked, place: renderPlace({ file, ...doubt }), text: doubt.message }));
}

// Changes that were planned and turned out to be impossible during the run.
function blockedOutcomes(
  outcomes: readonly Outcome[],
  { open, posts }: { readonly open: readonly PostChange[]; readonly posts: readonly PostChange[] },
): readonly Item[] {
  const known = new Set(open.map(({ name }) => name));
  return outcomes.flatMap(({ resource, kind, status, name, reason, hint }) => {
    if (resource !== "post" || kind !== "blocked" || status !== "skipped" || known.has(name)) return [];
    const place = posts.find((change) => change.name === name)?.file ?? name;
    return [{ ...MARKS.blocked, place, text: reason, steps: hint === undefined ? [] : [hint] }];
  });
}

const DAY_MS = 86_400_000;

function scheduledItem({ file, publishedAt }: HeldFile): Item {
  const place = { style: "dim", sign: ">", place: file } as const;
  if (publishedAt === undefined) return place;
  const days = Math.ceil((publishedAt.getTime() - Date.now()) / DAY_MS);
  return { ...place, text: `${formatMinute(publishedAt)}, ${days <= 1 ? "within a day" : `in ${days} days`}` };
}

function warningItem({ code, file, line, message }: PostsRun["local"]["warnings"][number]): readonly Item[] {
  return code === ON_HOLD ? [] : [{ ...MARKS.blocked, place: renderPlace({ file, line }), text: message }];
}

function renderSection({ title, items, advice }: Section, text: RunText): readonly string[] {
  const { paint, columns } = text;
  const lines = advice === undefined ? [] : wrapText(advice, columns - 2).map((line) => `  ${paint("dim", line)}`);
  return [
    `\n${paint("strong", title)} (${items.length})`,
    ...lines,
    ...items.flatMap((each) => renderItem(each, text)),
  ];
}

function renderItem({ style, sign, place, text: words = "", steps = [] }: Item, text: RunText): readonly string[] {
  const line = `${place}  ${words}`.trimEnd();
  const fits = line.length + INDENT.length <= text.columns || words === "";
  return [
    `  ${text.paint(style, sign)} ${fits ? line : place}`,
    ...(fits ? [] : indent([words], text)),
    ...indent(steps, text, "dim"),
  ];
}

const INDENT = "    ";

function indent(texts: readonly string[], { columns, paint }: RunText, style?: "dim"): readonly string[] {
  return texts.flatMap((text) => {
    // Wrapping would collapse the spaces in a step such as `open   https://…`.
    const lines = text.length + INDENT.length <= columns ? [text] : wrapText(text, columns - INDENT.length);
    return lines.map((line) => INDENT + (style === undefined ? line : paint(style, line)));
  });
}

const ANSWERS: Readonly<Record<ProbeResult["answer"], string>> = {
  upserts: "The service updates a post that is sent again. From now on, edits are sent.",
  rejects: "The service rejects a post that is sent again. Make edits by hand.",
  ignores: "The service ignores a post that is sent again. Make edits by hand.",
  duplicates:
    "The service creates a second post if one is sent again. imprint won't try again. Delete the second post by hand:",
  overwrites:
    "The service writes a post that is sent again over another one. Make edits by hand, and restore this post:",
  unknown: "The probe couldn't determine whether the service updates a post that is sent again.",
};

function probeLines(probe: ProbeResult | undefined, text: RunText): readonly string[] {
  if (probe === undefined) return [];
  const lines = [ANSWERS[probe.answer], ...probe.places, `(tried with ${probe.name}: ${probe.reason})`];
  return [`\n${text.paint("strong", "Probe")}`, ...indent(lines, text)];
}

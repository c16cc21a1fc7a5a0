import type { PostsRun } from "./sync-posts.ts";
import type { PageChange } from "../../sync/changes.ts";
import { ON_HOLD, type HeldFile, type PostChange } from "../../posts/plan/changes.ts";
import type { Outcome } from "../../base/outcome.ts";
import { renderPlace } from "../../posts/read/problems.ts";

/** One thing that an editor can do, or that is about to happen. */
export interface TodoItem {
  /** `bad`: something is wrong. `warn`: it needs a person. `good`: it is done by the next run. `dim`: it waits. */
  readonly style: "good" | "bad" | "warn" | "dim";
  readonly sign: string;
  /** The file, with the place in it where that is known. */
  readonly place: string;
  readonly text: string;
  /** What to do about it, a step a line. */
  readonly steps: readonly string[];
}

export interface TodoSection {
  readonly title: string;
  /** How to act on all of them. */
  readonly advice?: string;
  readonly items: readonly TodoItem[];
}

/** Everything that a plan or a run leaves to do, by what has to be done. Empty sections are left out. */
export function listTodos(run: PostsRun, { dryRun, now }: { readonly dryRun: boolean; readonly now: Date }) {
  const { plan, local, outcomes } = run;
  const open = plan.posts.filter((change) => dryRun || isStillOpen(change, outcomes));
  const pick = (test: (change: PostChange) => boolean) => open.filter(test).map(changeItem);
  const held = (reason: HeldFile["reason"]) => local.held.filter((each) => each.reason === reason);
  const pages = plan.pages.filter(({ kind }) => (dryRun ? kind !== "keep" : kind === "blocked" || kind === "orphan"));
  const isEdited = (change: PostChange) => change.kind === "blocked" && change.state === "edited";
  const isRename = (change: PostChange) => change.kind === "blocked" && change.state === "resembles";
  const isBlocked = (change: PostChange) => change.kind === "blocked" && !isEdited(change) && !isRename(change);
  const sections: readonly TodoSection[] = [
    { title: "To fix", advice: CORRECT, items: [...problemItems(run), ...outcomes.flatMap(failureItem)] },
    { title: "To publish", advice: SYNC, items: dryRun ? pick(({ kind }) => kind === "create") : [] },
    {
      title: "To update",
      advice: SYNC,
      items: dryRun ? pick(({ kind }) => kind === "update" || kind === "delete") : [],
    },
    { title: "Pages", items: pages.map(pageItem) },
    { title: "Edited since they were published: update by hand", items: pick(isEdited) },
    { title: "On hold: new, or renamed", advice: RENAMED, items: pick(isRename) },
    { title: "Blocked", items: [...pick(isBlocked), ...blockedOutcomes(run, open)] },
    { title: "Published posts without a file", advice: ORPHANS, items: pick(({ kind }) => kind === "orphan") },
    { title: "On hold", advice: ON_HOLD_ADVICE, items: held("unclear").flatMap(doubtItems) },
    { title: "Settling", advice: LATER, items: pick(({ state }) => state === "settling") },
    { title: "Waiting for a build", advice: BUILD, items: pick(({ state }) => state === "needs-build") },
    { title: "Changed on the service", items: pick(isChangedThere) },
    { title: "Recognized", items: pick(isRecognized) },
    { title: "Scheduled", advice: LATER, items: held("scheduled").map((each) => scheduledItem(each, now)) },
    { title: "Drafts", advice: DRAFTS, items: held("draft").map((each) => item("dim", ".", each.file, "")) },
    { title: "Expired", items: held("expired").map((each) => item("dim", ".", each.file, "")) },
    { title: "Private", advice: PRIVATE, items: local.privateFiles.map((file) => item("dim", ".", file, "")) },
    { title: "Warnings", items: local.warnings.filter(({ code }) => code !== ON_HOLD).map(warningItem) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function isChangedThere(change: PostChange): boolean {
  return change.kind === "keep" && change.state === "changed-remotely";
}

function isRecognized(change: PostChange): boolean {
  return change.kind === "keep" && change.state !== "unchanged" && !isChangedThere(change);
}

const CORRECT = "These posts aren't sent until you fix them. The others are.";
const SYNC = "`imprint posts sync` sends these.";
const ORPHANS = "`imprint posts pull` restores the file. Otherwise delete the post in the service's dashboard.";
const RENAMED = "These aren't sent until you say which they are, so that no post is published twice.";
const LATER = "The first `imprint posts sync` after that time publishes these.";
const ON_HOLD_ADVICE = "These aren't sent until the options of the project say what their keys mean.";
const PRIVATE = "Files and folders with a leading underscore are skipped.";
const BUILD = "MDX needs the site's components. With imprint in astro.config, `astro build` publishes these posts.";
const DRAFTS = "To publish a draft, remove the draft line from its front matter.";

function isStillOpen({ name, kind }: PostChange, outcomes: readonly Outcome[]): boolean {
  if (kind === "orphan" || kind === "blocked" || kind === "wait") return true;
  return kind === "keep" && outcomes.some((each) => each.name === name && each.resource === "post");
}

// oxlint-disable-next-line max-params -- four words make one line, and a name for each would hide it
function item(style: TodoItem["style"], sign: string, place: string, text: string): TodoItem {
  return { style, sign, place, text, steps: [] };
}

function problemItems({ local }: PostsRun): readonly TodoItem[] {
  return local.problems.map((problem) => item("bad", "x", renderPlace(problem), problem.message));
}

function doubtItems({ file, doubts = [] }: HeldFile): readonly TodoItem[] {
  return doubts.map((doubt) => item("warn", "!", renderPlace({ file, ...doubt }), doubt.message));
}

function failureItem({ name, error }: Outcome): readonly TodoItem[] {
  if (error === undefined) return [];
  return [{ ...item("bad", "x", name, error.message), steps: [error.hint] }];
}

const SIGNS = { create: "+", update: "~", delete: "-", keep: "=", orphan: "?", wait: ".", blocked: "!" } as const;
const STYLES: Readonly<Record<PostChange["kind"], TodoItem["style"]>> = {
  create: "good",
  update: "good",
  delete: "bad",
  keep: "dim",
  orphan: "warn",
  wait: "dim",
  blocked: "warn",
};

function changeItem(change: PostChange): TodoItem {
  const { kind, file, reason, hint, name } = change;
  // That the blog does not have it goes without saying.
  const first = item(STYLES[kind], SIGNS[kind], file, kind === "create" ? "" : reason);
  if (kind === "blocked" && change.state === "edited") {
    const steps = [
      ...change.places.map((place) => `open   ${place}`),
      `copy   imprint posts html ${name}`,
      `done?  imprint posts ack ${name}`,
      `or     imprint posts repost ${name}, or posts.target "pointer"`,
    ];
    return { ...first, steps };
  }
  const url = change.kind === "orphan" ? change.url : undefined;
  return { ...first, steps: [url, hint].filter((step) => step !== undefined) };
}

// What was planned and then found to be impossible on the way.
function blockedOutcomes({ outcomes, plan }: PostsRun, open: readonly PostChange[]): readonly TodoItem[] {
  const known = new Set(open.map(({ name }) => name));
  const late = outcomes.filter(
    ({ resource, kind, status, name }) =>
      resource === "post" && kind === "blocked" && status === "skipped" && !known.has(name),
  );
  return late.map(({ name, reason, hint }) => {
    const file = plan.posts.find((change) => change.name === name)?.file ?? name;
    return { ...item("warn", "!", file, reason), steps: hint === undefined ? [] : [hint] };
  });
}

function pageItem(change: PageChange): TodoItem {
  const { kind, name, reason } = change;
  return item(STYLES[kind], SIGNS[kind], name, reason);
}

const DAY_MS = 86_400_000;

function scheduledItem({ file, publishedAt }: HeldFile, now: Date): TodoItem {
  if (publishedAt === undefined) return item("dim", ">", file, "");
  const days = Math.ceil((publishedAt.getTime() - now.getTime()) / DAY_MS);
  const time = `${publishedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return item("dim", ">", file, `${time}, ${days <= 1 ? "within a day" : `in ${days} days`}`);
}

function warningItem({ file, line, message }: PostsRun["local"]["warnings"][number]): TodoItem {
  return item("warn", "!", line === undefined ? file : `${file}:${line}`, message);
}

import type { PostsRun } from "./sync-posts.ts";
import type { ProbeResult } from "../../posts/apply/repeated-posts.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { wrapText } from "../terminal.ts";
import { listTodos, type TodoItem, type TodoSection } from "./todo.ts";
import type { PostChange } from "../../posts/plan/changes.ts";

export interface RunText {
  readonly paint: Paint;
  readonly dryRun: boolean;
  readonly now: Date;
  /** Width of the terminal in characters; where there is none, lines stay whole. */
  readonly columns: number;
}

const LABEL = "posts  ";

/** What is to be done, or was done, about the posts: counts on one line, then a list of what needs a person. */
export function renderPostsRun(run: PostsRun, text: RunText): string {
  const counts = wrapText(renderHeadline(run, text.dryRun), text.columns - LABEL.length);
  const pages = renderPagesLine(run, text.dryRun);
  const headline = [
    LABEL + counts.join(`\n${" ".repeat(LABEL.length)}`),
    ...(pages === undefined ? [] : [`pages  ${pages}`]),
  ].join("\n");
  const published = run.outcomes.filter(({ resource, kind, status }) => {
    return (
      status === "done" && (resource === "post" || resource === "page") && (kind === "create" || kind === "update")
    );
  });
  const done = published.map(({ name, url, hint }) =>
    [`  ${text.paint("good", "+")} ${name}  ${url ?? ""}`, ...(hint === undefined ? [] : indent([hint], text))].join(
      "\n",
    ),
  );
  const sections = listTodos(run, text).map((section) => renderSection(section, text));
  return `${[headline, ...done, ...sections, ...probeLines(run.probe, text)].join("\n")}\n`;
}

function renderSection({ title, items, advice }: TodoSection, text: RunText): string {
  const heading = `\n${text.paint("strong", title)} (${items.length})`;
  const lines =
    advice === undefined ? [] : wrapText(advice, text.columns - 2).map((line) => `  ${text.paint("dim", line)}`);
  return [heading, ...lines, ...items.map((each) => renderItem(each, text))].join("\n");
}

function renderItem({ style, sign, place, text: words, steps }: TodoItem, text: RunText): string {
  const line = `${place}  ${words}`.trimEnd();
  const fits = line.length + 4 <= text.columns;
  const own = fits || words === "" ? [line] : [place];
  const below = fits || words === "" ? [] : indent([words], text);
  const [first = "", ...rest] = own;
  return [`  ${text.paint(style, sign)} ${first}`, ...rest, ...below, ...indent(steps, text, "dim")].join("\n");
}

const INDENT = "    ";

function indent(texts: readonly string[], { columns, paint }: RunText, style?: "dim"): readonly string[] {
  return texts.flatMap((text) => {
    // The spaces in a step such as `open   https://…` are its own.
    const lines = text.length + INDENT.length <= columns ? [text] : wrapText(text, columns - INDENT.length);
    return lines.map((line) => INDENT + (style === undefined ? line : paint(style, line)));
  });
}

const ANSWERS: Readonly<Record<ProbeResult["answer"], string>> = {
  upserts: "Sending a post again changes it here. From now on edits are sent.",
  rejects: "Sending a post again is refused here: edits have to be made by hand.",
  ignores: "Sending a post again changes nothing here: edits have to be made by hand.",
  duplicates: "Sending a post again makes a second one here. It is not tried again. Delete the second one by hand:",
  unknown: "It could not be seen whether sending a post again changes it.",
};

function probeLines(probe: ProbeResult | undefined, text: RunText): readonly string[] {
  if (probe === undefined) return [];
  const lines = [`${ANSWERS[probe.answer]}`, ...probe.places, `(tried with ${probe.name}: ${probe.reason})`];
  return [`\n${text.paint("strong", "Probe")}`, ...indent(lines, text)];
}

const DONE = { create: "created", update: "updated", delete: "deleted", keep: "unchanged" } as const;
const PLANNED = { create: "to create", update: "to update", delete: "to delete", keep: "unchanged" } as const;

const STATES = [
  ["edited", "edited"],
  ["orphan", "without a file"],
  ["foreign", "slug taken"],
  ["duplicate", "duplicated in the blog"],
  ["deleted-remotely", "deleted on the service"],
  ["slug-changed", "slug changed"],
  ["resembles", "on hold as a possible rename"],
  ["cannot-unpublish", "to unpublish by hand"],
  ["unresolved", "uncertain"],
  ["blocked", "blocked"],
] as const;

/** Counts: `12 local · 1 created · 8 unchanged · 1 edited`. */
export function renderHeadline({ plan, local, outcomes }: PostsRun, dryRun: boolean): string {
  const count = (test: (change: PostChange) => boolean) => plan.posts.filter(test).length;
  const done = (kind: string) =>
    outcomes.filter((each) => each.resource === "post" && each.kind === kind && each.status === "done").length;
  const words = dryRun ? PLANNED : DONE;
  const kinds = (["create", "update", "delete", "keep"] as const).map((kind) => {
    const number = dryRun ? count((change) => change.kind === kind) : done(kind);
    return [number, words[kind]] as const;
  });
  const failed = outcomes.filter(({ status, resource }) => status === "failed" && resource === "post").length;
  const isWrite = ({ kind }: PostChange) => kind === "update" || kind === "delete";
  const parts: (readonly [number, string])[] = [
    [local.posts.length + local.held.length, "local"],
    ...kinds,
    ...STATES.map(([state, word]) => [count((each) => !isWrite(each) && each.state === state), word] as const),
    [dryRun ? 0 : failed, "failed"],
    [count(({ state }) => state === "settling"), "settling"],
    [count(({ state }) => state === "needs-build"), "waiting for a build"],
    ...heldParts(local.held),
    [local.privateFiles.length, "private"],
  ];
  const shown = parts.filter(([number], index) => number > 0 || index === 0);
  return `${shown.map(([number, word]) => `${number} ${word}`).join(" · ")}`;
}

/** Counts of the pages that are made of posts; `undefined` when there are none. */
export function renderPagesLine({ plan, outcomes }: PostsRun, dryRun: boolean): string | undefined {
  if (plan.pages.length === 0) return undefined;
  const words = { ...(dryRun ? PLANNED : DONE), orphan: "without a post", blocked: "blocked" } as const;
  const done = outcomes.filter(({ resource }) => resource === "page");
  const kinds = (dryRun ? plan.pages : done.filter(({ status }) => status !== "failed")).map(({ kind }) => kind);
  const failed = done.filter(({ status }) => status === "failed").length;
  const parts = Object.entries(words).flatMap(([kind, word]) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return [...parts, ...(failed === 0 ? [] : [`${failed} failed`])].join(" · ");
}

function heldParts(held: PostsRun["local"]["held"]): readonly (readonly [number, string])[] {
  const scheduled = held.filter(({ reason }) => reason === "scheduled");
  const dates = scheduled.map(({ publishedAt }) => publishedAt?.toISOString().slice(0, 10) ?? "").toSorted();
  const count = (reason: string) => held.filter((each) => each.reason === reason).length;
  return [
    [scheduled.length, `scheduled (${dates.slice(0, 3).join(", ")}${dates.length > 3 ? ", …" : ""})`],
    [count("draft"), count("draft") === 1 ? "draft" : "drafts"],
    [count("expired"), "expired"],
    [count("unclear"), "on hold"],
    [count("invalid"), "to fix"],
  ];
}

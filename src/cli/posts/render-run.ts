import type { PostsRun } from "../../flow/sync-posts.ts";
import type { Outcome } from "../../sync/apply.ts";
import type { PostChange } from "../../sync/posts/changes.ts";
import type { Paint } from "../../sync/report/render-text.ts";

const DONE = { create: "created", update: "updated", delete: "deleted", keep: "unchanged" } as const;
const PLANNED = { create: "to create", update: "to update", delete: "to delete", keep: "unchanged" } as const;

/** What is to be done, or was done, about the posts: counts on one line, then one to-do for each that needs a person. */
export function renderPostsRun(run: PostsRun, { paint, dryRun }: { readonly paint: Paint; readonly dryRun: boolean }) {
  const changes = run.plan.posts.filter((change) => dryRun || isStillOpen(change, run.outcomes));
  const lines = [
    headline(run, dryRun),
    ...run.local.invalid
      .map(({ error }) => error.message.split("\n").map((line) => `${paint("bad", "x")} ${line}`))
      .flat(),
    ...run.outcomes.filter(({ error }) => error !== undefined).flatMap((outcome) => failureLines(outcome, paint)),
    ...changes.flatMap((change) => todoLines(change, { paint, dryRun })),
    ...run.local.warnings.map(({ file, line, message }) => `${paint("warn", "!")} ${placeOf(file, line)}  ${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ plan, local, outcomes }: PostsRun, dryRun: boolean): string {
  const count = (test: (change: PostChange) => boolean) => plan.posts.filter(test).length;
  const done = (kind: string) =>
    outcomes.filter((each) => each.resource === "post" && each.kind === kind && each.status === "done").length;
  const words = dryRun ? PLANNED : DONE;
  const kinds = (["create", "update", "delete", "keep"] as const).map((kind) => {
    const number = dryRun ? count((change) => change.kind === kind) : done(kind);
    return [number, words[kind]] as const;
  });
  const failed = outcomes.filter(({ status, resource }) => status === "failed" && resource === "post").length;
  const states = [
    ["edited", "edited"],
    ["orphan", "without a file"],
    ["foreign", "slug taken"],
    ["duplicate", "twice in the blog"],
    ["deleted-remotely", "removed at the service"],
    ["slug-changed", "slug changed"],
    ["cannot-unpublish", "to take back by hand"],
    ["unresolved", "not known"],
    ["blocked", "blocked"],
  ] as const;
  const parts: (readonly [number, string])[] = [
    [local.posts.length + local.held.length, "local"],
    ...kinds,
    ...states.map(([state, word]) => [count((each) => each.kind !== "update" && each.state === state), word] as const),
    [dryRun ? 0 : failed, "failed"],
    ...heldParts(local.held),
  ];
  return `posts  ${parts
    .filter(([number], index) => number > 0 || index === 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(" · ")}`;
}

function heldParts(held: PostsRun["local"]["held"]): readonly (readonly [number, string])[] {
  const scheduled = held.filter(({ reason }) => reason === "scheduled");
  const dates = scheduled.map(({ publishedAt }) => publishedAt?.toISOString().slice(0, 10) ?? "").toSorted();
  const count = (reason: string) => held.filter((each) => each.reason === reason).length;
  return [
    [scheduled.length, `scheduled (${dates.slice(0, 3).join(", ")}${dates.length > 3 ? ", …" : ""})`],
    [count("draft"), count("draft") === 1 ? "draft" : "drafts"],
    [count("expired"), "expired"],
    [count("invalid"), "to correct"],
  ];
}

function isStillOpen({ name, kind }: PostChange, outcomes: readonly Outcome[]): boolean {
  if (kind === "orphan" || kind === "blocked") return true;
  return outcomes.some((each) => each.name === name && each.resource === "post" && each.status === "skipped");
}

function todoLines(change: PostChange, { paint, dryRun }: { readonly paint: Paint; readonly dryRun: boolean }) {
  const { kind, file, reason, hint, name } = change;
  if (kind === "keep") return change.state === "unchanged" ? [] : [`${paint("dim", "=")} ${file}  ${reason}`];
  if (kind === "create" || kind === "update") {
    return dryRun ? [`${paint("good", kind === "create" ? "+" : "~")} ${file}  ${reason}`] : [];
  }
  if (kind === "delete") return [`${paint("bad", "-")} ${file}  ${reason}`];
  const first = `${paint("warn", kind === "orphan" ? "?" : "!")} ${file}  ${reason}.`;
  if (kind === "blocked" && change.state === "edited") {
    return [
      first,
      ...change.places.map((place) => `    open   ${place}`),
      `    copy   imprint posts html ${name}`,
      `    done?  imprint posts ack ${name}`,
    ];
  }
  return hint === undefined ? [first] : [first, `    ${paint("dim", hint)}`];
}

function failureLines({ name, error }: Outcome, paint: Paint): readonly string[] {
  if (error === undefined) return [];
  return [`${paint("bad", "x")} ${name}  ${error.message}`, `    ${paint("dim", error.hint)}`];
}

function placeOf(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

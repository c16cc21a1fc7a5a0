import type { PostsRun } from "./sync-posts.ts";
import type { PostChange } from "../../posts/plan/changes.ts";

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

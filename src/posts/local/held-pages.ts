import type { HoldReason } from "../plan/changes.ts";

/** A post that is not published now. */
export interface HeldPost {
  /** Path of the markdown file, relative to the project. */
  readonly file: string;
  /** Why the post is not published. */
  readonly reason: HoldReason;
}

/** A page of the built site that is not published, because its post is not. */
export interface HeldPage extends HeldPost {
  readonly route: string;
}

const ONE: Readonly<Partial<Record<HoldReason, string>>> = {
  draft: "its post is a draft",
  scheduled: "its post is scheduled",
  expired: "its post has expired",
};
const SEVERAL: Readonly<Partial<Record<HoldReason, string>>> = {
  draft: "their posts are drafts",
  scheduled: "their posts are scheduled",
  expired: "their posts have expired",
};

const NOUNS: Readonly<Partial<Record<HoldReason, string>>> = {
  draft: "a draft",
  scheduled: "a scheduled post",
  expired: "an expired post",
};

/** What a post is that is not published now: `a draft`. */
export function nounOfHold(reason: HoldReason): string {
  return NOUNS[reason] ?? "a post on hold";
}

/** Why a page is not published: `its post is a draft`. */
export function reasonOfHold(reason: HoldReason): string {
  return ONE[reason] ?? "its post is on hold";
}

/** The same of several pages: `their posts are drafts`. */
export function reasonOfHolds(reason: HoldReason): string {
  return SEVERAL[reason] ?? "their posts are on hold";
}

/** A line for each reason why pages of posts are not published. */
export function heldPageLines(pages: readonly HeldPage[] = []): readonly string[] {
  return [...Map.groupBy(pages, ({ reason }) => reason)].map(([reason, group]) => {
    const names = group.map(({ route, file }) => `${route} (${file})`).join(", ");
    return group.length === 1
      ? `1 page is not published because ${reasonOfHold(reason)}: ${names}`
      : `${group.length} pages are not published because ${reasonOfHolds(reason)}: ${names}`;
  });
}

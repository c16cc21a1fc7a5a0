import type { SiteWarning } from "../../site/model.ts";
import type { HoldReason } from "../plan/changes.ts";
import type { ParsedFolder } from "../read/parse-post.ts";

/** A post that isn't published now. */
export interface HeldPost {
  /** Path of the markdown file, relative to the project. */
  readonly file: string;
  /** Why the post isn't published. */
  readonly reason: HoldReason;
}

/** A page of the built site that isn't published because its post isn't. */
export interface HeldPage extends HeldPost {
  readonly route: string;
}

/** The posts of a site parsed up to their front matter, and the pages left out because of them. */
export interface HeldSite {
  readonly parsed: ParsedFolder | undefined;
  readonly pages: readonly HeldPage[];
  /** Warnings about links to these pages, by route. */
  readonly links: Readonly<Record<string, string>>;
  /** Pages that show the text of a post on hold among other content, by route. They aren't sent as they are. */
  readonly blockedPages: ReadonlyMap<string, HeldText>;
  /** Files other than pages that contain such a text, by path below the dist folder. They are left out. */
  readonly blockedFiles: ReadonlyMap<string, HeldText>;
  readonly warnings: readonly SiteWarning[];
}

/** Why a page or file with the text of a post on hold isn't published, and what to do. */
export interface HeldText {
  readonly reason: string;
  readonly hint: string;
}

export const NONE_HELD: HeldSite = {
  parsed: undefined,
  pages: [],
  links: {},
  blockedPages: new Map(),
  blockedFiles: new Map(),
  warnings: [],
};

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

/** Describes a post that isn't published now: `a draft`. */
export function nounOfHold(reason: HoldReason): string {
  return NOUNS[reason] ?? "a post on hold";
}

/** Returns why a page isn't published: `its post is a draft`. */
export function reasonOfHold(reason: HoldReason): string {
  return ONE[reason] ?? "its post is on hold";
}

/** The same for several pages: `their posts are drafts`. */
export function reasonOfHolds(reason: HoldReason): string {
  return SEVERAL[reason] ?? "their posts are on hold";
}

/** Returns one line per reason why pages of posts are left out. Earlier versions of them may still be published. */
export function heldPageLines(pages: readonly HeldPage[] = []): readonly string[] {
  return [...Map.groupBy(pages, ({ reason }) => reason)].map(([reason, group]) => {
    const names = group.map(({ route, file }) => `${route} (${file})`).join(", ");
    return group.length === 1
      ? `1 page of the site is left out because ${reasonOfHold(reason)}: ${names}`
      : `${group.length} pages of the site are left out because ${reasonOfHolds(reason)}: ${names}`;
  });
}

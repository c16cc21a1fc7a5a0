import { pluralize } from "../../base/pluralize.ts";
import type { Listing, Post } from "../../client/api.ts";
import { USUAL_PAGE_SIZES } from "../../contract/limits.ts";
import { isSamePost } from "./identity.ts";
import { lateMs, settleMs, type PostEntry, type PostLedger } from "../memory/ledger.ts";

/**
 * Whether a list contains every post of the blog. `proven`: as far as a list can show it. `refuted`: something is
 * missing. `unproven`: it may have been truncated silently.
 */
export type Completeness = { readonly kind: "proven" } | Incomplete;

interface Incomplete {
  readonly kind: "refuted" | "unproven";
  readonly reason: string;
  /** Slug of a published post that isn't listed. */
  readonly missing?: string;
}

export interface ListEvidence {
  readonly listing: Listing<Post>;
  readonly ledger: PostLedger;
  /** Slugs of entries whose post is known to be removed and need not be listed. */
  readonly gone: ReadonlySet<string>;
  /** Slugs of entries that the list lacks, and whose post readers see at its address. */
  readonly unlisted?: ReadonlySet<string> | undefined;
  readonly now: Date;
}

/** Assesses whether a list of posts is complete. */
export function assessList(evidence: ListEvidence): Completeness {
  const { listing, ledger, unlisted = new Set() } = evidence;
  const { items, total } = listing;
  const lacking = missingEntries(evidence);
  const unseen = lacking.filter((slug) => !isAwaited(ledger.entries.get(slug)));
  const [missing, ...others] = unseen.filter((slug) => !unlisted.has(slug));
  if (total !== undefined && total > items.length + lacking.length) {
    return { kind: "refuted", reason: `the service reports ${pluralize(total, "post")} but lists ${items.length}` };
  }
  if (missing !== undefined) {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const reason = `the service's list lacks ${missing}${more}, which was published: it was deleted, or the list isn't complete`;
    return { kind: "refuted", reason, missing };
  }
  const [first] = unseen;
  if (first !== undefined && total !== items.length + unseen.length) {
    const more = unseen.length === 1 ? "" : ` and ${unseen.length - 1} more`;
    const reason = `the service's list lacks ${first}${more}, which readers see, so it may lack others`;
    return { kind: "unproven", reason };
  }
  if (listing.end === "said" || total !== undefined) return { kind: "proven" };
  return isUsualCut(evidence) && ledger.entries.size < items.length
    ? {
        kind: "unproven",
        reason: `the service's list ends after ${pluralize(items.length, "post")} without indicating that it is complete`,
      }
    : { kind: "proven" };
}

/** Slugs of posts that we published and that a list should show but doesn't. */
export function missingEntries({ listing, ledger, gone, now }: ListEvidence): readonly string[] {
  const ids = new Set(listing.items.map(({ id }) => id));
  return [...ledger.entries].flatMap(([slug, entry]) => {
    if (entry.id !== undefined && ids.has(entry.id)) return [];
    const isListed = listing.items.some((record) => isSamePost(record, { slug, entry }));
    return isListed || gone.has(slug) || mayBeLate({ slug, entry }, { ledger, now }) ? [] : [slug];
  });
}

/** Whether readers didn't see a post when it was sent, so that a list need not show it. */
export function isAwaited(entry: PostEntry | undefined): boolean {
  return entry?.unshown === true;
}

/** Whether a list has a length at which services commonly truncate. */
export function isUsualCut({ listing, ledger }: Pick<ListEvidence, "listing" | "ledger">): boolean {
  const { pageSize = Number.POSITIVE_INFINITY } = ledger.learned;
  const { length } = listing.items;
  return listing.end === "assumed" && (USUAL_PAGE_SIZES.has(length) || length >= pageSize);
}

/** Whether an entry is so recent that the list may not show it yet. */
export function mayBeLate(
  { slug, entry }: { readonly slug: string; readonly entry: PostEntry },
  { ledger, now }: Pick<ListEvidence, "ledger" | "now">,
): boolean {
  const windowMs = ledger.fresh?.has(slug) === true ? settleMs(ledger.learned) : lateMs(ledger.learned);
  return Date.parse(entry.createdAt) > now.getTime() - windowMs;
}

/** What to do if somebody deleted a post and the service doesn't show that. */
export function hintRestore(missing: string): string {
  return `If it was deleted on the service, run \`imprint posts restore ${missing} --force\`.`;
}

/** What to do about a post that may be missing from a list; empty if only the service can help. */
export function hintUnlisted({ kind, missing }: Incomplete, slug: string): string {
  if (missing !== undefined) return hintRestore(missing);
  return kind === "unproven" ? `If the blog doesn't have it, run \`imprint posts new-post ${slug}\`.` : "";
}

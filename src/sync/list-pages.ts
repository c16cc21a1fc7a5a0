import type { ImprintApi, Page } from "../client/api.ts";
import type { State } from "./state.ts";

/**
 * The pages of a service. Where it says how many there are and which changed since a run looked last, and both fit what
 * we remember, that takes one request instead of the whole list. When anything does not add up, everything is listed.
 */
export async function listPages({
  api,
  state,
}: {
  readonly api: ImprintApi;
  readonly state: State;
}): Promise<readonly Page[]> {
  const { seenAt, pages, otherPages = [], sending } = state;
  const count = api.capabilities.account?.usage.pages;
  if (seenAt === undefined || count === undefined || Object.keys(sending).length > 0) {
    return (await api.pages.list()).items;
  }
  const changed = await api.pages.list({ updatedSince: new Date(seenAt) });
  const merged = new Map<string, Page>(otherPages.map((slug) => [slug, { slug }]));
  for (const [slug, { sent, version }] of Object.entries(pages)) merged.set(slug, { slug, contentHash: sent, version });
  for (const page of changed.items) merged.set(page.slug, page);
  return merged.size === count ? [...merged.values()] : (await api.pages.list()).items;
}

/**
 * Until when a run has seen every change at the service: the last change in the list that it was planned from. What the
 * run itself writes is later, so that a change of somebody else meanwhile is never missed.
 */
export function lastSeen(pages: readonly Page[], before: string | undefined): string | undefined {
  let latest = before === undefined ? undefined : new Date(before);
  for (const { updatedAt: at } of pages) if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  return latest?.toISOString();
}

const FEW_WRITES = 100;

/**
 * The same after a run, which may have written so much that it would fill many lists of the next one. Then only what
 * comes after its own last write is asked for. Of what somebody else changed meanwhile nothing is overwritten all the
 * same: every page is replaced in the version that we know of.
 */
export function seenAfter(written: readonly Page[], before: string | undefined): string | undefined {
  return written.length <= FEW_WRITES ? before : lastSeen(written, before);
}

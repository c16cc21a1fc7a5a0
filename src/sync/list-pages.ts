import type { ImprintApi, Page } from "../client/api.ts";
import type { PageChange } from "./changes.ts";
import type { State } from "./state.ts";

/**
 * The pages of a service. Where it tells how many there are and which changed since a run looked last, and both fit what
 * we remember, that takes one request instead of the whole list. When anything does not add up, everything is listed.
 */
export async function listPages({
  api,
  state,
}: {
  readonly api: ImprintApi;
  readonly state: State;
}): Promise<readonly Page[]> {
  const { seenAt, pages, sending } = state;
  const count = api.capabilities.account?.usage.pages;
  if (seenAt === undefined || count === undefined || Object.keys(sending).length > 0) {
    return (await api.pages.list()).items;
  }
  const changed = await api.pages.list({ updatedSince: new Date(seenAt) });
  const remembered = Object.entries(pages).map(([slug, { sent }]) => [slug, { slug, contentHash: sent }] as const);
  const merged = new Map<string, Page>(remembered);
  for (const page of changed.items) merged.set(page.slug, page);
  return merged.size === count ? [...merged.values()] : (await api.pages.list()).items;
}

/**
 * Until when a run has seen every change at the service: the last change in the list that it was planned from. What the
 * run itself writes is later, so that a change of somebody else meanwhile is never missed.
 */
export function lastSeen(changes: readonly PageChange[], before: string | undefined): string | undefined {
  let latest = before === undefined ? undefined : new Date(before);
  for (const change of changes) {
    const at = "known" in change ? change.known.record.updatedAt : undefined;
    if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  }
  return latest?.toISOString();
}

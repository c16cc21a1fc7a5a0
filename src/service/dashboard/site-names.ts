import type { Context } from "../resources/context.ts";
import { listSites } from "../store/sites.ts";

/** The names of the account's sites by their ids, newest first. */
export async function readSiteNames({ database, accountId, limits }: Context): Promise<ReadonlyMap<string, string>> {
  const window = { after: undefined, limit: limits.maxSites, visibleUntil: Infinity };
  const { items } = await listSites(database, accountId, window);
  return new Map(items.map(({ id, name }) => [id, name]));
}

/** What a choice of one site, or none, offers. */
export function siteChoices(
  names: ReadonlyMap<string, string>,
  none: string,
): readonly (readonly [value: string, text: string])[] {
  return [["", none], ...names];
}

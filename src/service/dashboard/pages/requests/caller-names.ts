import type { Context } from "../../../resources/context.ts";
import { listGrants } from "../../../resources/grants.ts";
import { listApiKeys } from "../../../store/api-keys.ts";

const EVERYTHING = { after: undefined, limit: 1000, visibleUntil: Infinity };

/** What the keys and apps of an account are called, by the ids under which the log knows them. */
export async function nameCallers(context: Context): Promise<ReadonlyMap<string, string>> {
  const keys = await listApiKeys(context.database, context.accountId, EVERYTHING);
  const grants = await listGrants(context, EVERYTHING);
  return new Map([
    ["handle", "this service"],
    ...keys.items.map(({ id, name }) => [id, name] as const),
    ...grants.items.map(({ id, clientName }) => [id, clientName] as const),
  ]);
}

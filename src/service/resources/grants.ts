import { ProblemError } from "../http/problem.ts";
import type { Slice, Window } from "../store/keyset.ts";
import { findGrant, listGrantsOf, type StoredGrant } from "../store/oauth.ts";
import { deleteRows } from "../store/rows.ts";
import type { Context } from "./context.ts";
import { found } from "./fields.ts";

/** The programs that the account's owner authorized, newest first. */
export async function listGrants({ database, accountId, now }: Context, window: Window): Promise<Slice<StoredGrant>> {
  return await listGrantsOf(database, accountId, { window, now });
}

/** One of these; throws `grant_not_found`. */
export async function getGrant({ database, accountId, now }: Context, id: string): Promise<StoredGrant> {
  return found(await findGrant(database, { accountId, id }, now), "grant_not_found");
}

/** Takes back what a program may do: its tokens are refused from now on. Throws `grant_not_found`. */
export async function revokeGrant({ database, accountId }: Context, id: string): Promise<void> {
  if (!(await deleteRows(database, "oauthGrant", { accountId, id }))) throw new ProblemError("grant_not_found");
}

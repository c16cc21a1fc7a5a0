import { includesScope } from "../../contract/people.ts";
import type { Slice, Sought } from "../store/keyset.ts";
import { findGrant, listGrantsOf, type StoredGrant } from "../store/oauth.ts";
import { deleteRows } from "../store/rows.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { found } from "./fields.ts";

/** Lists authorized programs, newest first: all of the account for an owner, otherwise only the user's own. */
export async function listGrants(context: Context, sought: Sought): Promise<Slice<StoredGrant>> {
  return await listGrantsOf(context.database, ownOf(context), { ...sought, now: context.now });
}

/** Returns one of these grants. Throws `grant_not_found`. */
export async function getGrant(context: Context, id: string): Promise<StoredGrant> {
  return found(await findGrant(context.database, { ...ownOf(context), id }, context.now), "grant_not_found");
}

/** Revokes a program's access; its tokens are rejected from now on. Throws `grant_not_found`. */
export async function revokeGrant(context: Context, id: string): Promise<void> {
  const { clientName } = await getGrant(context, id);
  await deleteRows(context.database, "oauthGrant", { id });
  await audit(context, { action: "grant.revoked", subject: clientName, subjectId: id });
}

function ownOf({ accountId, actor }: Context): {
  readonly accountId: string;
  readonly userId?: string;
} {
  const isOwner = actor === undefined || actor.userId === null || includesScope(actor.scopes, "account:write");
  return isOwner ? { accountId } : { accountId, userId: actor.userId };
}

import type { UserCreateBody, UserPatchBody } from "../../contract/operations/people.ts";
import { limitToRole, type KeyFate, type Role } from "../../contract/people.ts";
import { SCOPES } from "../../contract/scopes.ts";
import { ProblemError } from "../http/problem.ts";
import { listKeysOf } from "../store/api-keys.ts";
import { countRows, deleteRecord, findRow, insertRow, saveRow, updateRows } from "../store/rows.ts";
import { deleteSessionsOf } from "../store/sessions.ts";
import type { StoredUser } from "../store/users.ts";
import { audit, nameUser } from "./audit.ts";
import type { Context } from "./context.ts";
import { applyPatch, checkLimit, fieldProblem, found } from "./fields.ts";

export async function getUser({ database, accountId }: Context, id: string): Promise<StoredUser> {
  return found(await findRow(database, "accountUser", { accountId, id }), "user_not_found");
}

/** Returns a user whom the caller may manage. Throws `insufficient_scope` otherwise. */
export async function getManagedUser(context: Context, id: string): Promise<StoredUser> {
  const user = await getUser(context, id);
  checkRole(context, user.role);
  return user;
}

/**
 * Adds a user, who signs in with a link. Throws `email_taken`, and `insufficient_scope` for a role above the caller's.
 */
export async function createUser(context: Context, { name, email, role }: UserCreateBody): Promise<StoredUser> {
  const { database, accountId, limits, newId, now } = context;
  checkRole(context, role);
  await checkEmail(context, email);
  checkLimit(await countRows(database, "accountUser", { accountId }), limits.maxUsers, "users");
  const user: StoredUser = {
    id: newId("usr"),
    accountId,
    name: name ?? email.slice(0, email.indexOf("@")),
    email,
    role,
    formMails: false,
    createdAt: now,
    lastSignInAt: null,
  };
  await insertRow(database, "accountUser", user);
  await audit(context, { action: "user.created", ...named(user), detail: role });
  return user;
}

/** Changes the given fields. A new role applies from the next request, in every browser, key and connected app. */
export async function patchUser(context: Context, id: string, patch: UserPatchBody): Promise<StoredUser> {
  const { database } = context;
  // Removing a role requires the same scopes as assigning it.
  const user = await getManagedUser(context, id);
  if (patch.email !== undefined && patch.email !== user.email) {
    await checkEmail(context, patch.email);
    // Links sent to the old address must no longer work.
    await deleteSessionsOf(database, id);
  }
  if (patch.role !== undefined && patch.role !== user.role) {
    checkRole(context, patch.role);
    await checkOwnerStays(context, user);
  }
  const changed = applyPatch(user, patch);
  await saveRow(database, "accountUser", changed);
  const detail = changesOf(user, changed);
  if (detail !== "") await audit(context, { action: "user.changed", ...named(changed), detail });
  return changed;
}

/**
 * Removes a user. Sessions and connected apps end at once. Keys are revoked, or transferred to the caller without
 * additional scopes.
 */
export async function removeUser(context: Context, id: string, fate: KeyFate = "revoke"): Promise<void> {
  const { database, now, actor } = context;
  const user = await getManagedUser(context, id);
  await checkOwnerStays(context, user);
  // Users who remove themselves can't keep keys: these then belong to the account.
  const userId = actor === undefined || actor.userId === id ? null : actor.userId;
  for (const key of await listKeysOf(database, id)) {
    const set = fate === "keep" ? { userId, scopes: limitToRole(key.scopes, user.role) } : { revokedAt: now };
    await updateRows(database, "apiKey", { match: { id: key.id }, set });
    const action = fate === "keep" ? "key.kept" : "key.revoked";
    await audit(context, { action, subject: key.name, subjectId: key.id, detail: `of ${nameUser(user)}` });
  }
  await audit(context, { action: "user.deleted", ...named(user) });
  await deleteRecord(database, "accountUser", { id });
}

function named(user: StoredUser) {
  return { subject: nameUser(user), subjectId: user.id };
}

/** Formats changes as in `role: editor → viewer`. */
function changesOf(before: StoredUser, after: StoredUser): string {
  const fields = (["name", "email", "role"] as const).filter((field) => before[field] !== after[field]);
  return fields.map((field) => `${field}: ${before[field] ?? "none"} → ${after[field] ?? "none"}`).join(", ");
}

function checkRole({ actor }: Context, role: Role): void {
  const own = actor?.scopes ?? null;
  const missing = (limitToRole(null, role) ?? SCOPES).filter((scope) => own !== null && !own.includes(scope));
  if (missing.length === 0) return;
  throw new ProblemError("insufficient_scope", {
    detail: `Managing the role "${role}" requires all of its scopes. Missing: ${missing.join(", ")}.`,
    errors: [{ pointer: "/body/role", detail: "exceeds the scopes of the calling key" }],
  });
}

async function checkEmail({ database, accountId }: Context, email: string): Promise<void> {
  if ((await findRow(database, "accountUser", { accountId, email })) === undefined) return;
  throw fieldProblem("email_taken", "email", "is the address of another user");
}

async function checkOwnerStays({ database, accountId }: Context, { role }: StoredUser): Promise<void> {
  if (role !== "owner" || (await countRows(database, "accountUser", { accountId, role })) > 1) return;
  throw new ProblemError("last_owner", { detail: "Make another user an owner first." });
}

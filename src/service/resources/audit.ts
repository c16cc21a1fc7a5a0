import type { AuditAction } from "../../contract/people.ts";
import { findRow, insertRow } from "../store/rows.ts";
import type { Context } from "./context.ts";

/** A security event. Never contains secrets, only names and ids. */
export interface Audited {
  readonly action: AuditAction;
  /** Name of the affected record. */
  readonly subject?: string | null;
  readonly subjectId?: string | null;
  readonly detail?: string | null;
  /** IP address of a sign-in. */
  readonly address?: string;
}

let written = 0;

/** Records an action and its user in the audit log, in the transaction of the action. */
export async function audit(
  context: Pick<Context, "database" | "accountId" | "actor" | "newId" | "now">,
  { action, subject = null, subjectId = null, detail = null, address }: Audited,
): Promise<void> {
  const { database, accountId, newId, now } = context;
  const { actor, actorId } = await describeActor(context);
  const what = { action, actor, actorId, subject, subjectId, detail, address: address ?? null };
  // Keeps entries of the same moment in order.
  const id = newId("aud").replace("_", `_${(written++).toString(36).padStart(7, "0")}`);
  await insertRow(database, "auditEntry", { id, accountId, ...what, createdAt: now });
}

type ActorContext = Pick<Context, "database" | "accountId" | "actor">;

async function describeActor({ database, accountId, actor }: ActorContext) {
  if (actor === undefined) return { actor: "the service", actorId: null };
  const { kind, keyId, userId } = actor;
  const user = userId === null ? undefined : await findRow(database, "accountUser", { accountId, id: userId });
  const person = user === undefined ? "" : nameUser(user);
  if (kind === "session") return { actor: person, actorId: userId };
  const through =
    kind === "key"
      ? `API key ${(await findRow(database, "apiKey", { accountId, id: keyId }))?.name ?? "of the running service"}`
      : `app ${(await findRow(database, "oauthGrant", { accountId, id: keyId }))?.clientName ?? keyId}`;
  return { actor: person === "" ? through : `${person}, ${through}`, actorId: userId ?? keyId };
}

/** Returns a user's name for the audit log. */
export function nameUser({ name, email }: { readonly name: string; readonly email: string | null }): string {
  return email === null ? name : `${name} (${email})`;
}

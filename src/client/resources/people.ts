import { signInLinkRecord } from "../../contract/extension-records.ts";
import type { UserCreateBody, UserPatchBody } from "../../contract/operations/people.ts";
import { auditRecord, userRecord, type AuditAction, type KeyFate } from "../../contract/people.ts";
import type { CallOptions } from "../api.ts";
import { createParser, parsePart } from "../records/account-records.ts";
import type { Session } from "../session.ts";
import type { RecentOptions } from "./account.ts";
import { createCalls } from "./calls.ts";

const parseUser = createParser("user", () => userRecord.full);

const parseInvitation = createParser("invitation", () => signInLinkRecord.full);

/** A one-time link for a user; without the link if it is sent by email. */
export interface Invitation extends ReturnType<typeof parseInvitation> {}

/** A user of the account. */
export interface User extends ReturnType<typeof parseUser> {
  /** The invitation, if it is new and wasn't sent by email. */
  readonly url?: string;
}

export interface UserDeleteOptions extends CallOptions {
  /**
   * Whether the user's API keys are revoked, or kept by whoever removes the user.
   *
   * @default "revoke"
   */
  readonly keys?: KeyFate;
}

export type UsersApi = ReturnType<typeof createUsers>;

export function createUsers(session: Session) {
  const calls = createCalls(session);
  return {
    list: calls.list<User>("users.list", parseUser, ["users"]),
    get: calls.get<User>("users.get", parseUser),
    create: calls.send<User, UserCreateBody>("users.create", parseUser),
    update: calls.change<User, UserPatchBody>("users.patch", parseUser),
    /** Invites a user again: by email, or with a one-time link if the service sends none. */
    invite: calls.act<Invitation>("users.invite", parseInvitation),
    /** Removes a user. Succeeds if already gone. */
    delete(id: string, { keys, signal }: UserDeleteOptions = {}): Promise<void> {
      return calls.remove("users.delete", { parameters: [id], signal, ...(keys !== undefined && { query: { keys } }) });
    },
  };
}

const parseAuditEntry = createParser("audit entry", () => auditRecord.full);

/** A security-relevant action and who performed it. */
export interface AuditEntry extends ReturnType<typeof parseAuditEntry> {}

export interface AuditOptions extends RecentOptions {
  /** Only entries of this action. */
  readonly action?: AuditAction | undefined;
}

export type AuditApi = ReturnType<typeof createAudit>;

export function createAudit(session: Session) {
  return {
    /** Returns the newest entries of the audit log. */
    async list({ limit = 50, action, signal }: AuditOptions = {}): Promise<readonly AuditEntry[]> {
      const query = { limit: String(limit), ...(action === undefined ? {} : { action }) };
      const { json, context } = await session.call("audit.list", { query, signal });
      return parsePart(json, context, parseAuditEntry);
    },
  };
}

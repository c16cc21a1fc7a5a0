import type { UserCreateBody, UserPatchBody } from "../../contract/operations/people.ts";
import { userRecord, type KeyFate } from "../../contract/people.ts";
import type { CallOptions } from "../api.ts";
import { createParser, parseSignInLink, type SignInLink } from "../records/account-records.ts";
import type { Session } from "../session.ts";
import { createCalls } from "./calls.ts";

const parseUser = createParser("user", userRecord.full);

/** Somebody who uses the account. */
export interface User extends ReturnType<typeof parseUser> {
  /** The invitation, where it is new and wasn't sent by mail. */
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
    /** Makes a new one-time link for a user. */
    invite: calls.act<SignInLink>("users.invite", parseSignInLink),
    /** Removes a user; one that is gone already is no error. */
    delete(id: string, { keys, signal }: UserDeleteOptions = {}): Promise<void> {
      return calls.remove("users.delete", { parameters: [id], signal, ...(keys !== undefined && { query: { keys } }) });
    },
  };
}

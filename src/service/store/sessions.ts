import type { Role } from "../../contract/people.ts";
import { createStatement } from "./database.ts";
import { deleteRows, updateRows, selectRows } from "./rows.ts";
import type { Database } from "./tables.ts";

/** A signed-in browser. */
export interface Session {
  /** SHA-256 of the session token. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** A hash of the session, IP address and browser of the last use; `null` before the first use. */
  readonly place: string | null;
  readonly expiresAt: Date;
  /** Browser and system; `null` for sessions from before these were stored. */
  readonly browser: string | null;
  /** IP address of the sign-in. */
  readonly address: string | null;
}

export interface SignInLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly accountId: string;
  /** The user whom it signs in. */
  readonly userId: string;
  readonly expiresAt: Date;
  /** Whether it invites the user, rather than being requested to sign in again. */
  readonly invitation: boolean;
}

export interface UserSession extends Session {
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
}

/**
 * Returns a browser's session, expired or not. Runs with every request to the dashboard, so that role changes take
 * effect at once.
 */
export async function findSession(database: Database, hash: string): Promise<UserSession | undefined> {
  return (await selectSession(database, { hash }))[0];
}

const selectSession = createStatement<{ readonly hash: string }>()((database, parameter) =>
  database
    .selectFrom("session")
    .innerJoin("accountUser", "accountUser.id", "session.userId")
    .selectAll("session")
    .select(["accountUser.role", "accountUser.name", "accountUser.email"])
    .where("session.hash", "=", parameter("hash")),
);

/** Lists a user's sessions, expired or not, most recently used first. */
export async function findSessionsOf(database: Database, userId: string): Promise<readonly Session[]> {
  return await selectRows(database, "session", { userId })
    .selectAll()
    .orderBy("lastSeenAt", "desc")
    .orderBy("hash")
    .execute();
}

/** Signs a user out of all browsers and deletes their sign-in links. */
export async function deleteSessionsOf(database: Database, userId: string): Promise<void> {
  await deleteRows(database, "signInLink", { userId });
  await deleteRows(database, "session", { userId });
}

/** Deletes a user's unused invitations. */
export async function deleteInvitationsOf(database: Database, userId: string): Promise<void> {
  await deleteRows(database, "signInLink", { userId, invitation: true });
}

/** Redeems a sign-in link, which ends the user's invitations; `undefined` if it is used, expired or unknown. */
export async function takeSignInLink(database: Database, hash: string, now: Date): Promise<SignInLink | undefined> {
  const row = await database.deleteFrom("signInLink").where("hash", "=", hash).returningAll().executeTakeFirst();
  if (row === undefined || row.expiresAt <= now) return undefined;
  await deleteInvitationsOf(database, row.userId);
  await updateRows(database, "accountUser", {
    match: { id: row.userId },
    set: { lastSignInAt: now },
  });
  return row;
}

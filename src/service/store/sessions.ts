import type { Role } from "../../contract/people.ts";
import { createStatement } from "./database.ts";
import { deleteRows, updateRows } from "./rows.ts";
import type { Database } from "./tables.ts";

/** A browser that is signed in. */
export interface Session {
  /** SHA-256 of what the browser holds. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** A hash of the session, the address and the browser that used it last; `null` before it was used. */
  readonly place: string | null;
  readonly expiresAt: Date;
}

export interface SignInLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly accountId: string;
  /** Whom it signs in. */
  readonly userId: string;
  readonly expiresAt: Date;
}

/** A session with who they are whom it belongs to. */
export interface UserSession extends Session {
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
}

/** The session of a browser, expired or not. Asked with every request of the dashboard, so that a role holds at once. */
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

/** The sessions of a user, expired or not, the one that was used last first. */
export async function findSessionsOf(database: Database, userId: string): Promise<readonly Session[]> {
  return await database
    .selectFrom("session")
    .selectAll()
    .where("userId", "=", userId)
    .orderBy("lastSeenAt", "desc")
    .orderBy("hash")
    .execute();
}

/** Signs every browser of a user out; links that could sign one in again go too. */
export async function deleteSessionsOf(database: Database, userId: string): Promise<void> {
  await deleteRows(database, "signInLink", { userId });
  await deleteRows(database, "session", { userId });
}

/** Uses a link up and gives whom it signs in; `undefined` for one that is used, old or not known. */
export async function takeSignInLink(database: Database, hash: string, now: Date): Promise<SignInLink | undefined> {
  const row = await database.deleteFrom("signInLink").where("hash", "=", hash).returningAll().executeTakeFirst();
  if (row === undefined || row.expiresAt <= now) return undefined;
  await updateRows(database, "accountUser", {
    match: { id: row.userId },
    set: { lastSignInAt: now },
  });
  return row;
}

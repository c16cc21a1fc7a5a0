import type { Database } from "./tables.ts";

/** A browser that is signed in. */
export interface Session {
  /** SHA-256 of what the browser holds. */
  readonly hash: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

export async function insertSession(database: Database, session: Session): Promise<void> {
  await database.insertInto("session").values(session).execute();
}

/** The session with this hash, unless it has expired. */
export async function findSession(database: Database, hash: string, now: Date): Promise<Session | undefined> {
  return await database
    .selectFrom("session")
    .selectAll()
    .where("hash", "=", hash)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
}

/** Notes that a session was used, and until when that keeps it. */
export async function prolongSession(
  database: Database,
  hash: string,
  { seenAt, expiresAt }: { readonly seenAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await database.updateTable("session").set({ lastSeenAt: seenAt, expiresAt }).where("hash", "=", hash).execute();
}

export async function deleteSession(database: Database, hash: string): Promise<void> {
  await database.deleteFrom("session").where("hash", "=", hash).execute();
}

/** Signs every browser of an account out; links that could sign one in again go too. */
export async function deleteSessionsOf(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom("signInLink").where("accountId", "=", accountId).execute();
  await database.deleteFrom("session").where("accountId", "=", accountId).execute();
}

export interface SignInLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly accountId: string;
  readonly expiresAt: Date;
}

export async function insertSignInLink(database: Database, link: SignInLink): Promise<void> {
  await database.insertInto("signInLink").values(link).execute();
}

/** Uses a link up and gives the account that it signs in to; `undefined` for one that is used, old or not known. */
export async function takeSignInLink(database: Database, hash: string, now: Date): Promise<string | undefined> {
  const row = await database
    .deleteFrom("signInLink")
    .where("hash", "=", hash)
    .returning(["accountId", "expiresAt"])
    .executeTakeFirst();
  return row !== undefined && row.expiresAt > now ? row.accountId : undefined;
}

/** Deletes sessions and links that are over. */
export async function forgetExpiredSessions(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("session").where("expiresAt", "<=", now).execute();
  await database.deleteFrom("signInLink").where("expiresAt", "<=", now).execute();
}

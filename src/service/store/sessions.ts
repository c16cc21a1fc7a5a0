import type { Selectable } from "kysely";
import type { Database } from "./tables.ts";
import type { SessionTable } from "./tables/access.ts";

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
  await database
    .insertInto("session")
    .values({
      hash: session.hash,
      account_id: session.accountId,
      created_at: session.createdAt.getTime(),
      last_seen_at: session.lastSeenAt.getTime(),
      expires_at: session.expiresAt.getTime(),
    })
    .execute();
}

/** The session with this hash, unless it has expired. */
export async function findSession(database: Database, hash: string, now: Date): Promise<Session | undefined> {
  const row = await database
    .selectFrom("session")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now.getTime())
    .executeTakeFirst();
  return row && toSession(row);
}

/** Notes that a session was used, and until when that keeps it. */
export async function prolongSession(
  database: Database,
  hash: string,
  { seenAt, expiresAt }: { readonly seenAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await database
    .updateTable("session")
    .set({ last_seen_at: seenAt.getTime(), expires_at: expiresAt.getTime() })
    .where("hash", "=", hash)
    .execute();
}

export async function deleteSession(database: Database, hash: string): Promise<void> {
  await database.deleteFrom("session").where("hash", "=", hash).execute();
}

/** Signs every browser of an account out; links that could sign one in again go too. */
export async function deleteSessionsOf(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom("sign_in_link").where("account_id", "=", accountId).execute();
  await database.deleteFrom("session").where("account_id", "=", accountId).execute();
}

export interface SignInLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly accountId: string;
  readonly expiresAt: Date;
}

export async function insertSignInLink(database: Database, link: SignInLink): Promise<void> {
  await database
    .insertInto("sign_in_link")
    .values({ hash: link.hash, account_id: link.accountId, expires_at: link.expiresAt.getTime() })
    .execute();
}

/** Uses a link up and gives the account that it signs in to; `undefined` for one that is used, old or not known. */
export async function takeSignInLink(database: Database, hash: string, now: Date): Promise<string | undefined> {
  const row = await database
    .deleteFrom("sign_in_link")
    .where("hash", "=", hash)
    .returning(["account_id", "expires_at"])
    .executeTakeFirst();
  return row !== undefined && row.expires_at > now.getTime() ? row.account_id : undefined;
}

/** Deletes sessions and links that are over. */
export async function forgetExpiredSessions(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("session").where("expires_at", "<=", now.getTime()).execute();
  await database.deleteFrom("sign_in_link").where("expires_at", "<=", now.getTime()).execute();
}

function toSession(row: Selectable<SessionTable>): Session {
  return {
    hash: row.hash,
    accountId: row.account_id,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    expiresAt: new Date(row.expires_at),
  };
}

import { deleteRows } from "./rows.ts";
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

export interface SignInLink {
  /** SHA-256 of the token in the link. */
  readonly hash: string;
  readonly accountId: string;
  readonly expiresAt: Date;
}

/** Signs every browser of an account out; links that could sign one in again go too. */
export async function deleteSessionsOf(database: Database, accountId: string): Promise<void> {
  await deleteRows(database, "signInLink", { accountId });
  await deleteRows(database, "session", { accountId });
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

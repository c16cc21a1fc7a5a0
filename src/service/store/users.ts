import type { InMemory } from "../../contract/fields.ts";
import type { Role, UserRecord } from "../../contract/people.ts";
import { createList } from "./rows.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

/** A user of an account. */
export interface StoredUser extends InMemory<Omit<UserRecord, "url">> {
  readonly accountId: string;
}

export const listUsers = createList("accountUser");

/** Searches users, optionally by role. */
export async function findUsers(
  database: Database,
  accountId: string,
  { role, ...sought }: Sought & { readonly role: Role | undefined },
): Promise<SortedSlice<StoredUser>> {
  let query = database.selectFrom("accountUser").selectAll().where("accountId", "=", accountId);
  if (role !== undefined) query = query.where("role", "=", role);
  return await readSought(database, query, { ...sought, columns: ["name", "email"] });
}

/** Returns the longest-standing owner, whom sign-in links from the terminal sign in. */
export async function findFirstOwner(database: Database, accountId: string): Promise<StoredUser | undefined> {
  return await database
    .selectFrom("accountUser")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("role", "=", "owner")
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Whether any user can request a sign-in link by email. */
export async function hasEmails(database: Database, accountId: string): Promise<boolean> {
  const query = database.selectFrom("accountUser").select("id").where("accountId", "=", accountId);
  return (await query.where("email", "is not", null).limit(1).executeTakeFirst()) !== undefined;
}

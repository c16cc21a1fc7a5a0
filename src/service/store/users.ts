import type { InMemory } from "../../contract/fields.ts";
import type { Role, UserRecord } from "../../contract/people.ts";
import { readSought, type Sought, type Slice } from "./keyset.ts";
import type { Database } from "./tables.ts";
import { selectRows, given } from "./rows.ts";

/** A user of an account. */
export interface StoredUser extends InMemory<Omit<UserRecord, "url">> {
  readonly accountId: string;
}

export async function listUsers(
  database: Database,
  accountId: string,
  { role, ...sought }: Sought & { readonly role?: Role | undefined },
): Promise<Slice<StoredUser>> {
  const query = selectRows(database, "accountUser", { accountId, ...given({ role }) }).selectAll();
  return await readSought(database, query, { ...sought, columns: ["name", "email"] });
}

/** Returns the longest-standing owner, whom sign-in links from the terminal sign in. */
export async function findFirstOwner(database: Database, accountId: string): Promise<StoredUser | undefined> {
  const owners = selectRows(database, "accountUser", { accountId, role: "owner" }).selectAll();
  return await owners.orderBy("createdAt").orderBy("id").limit(1).executeTakeFirst();
}

/** Whether any user can request a sign-in link by email. */
export async function hasEmails(database: Database, accountId: string): Promise<boolean> {
  const query = selectRows(database, "accountUser", { accountId }).select("id").where("email", "is not", null);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

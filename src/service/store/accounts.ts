import { countRows, insertRow, listRows } from "./rows.ts";
import type { Database } from "./tables.ts";
import { writeTransaction } from "./transactions.ts";

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
}

/** Returns the account of this service, creating it on first use. */
export async function ensureAccount(database: Database, account: StoredAccount, now: Date): Promise<StoredAccount> {
  return await writeTransaction(database, async (transaction) => {
    const known = transaction.selectFrom("account").select(["id", "name"]).orderBy("createdAt").limit(1);
    const [first] = await known.execute();
    if (first !== undefined) return first;
    await insertRow(transaction, "account", { ...account, createdAt: now });
    await insertOwner(transaction, account.id, now);
    return account;
  });
}

export async function listAccounts(database: Database): Promise<readonly string[]> {
  return (await database.selectFrom("account").select("id").orderBy("id").execute()).map(({ id }) => id);
}

// Matches the owner that a migration creates for accounts older than users.
async function insertOwner(database: Database, accountId: string, createdAt: Date): Promise<void> {
  const id = accountId.replace("acc_", "usr_");
  await insertRow(database, "accountUser", {
    id,
    accountId,
    name: "Owner",
    email: null,
    role: "owner",
    formMails: false,
    createdAt,
    lastSignInAt: null,
  });
}

export async function countRecords(database: Database, accountId: string) {
  const posts = await database
    .selectFrom("post")
    .innerJoin("blog", "blog.id", "post.blogId")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("blog.accountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return {
    pages: await countRows(database, "page", { accountId }),
    sites: await countRows(database, "site", { accountId }),
    assets: await countRows(database, "asset", { accountId }),
    blogs: await countRows(database, "blog", { accountId }),
    posts: posts.count,
    brandKits: await countRows(database, "brandKit", { accountId }),
  };
}

/** Kinds of records whose changes are counted: few in number and rarely written. */
export type CountedKind = "sites" | "blogs" | "brandKits";

/** How often records of a kind were created, changed or deleted, and when this last happened. */
export interface RecordChanges {
  readonly count: number;
  readonly latest: Date | null;
}

/** Counts a change, in the transaction that makes it. */
export async function countChange(
  database: Database,
  { accountId, kind }: { readonly accountId: string; readonly kind: CountedKind },
  now: Date,
): Promise<void> {
  await database
    .insertInto("recordChange")
    .values({ accountId, kind, changes: 1, latestAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(["accountId", "kind"])
        .doUpdateSet((build) => ({ changes: build("recordChange.changes", "+", 1), latestAt: now })),
    )
    .execute();
}

export async function readChanges(
  database: Database,
  accountId: string,
): Promise<Readonly<Record<CountedKind, RecordChanges>>> {
  const rows = await listRows(database, "recordChange", { accountId });
  const of = (kind: CountedKind): RecordChanges => {
    const row = rows.find((each) => each.kind === kind);
    return { count: row?.changes ?? 0, latest: row?.latestAt ?? null };
  };
  return { sites: of("sites"), blogs: of("blogs"), brandKits: of("brandKits") };
}

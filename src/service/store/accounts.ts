import type { Database } from "./tables.ts";
import { writeTransaction } from "./write-transaction.ts";

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
}

/** The account of this service, made the first time. */
export async function ensureAccount(database: Database, account: StoredAccount, now: Date): Promise<StoredAccount> {
  return await writeTransaction(database, async (transaction) => {
    const known = await transaction
      .selectFrom("account")
      .select(["id", "name"])
      .orderBy("createdAt")
      .limit(1)
      .executeTakeFirst();
    if (known !== undefined) return known;
    await transaction
      .insertInto("account")
      .values({ ...account, createdAt: now })
      .execute();
    return account;
  });
}

export async function getAccount(database: Database, id: string): Promise<StoredAccount> {
  return await database.selectFrom("account").select(["id", "name"]).where("id", "=", id).executeTakeFirstOrThrow();
}

export interface Usage {
  readonly pages: number;
  readonly sites: number;
  readonly assets: number;
  readonly blogs: number;
  readonly posts: number;
  readonly brandKits: number;
}

/** How many records of each kind an account holds. */
export async function countRecords(database: Database, accountId: string): Promise<Usage> {
  async function count(table: "page" | "site" | "asset" | "blog" | "brandKit"): Promise<number> {
    const row = await database
      .selectFrom(table)
      .select((build) => build.fn.countAll<number>().as("count"))
      .where("accountId", "=", accountId)
      .executeTakeFirstOrThrow();
    return row.count;
  }
  const posts = await database
    .selectFrom("post")
    .innerJoin("blog", "blog.id", "post.blogId")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("blog.accountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return {
    pages: await count("page"),
    sites: await count("site"),
    assets: await count("asset"),
    blogs: await count("blog"),
    posts: posts.count,
    brandKits: await count("brandKit"),
  };
}

import type { Database } from "./tables.ts";

// What the service and a certificate authority tell each other.

/** The answer that the authority expects at a token's address on a domain; `undefined` for a token of nobody. */
export async function findChallenge(
  database: Database,
  { domainId, token }: { readonly domainId: string; readonly token: string },
): Promise<string | undefined> {
  const row = await database
    .selectFrom("acmeChallenge")
    .select("answer")
    .where("token", "=", token)
    .where("domainId", "=", domainId)
    .executeTakeFirst();
  return row?.answer;
}

export interface Challenge {
  readonly domainId: string;
  readonly token: string;
  readonly answer: string;
}

export async function saveChallenge(database: Database, { domainId, token, answer }: Challenge): Promise<void> {
  await database
    .insertInto("acmeChallenge")
    .values({ domainId, token, answer })
    .onConflict((conflict) => conflict.column("token").doUpdateSet({ domainId, answer }))
    .execute();
}

export async function deleteChallenge(database: Database, token: string): Promise<void> {
  await database.deleteFrom("acmeChallenge").where("token", "=", token).execute();
}

/** The key of the account at an authority; `undefined` while there is none. */
export async function findAcmeKey(database: Database, directory: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("acmeAccount")
    .select("privateKey")
    .where("directory", "=", directory)
    .executeTakeFirst();
  return row?.privateKey;
}

/** Keeps the key of a new account, unless another process has made one meanwhile. */
export async function saveAcmeKey(
  database: Database,
  { directory, privateKey, now }: { readonly directory: string; readonly privateKey: string; readonly now: Date },
): Promise<void> {
  await database
    .insertInto("acmeAccount")
    .values({ directory, privateKey, createdAt: now })
    .onConflict((conflict) => conflict.column("directory").doNothing())
    .execute();
}

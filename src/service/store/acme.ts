import type { Database } from "./tables.ts";

// What the service and a certificate authority tell each other.

/** The answer that the authority expects at a token's address on a domain; `undefined` for a token of nobody. */
export async function findChallenge(
  database: Database,
  { domainId, token }: { readonly domainId: string; readonly token: string },
): Promise<string | undefined> {
  const row = await database
    .selectFrom("acme_challenge")
    .select("answer")
    .where("token", "=", token)
    .where("domain_id", "=", domainId)
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
    .insertInto("acme_challenge")
    .values({ domain_id: domainId, token, answer })
    .onConflict((conflict) => conflict.column("token").doUpdateSet({ domain_id: domainId, answer }))
    .execute();
}

export async function deleteChallenge(database: Database, token: string): Promise<void> {
  await database.deleteFrom("acme_challenge").where("token", "=", token).execute();
}

/** The key of the account at an authority; `undefined` while there is none. */
export async function findAcmeKey(database: Database, directory: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("acme_account")
    .select("private_key")
    .where("directory", "=", directory)
    .executeTakeFirst();
  return row?.private_key;
}

/** Keeps the key of a new account, unless another process has made one meanwhile. */
export async function saveAcmeKey(
  database: Database,
  { directory, privateKey, now }: { readonly directory: string; readonly privateKey: string; readonly now: Date },
): Promise<void> {
  await database
    .insertInto("acme_account")
    .values({ directory, private_key: privateKey, created_at: now.getTime() })
    .onConflict((conflict) => conflict.column("directory").doNothing())
    .execute();
}

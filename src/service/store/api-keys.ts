import type { Selectable } from "kysely";
import { SCOPES, type Scope } from "../../contract/scopes.ts";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./statement.ts";
import type { Database } from "./tables.ts";
import type { ApiKeyTable } from "./tables/access.ts";

/** An API key as it is stored: never the key itself. */
export interface StoredApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the key. */
  readonly hash: string;
  readonly environment: string;
  readonly lastFour: string;
  /** `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

export async function insertApiKey(database: Database, key: StoredApiKey): Promise<void> {
  await database
    .insertInto("api_key")
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      hash: key.hash,
      environment: key.environment,
      last_four: key.lastFour,
      scopes: key.scopes === null ? null : JSON.stringify(key.scopes),
      created_at: key.createdAt.getTime(),
      last_used_at: key.lastUsedAt?.getTime() ?? null,
      expires_at: key.expiresAt?.getTime() ?? null,
      revoked_at: null,
    })
    .execute();
}

/** The key with this hash, unless it was revoked. */
export async function findApiKey(database: Database, hash: string): Promise<StoredApiKey | undefined> {
  const [row] = await selectApiKey(database, { hash });
  return row && toApiKey(row);
}

const selectApiKey = createStatement<{ readonly hash: string }>()((database, parameter) =>
  database.selectFrom("api_key").selectAll().where("hash", "=", parameter("hash")).where("revoked_at", "is", null),
);

/** The account's key with this id, unless it was revoked. */
export async function findAccountKey(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<StoredApiKey | undefined> {
  const row = await database
    .selectFrom("api_key")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row && toApiKey(row);
}

/** The keys that were not revoked. */
export async function listApiKeys(database: Database, accountId: string, window: Window): Promise<Slice<StoredApiKey>> {
  const query = database
    .selectFrom("api_key")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null);
  return await readSlice(query, window, toApiKey);
}

export async function countApiKeys(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("api_key")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function noteApiKeyUse(database: Database, id: string, usedAt: Date): Promise<void> {
  await database.updateTable("api_key").set({ last_used_at: usedAt.getTime() }).where("id", "=", id).execute();
}

/** Revokes a key and answers whether there was one to revoke. */
export async function revokeApiKey(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  revokedAt: Date,
): Promise<boolean> {
  const result = await database
    .updateTable("api_key")
    .set({ revoked_at: revokedAt.getTime() })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await forgetAnswersNaming(database, id);
  return true;
}

function toApiKey(row: Selectable<ApiKeyTable>): StoredApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hash: row.hash,
    environment: row.environment,
    lastFour: row.last_four,
    scopes: row.scopes === null ? null : parseScopes(row.scopes),
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
  };
}

function parseScopes(text: string): readonly Scope[] {
  const names: unknown = JSON.parse(text);
  return Array.isArray(names) ? SCOPES.filter((scope) => names.includes(scope)) : [];
}

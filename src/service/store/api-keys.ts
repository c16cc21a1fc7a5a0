import { LRUCache } from "lru-cache";
import type { InMemory } from "../../contract/fields.ts";
import type { KeyRecord } from "../../contract/extension-records.ts";
import { limitToRole } from "../../contract/people.ts";
import { SCOPES } from "../../contract/scopes.ts";
import { findRow, deleteResponsesWith, updateRows, selectRows, listRows } from "./rows.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { createStatement, findRevision } from "./database.ts";
import type { Database } from "./tables.ts";

export interface StoredApiKey extends InMemory<Omit<KeyRecord, "key">> {
  readonly accountId: string;
  /** SHA-256 of the key. */
  readonly hash: string;
}

export interface ApiKeyTable extends StoredApiKey {
  readonly revokedAt: Date | null;
}

/** Finds the key with a hash, unless it was revoked. Its scopes never exceed its user's current role. */
export type FindApiKey = (hash: string) => Promise<StoredApiKey | undefined>;

const MAX_REMEMBERED = 1000;

/**
 * Creates the key lookup. Its cache is cleared when any process writes a key or a user, so revoking takes effect at
 * once.
 */
export function createFindApiKey(database: Database): FindApiKey {
  const known = new LRUCache<string, StoredApiKey>({ max: MAX_REMEMBERED });
  let knownAt: number | undefined;
  return async (hash) => {
    const revision = findRevision(database, "keys");
    if (revision !== knownAt) known.clear();
    knownAt = revision;
    const remembered = known.get(hash);
    if (remembered !== undefined) return remembered;
    const key = await readApiKey(database, hash);
    if (key !== undefined && revision !== undefined && revision === knownAt) known.set(hash, key);
    return key;
  };
}

async function readApiKey(database: Database, hash: string): Promise<StoredApiKey | undefined> {
  const [row] = await selectApiKey(database, { hash });
  if (row === undefined) return undefined;
  const { role, ...key } = toKey(row);
  return { ...key, scopes: limitToRole(key.scopes, role ?? "owner") };
}

const selectApiKey = createStatement<{ readonly hash: string }>()((database, parameter) =>
  database
    .selectFrom("apiKey")
    .leftJoin("accountUser", "accountUser.id", "apiKey.userId")
    .selectAll("apiKey")
    .select("accountUser.role")
    .where("apiKey.hash", "=", parameter("hash"))
    .where("apiKey.revokedAt", "is", null),
);

export async function findAccountKey(database: Database, key: { readonly accountId: string; readonly id: string }) {
  const row = await findRow(database, "apiKey", { ...key, revokedAt: null });
  return row && toKey(row);
}

export async function listApiKeys(database: Database, accountId: string, sought: Sought): Promise<Slice<StoredApiKey>> {
  const query = selectRows(database, "apiKey", { accountId, revokedAt: null }).selectAll();
  const { items, next } = await readSought(database, query, { ...sought, columns: ["name", "lastFour"] });
  return { items: items.map(toKey), next };
}

export async function listKeysOf(database: Database, userId: string): Promise<readonly StoredApiKey[]> {
  return (await listRows(database, "apiKey", { userId, revokedAt: null })).map(toKey);
}

/** Keeps only known scopes, in the order of the contract. */
function toKey<Row extends StoredApiKey>(row: Row): Row {
  const { scopes } = row;
  return { ...row, scopes: scopes && SCOPES.filter((scope) => scopes.includes(scope)) };
}

/** Revokes a key. Returns `false` if there was none to revoke. */
export async function revokeApiKey(
  database: Database,
  key: { readonly accountId: string; readonly id: string },
  revokedAt: Date,
): Promise<boolean> {
  const isRevoked = await updateRows(database, "apiKey", { match: { ...key, revokedAt: null }, set: { revokedAt } });
  if (isRevoked) await deleteResponsesWith(database, key.id);
  return isRevoked;
}

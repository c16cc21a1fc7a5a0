import type { Selectable } from "kysely";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./statement.ts";
import type { OAuthGrantTable } from "./tables/oauth.ts";
import type { Database } from "./tables.ts";

type Json = Readonly<Record<string, unknown>>;

/** A code, a token or a consent form as it is stored: never its text. */
export interface StoredToken {
  readonly payload: Json;
  readonly grantId: string | null;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

export interface TokenName {
  readonly kind: string;
  /** SHA-256 of the text. */
  readonly hash: string;
}

export interface NewToken extends TokenName {
  readonly grantId: string | null;
  readonly payload: Json;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Stores a token, or replaces what was stored under its name. */
export async function putToken(database: Database, token: NewToken): Promise<void> {
  const row = {
    grant_id: token.grantId,
    payload: JSON.stringify(token.payload),
    expires_at: token.expiresAt.getTime(),
  };
  await database
    .insertInto("oauth_token")
    .values({ ...row, hash: token.hash, kind: token.kind, created_at: token.createdAt.getTime(), used_at: null })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(row))
    .execute();
}

/** The token of this name that has not expired, used or not. */
export async function findToken(database: Database, name: TokenName, now: Date): Promise<StoredToken | undefined> {
  const row = await database
    .selectFrom("oauth_token")
    .select(["payload", "grant_id", "expires_at", "used_at"])
    .where("hash", "=", name.hash)
    .where("kind", "=", name.kind)
    .where("expires_at", ">", now.getTime())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    payload: parseObject(row.payload),
    grantId: row.grant_id,
    expiresAt: new Date(row.expires_at),
    usedAt: row.used_at === null ? null : new Date(row.used_at),
  };
}

/** An access token with the grant that it comes from. */
export interface StoredAccessToken {
  readonly grantId: string;
  readonly accountId: string;
  readonly payload: Json;
  readonly expiresAt: Date;
  /** When the grant was last used. */
  readonly lastUsedAt: Date | null;
}

/** The access token with this hash, expired or not. Asked with every request that carries one. */
export async function findAccessToken(database: Database, hash: string): Promise<StoredAccessToken | undefined> {
  const [row] = await selectAccessToken(database, { hash });
  return (
    row && {
      grantId: row.id,
      accountId: row.account_id,
      payload: parseObject(row.payload),
      expiresAt: new Date(row.expires_at),
      lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    }
  );
}

const selectAccessToken = createStatement<{ readonly hash: string }>()((database, parameter) =>
  database
    .selectFrom("oauth_token")
    .innerJoin("oauth_grant", "oauth_grant.id", "oauth_token.grant_id")
    .select(["oauth_token.payload", "oauth_token.expires_at"])
    .select(["oauth_grant.id", "oauth_grant.account_id", "oauth_grant.last_used_at"])
    .where("oauth_token.hash", "=", parameter("hash"))
    .where("oauth_token.kind", "=", "AccessToken"),
);

/** Marks a token as used. Answers `false` when somebody else did it before: of two at once only one gets `true`. */
export async function useToken(database: Database, { hash, kind }: TokenName, now: Date): Promise<boolean> {
  const result = await database
    .updateTable("oauth_token")
    .set({ used_at: now.getTime() })
    .where("hash", "=", hash)
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteToken(database: Database, { hash, kind }: TokenName): Promise<void> {
  await database.deleteFrom("oauth_token").where("hash", "=", hash).where("kind", "=", kind).execute();
}

export async function deleteTokensOfGrant(
  database: Database,
  { grantId, kind }: { readonly grantId: string; readonly kind: string },
): Promise<void> {
  await database.deleteFrom("oauth_token").where("grant_id", "=", grantId).where("kind", "=", kind).execute();
}

/** What a person allowed a program to do. */
export interface StoredGrant {
  readonly id: string;
  readonly accountId: string;
  /** What the authorization server knows the program by: an id, or the address of its metadata document. */
  readonly clientId: string;
  /** What the program calls itself. */
  readonly clientName: string;
  /** Host of the address that the program got its code at. */
  readonly redirectHost: string;
  readonly scopes: readonly string[];
  /** The addresses that its tokens are good for. */
  readonly resources: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export async function insertGrant(database: Database, grant: StoredGrant & { readonly payload: Json }): Promise<void> {
  await database
    .insertInto("oauth_grant")
    .values({
      id: grant.id,
      account_id: grant.accountId,
      client_id: grant.clientId,
      client_name: grant.clientName,
      redirect_host: grant.redirectHost,
      scopes: JSON.stringify(grant.scopes),
      resources: JSON.stringify(grant.resources),
      payload: JSON.stringify(grant.payload),
      created_at: grant.createdAt.getTime(),
      expires_at: grant.expiresAt.getTime(),
      last_used_at: grant.lastUsedAt?.getTime() ?? null,
    })
    .execute();
}

/** What the authorization server wants to know again of a grant; `undefined` when it was taken back or has expired. */
export async function findGrantPayload(
  database: Database,
  id: string,
  now: Date,
): Promise<{ readonly payload: Json; readonly expiresAt: Date } | undefined> {
  const row = await database
    .selectFrom("oauth_grant")
    .select(["payload", "expires_at"])
    .where("id", "=", id)
    .where("expires_at", ">", now.getTime())
    .executeTakeFirst();
  return row && { payload: parseObject(row.payload), expiresAt: new Date(row.expires_at) };
}

/** The grants of an account that have not expired, newest first. */
export async function listGrantsOf(
  database: Database,
  accountId: string,
  { window, now }: { readonly window: Window; readonly now: Date },
): Promise<Slice<StoredGrant>> {
  const query = database
    .selectFrom("oauth_grant")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("expires_at", ">", now.getTime());
  return await readSlice(query, window, toGrant);
}

/** A grant of an account that has not expired. */
export async function findGrantOf(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<StoredGrant | undefined> {
  const row = await database
    .selectFrom("oauth_grant")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("expires_at", ">", now.getTime())
    .executeTakeFirst();
  return row && toGrant(row);
}

/** Whether anybody has let a program in. */
export async function hasGrant(database: Database, clientId: string, now: Date): Promise<boolean> {
  const row = await database
    .selectFrom("oauth_grant")
    .select("id")
    .where("client_id", "=", clientId)
    .where("expires_at", ">", now.getTime())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a grant was used, and keeps it for as long as it may now be used on. */
export async function noteGrantUse(
  database: Database,
  id: string,
  { usedAt, expiresAt }: { readonly usedAt: Date; readonly expiresAt?: Date },
): Promise<void> {
  await database
    .updateTable("oauth_grant")
    .set({ last_used_at: usedAt.getTime(), ...(expiresAt && { expires_at: expiresAt.getTime() }) })
    .where("id", "=", id)
    .execute();
}

/** Takes a grant back with everything that came of it; answers whether there was one. */
export async function deleteGrant(database: Database, id: string): Promise<boolean> {
  const result = await database.deleteFrom("oauth_grant").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** The same, for the owner of the account. */
export async function deleteGrantOf(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<boolean> {
  const result = await database
    .deleteFrom("oauth_grant")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function insertClient(
  database: Database,
  client: { readonly id: string; readonly metadata: Json; readonly createdAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await database
    .insertInto("oauth_client")
    .values({
      id: client.id,
      metadata: JSON.stringify(client.metadata),
      created_at: client.createdAt.getTime(),
      expires_at: client.expiresAt.getTime(),
    })
    .execute();
}

/** What a program registered about itself, with the SHA-256 of its secret. */
export async function findClientMetadata(database: Database, id: string): Promise<Json | undefined> {
  const row = await database.selectFrom("oauth_client").select("metadata").where("id", "=", id).executeTakeFirst();
  return row && parseObject(row.metadata);
}

/** Keeps a registration that a person has let in. */
export async function keepClient(database: Database, id: string): Promise<void> {
  await database.updateTable("oauth_client").set({ expires_at: null }).where("id", "=", id).execute();
}

/** Deletes what has expired, and registrations that nobody let in or that have no grant left. */
export async function deleteExpiredOAuth(database: Database, now: Date): Promise<void> {
  const time = now.getTime();
  await database.deleteFrom("oauth_token").where("expires_at", "<=", time).execute();
  await database.deleteFrom("oauth_grant").where("expires_at", "<=", time).execute();
  await database.deleteFrom("oauth_client").where("expires_at", "<=", time).execute();
  await database
    .deleteFrom("oauth_client")
    .where("expires_at", "is", null)
    .where("id", "not in", (build) => build.selectFrom("oauth_grant").select("client_id"))
    .execute();
}

function toGrant(row: Selectable<OAuthGrantTable>): StoredGrant {
  return {
    id: row.id,
    accountId: row.account_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    scopes: parseStrings(row.scopes),
    resources: parseStrings(row.resources),
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  };
}

function parseObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function parseStrings(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

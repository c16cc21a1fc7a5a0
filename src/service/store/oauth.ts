import { sql } from "kysely";
import type { Role } from "../../contract/people.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { createStatement } from "./database.ts";
import { findRow, updateRows, putRow, selectRows } from "./rows.ts";
import { deleteInSlices, forgetExpired, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

type Json = Readonly<Record<string, unknown>>;

/** A code, token or consent form as stored, without its text. */
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

/** Stores a token, replacing any of the same name. */
export async function putToken(database: Database, token: NewToken): Promise<void> {
  const { hash, kind, createdAt, grantId, expiresAt } = token;
  const set = { grantId, payload: JSON.stringify(token.payload), expiresAt };
  await putRow(database, "oauthToken", { key: { hash }, first: { kind, createdAt, usedAt: null }, set });
}

/** Returns the token of this name, used or not, unless it has expired. */
export async function findToken(database: Database, name: TokenName, now: Date): Promise<StoredToken | undefined> {
  const row = await findRow(database, "oauthToken", name);
  return row && row.expiresAt > now ? { ...row, payload: parseObject(row.payload) } : undefined;
}

export interface StoredAccessToken {
  readonly grantId: string;
  readonly accountId: string;
  readonly userId: string;
  /** The user's current role. */
  readonly role: Role;
  readonly payload: Json;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Returns the access token with this hash, expired or not. Runs for every request that has one. */
export async function findAccessToken(database: Database, hash: string): Promise<StoredAccessToken | undefined> {
  const [row] = await selectAccessToken(database, { hash });
  return row && { ...row, payload: parseObject(row.payload) };
}

const selectAccessToken = createStatement<{ readonly hash: string }>()((database, parameter) =>
  database
    .selectFrom("oauthToken")
    .innerJoin("oauthGrant", "oauthGrant.id", "oauthToken.grantId")
    .innerJoin("accountUser", "accountUser.id", "oauthGrant.userId")
    .select(["oauthToken.payload", "oauthToken.expiresAt", "accountUser.role"])
    .select(["oauthGrant.id as grantId", "oauthGrant.accountId", "oauthGrant.userId", "oauthGrant.lastUsedAt"])
    .where("oauthToken.hash", "=", parameter("hash"))
    .where("oauthToken.kind", "=", "AccessToken"),
);

/** Marks a token as used. Returns `false` if it was used before: of two concurrent calls, only one gets `true`. */
export async function useToken(
  database: Database,
  name: TokenName,
  { now, payload }: { readonly now: Date; readonly payload?: Json },
): Promise<boolean> {
  const set = { usedAt: now, ...(payload && { payload: JSON.stringify(payload) }) };
  return await updateRows(database, "oauthToken", { match: { ...name, usedAt: null }, set });
}

/** The permissions that a user granted to a program. */
export interface StoredGrant {
  readonly id: string;
  readonly accountId: string;
  /** The user who granted it. */
  readonly userId: string;
  /** The client id: registered, or the URL of the client's metadata document. */
  readonly clientId: string;
  readonly clientName: string;
  /** Host of the redirect URL that received the code. */
  readonly redirectHost: string;
  readonly scopes: readonly string[];
  /** The resources that its tokens are valid for. */
  readonly resources: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface OAuthGrantTable extends StoredGrant {
  readonly payload: string;
}

interface GrantsOf {
  readonly accountId: string;
  readonly userId?: string;
}

/** Lists an account's unexpired grants. */
export async function listGrantsOf(
  database: Database,
  of: GrantsOf,
  { now, ...sought }: Sought & { readonly now: Date },
): Promise<Slice<StoredGrant>> {
  const query = selectRows(database, "oauthGrant", of).selectAll().where("expiresAt", ">", now);
  return await readSought(database, query, { ...sought, columns: ["clientName", "redirectHost"] });
}

/** Returns the matching grant with its payload, unless it was revoked or has expired. */
export async function findGrant(
  database: Database,
  match: { readonly id: string; readonly accountId?: string; readonly userId?: string },
  now: Date,
): Promise<(StoredGrant & { readonly payload: Json }) | undefined> {
  const row = await findRow(database, "oauthGrant", match);
  return row && row.expiresAt > now ? { ...row, payload: parseObject(row.payload) } : undefined;
}

/** Whether anyone has authorized a client. */
export async function hasGrant(database: Database, clientId: string, now: Date): Promise<boolean> {
  const query = selectRows(database, "oauthGrant", { clientId }).select("id").where("expiresAt", ">", now).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Records the use of a grant and extends its expiry. */
export async function recordGrantUse(
  database: Database,
  id: string,
  { usedAt, expiresAt }: { readonly usedAt: Date; readonly expiresAt?: Date },
): Promise<void> {
  const set = { lastUsedAt: usedAt, ...(expiresAt && { expiresAt }) };
  await updateRows(database, "oauthGrant", { match: { id }, set });
}

/** Deletes expired tokens, grants and registrations, and approved registrations that have no grant left. */
export async function deleteExpiredOAuth(slices: Slices, now: Date): Promise<void> {
  for (const table of ["oauthToken", "oauthGrant", "oauthClient"] as const) {
    await forgetExpired(slices, table, now);
  }
  const where = sql`expires_at is null and id not in (select client_id from oauth_grant)`;
  await deleteInSlices(slices, "oauthClient", { key: ["id"], where });
}

function parseObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

import { sha256 } from "../../base/hash.ts";
import type { Scope } from "../../contract/scopes.ts";
import { ProblemError } from "../resources/problem-error.ts";
import { findApiKey, noteApiKeyUse } from "../store/api-keys.ts";
import type { StoredApiKey } from "../store/api-keys.ts";
import type { Database } from "../store/tables.ts";

/** Who sends a request. */
export interface Credential {
  readonly keyId: string;
  readonly accountId: string;
  /** `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
}

export interface Authenticator {
  /** Who the `Authorization` header names; throws `invalid_token`. */
  authenticate(header: string | undefined, now: Date): Promise<Credential>;
}

/** A key with all scopes that is known in this process only. */
interface HandleKey {
  /** SHA-256 of the key. */
  readonly hash: string;
  readonly credential: Credential;
}

export interface AuthenticatorOptions {
  readonly database: Database;
  /** The key of the handle that started the service: never stored, so it ends with the process. */
  readonly handleKey: HandleKey;
}

const USE_NOTED_EVERY_MS = 60_000;

/** Looks every key up in the database, so that a revoked one is refused by the very next request. */
export function createAuthenticator({ database, handleKey }: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(header, now) {
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header ?? "")?.[1];
      if (token === undefined) throw refuse("Send the header `Authorization: Bearer <API key>`.");
      const hash = sha256(token);
      if (hash === handleKey.hash) return handleKey.credential;
      const key = await findApiKey(database, hash);
      if (key === undefined || hasExpired(key, now)) throw refuse("The API key is not known, expired or revoked.");
      await noteUse(database, { key, now });
      return { keyId: key.id, accountId: key.accountId, scopes: key.scopes };
    },
  };
}

/** Throws `insufficient_scope` unless the credential may do what needs this scope. */
export function checkScope({ scopes }: Credential, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new ProblemError("insufficient_scope", {
    detail: `This needs the scope "${scope}".`,
    members: { scope },
    headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

function refuse(detail: string): ProblemError {
  return new ProblemError("invalid_token", { detail, headers: { "WWW-Authenticate": "Bearer" } });
}

function hasExpired({ expiresAt }: StoredApiKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

async function noteUse(
  database: Database,
  { key, now }: { readonly key: StoredApiKey; readonly now: Date },
): Promise<void> {
  const isNoted = key.lastUsedAt !== null && now.getTime() - key.lastUsedAt.getTime() < USE_NOTED_EVERY_MS;
  if (!isNoted) await noteApiKeyUse(database, key.id, now);
}

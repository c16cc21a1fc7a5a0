import { sha256 } from "../../base/hash.ts";
import type { Audience } from "../oauth/addresses.ts";
import { parseScopes } from "../oauth/grantable-scopes.ts";
import { findGrantUse, findToken, noteGrantUse } from "../store/oauth.ts";
import type { Database } from "../store/tables.ts";
import type { Credential } from "./authenticate.ts";

/** Why a token is refused, in one sentence. */
export interface RefusedToken {
  readonly refused: string;
}

const USE_NOTED_EVERY_MS = 60_000;

/** Whether a text claims to be a token of our authorization server, and not an API key. */
export function isAccessToken(text: string): boolean {
  return text.startsWith("at_");
}

/** Who an access token speaks for, if it is good for what is asked. */
export async function findTokenHolder(
  database: Database,
  token: string,
  { audience, now }: { readonly audience: Audience; readonly now: Date },
): Promise<Credential | RefusedToken> {
  const found = await findToken(database, { kind: "AccessToken", hash: sha256(token) }, now);
  if (found === undefined || found.grantId === null) {
    return { refused: "The access token is not known, expired or revoked." };
  }
  const { aud, scope } = found.payload;
  if (aud !== audience) return { refused: "The access token was made for another part of the service." };
  const grant = await findGrantUse(database, found.grantId);
  if (grant === undefined) return { refused: "The access token is not known, expired or revoked." };
  const isNoted = grant.lastUsedAt !== null && now.getTime() - grant.lastUsedAt.getTime() < USE_NOTED_EVERY_MS;
  if (!isNoted) await noteGrantUse(database, found.grantId, { usedAt: now });
  return {
    kind: "token",
    keyId: found.grantId,
    accountId: grant.accountId,
    scopes: typeof scope === "string" ? parseScopes(scope) : [],
  };
}

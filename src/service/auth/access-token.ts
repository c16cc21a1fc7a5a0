import { sha256 } from "../../base/hash.ts";
import type { Audience } from "./addresses.ts";
import { parseScopes } from "./grantable-scopes.ts";
import { findAccessToken, noteGrantUse } from "../store/oauth.ts";
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
  const found = await findAccessToken(database, sha256(token));
  if (found === undefined || found.expiresAt <= now) {
    return { refused: "The access token is not known, expired or revoked." };
  }
  const { grantId, accountId, lastUsedAt } = found;
  const { aud, scope } = found.payload;
  if (aud !== audience) return { refused: "The access token was made for another part of the service." };
  const isNoted = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < USE_NOTED_EVERY_MS;
  if (!isNoted) await noteGrantUse(database, grantId, { usedAt: now });
  return {
    kind: "token",
    keyId: grantId,
    accountId,
    scopes: typeof scope === "string" ? parseScopes(scope) : [],
  };
}

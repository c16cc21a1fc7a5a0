import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { SCOPES } from "../../contract/scopes.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { Credential } from "../auth/authenticate.ts";

/** What a client is asked for that comes without a credential: enough to look around, nothing that changes anything. */
export const FIRST_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope.endsWith(":read") && !scope.startsWith("account:"),
);

/** The scopes of a credential, one by one. */
export function scopesOf({ scopes }: Credential): readonly Scope[] {
  return scopes ?? SCOPES;
}

/**
 * The scopes of the tools that a caller is shown. A program that a person let in can ask that person for more, so it is
 * shown every tool; a key can't grow, so it is shown what it may use.
 */
export function shownScopes(credential: Credential): readonly Scope[] {
  return credential.kind === "token" ? SCOPES : scopesOf(credential);
}

/** Answers 403 with the scope that is missing before anything is done, so that a client can ask a person for it. */
export function challengeFor(scope: Scope): ScopeChallengeHandler {
  return ({ authInfo }) => (authInfo?.scopes.includes(scope) === true ? undefined : { scopes: [scope] });
}

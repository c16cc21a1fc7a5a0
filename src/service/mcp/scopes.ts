import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { SCOPES, type Scope } from "../../contract/scopes.ts";
import type { Credential } from "../auth/authenticate.ts";

const TOOL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !scope.startsWith("account:"));
const LOOKING_SCOPES = TOOL_SCOPES.filter((scope) => scope.endsWith(":read"));

/**
 * What a client without a credential is told to ask for. One of today asks for as much as it takes to look around, and
 * for more when a tool needs it. One of 2025 can't do that: as long as it holds a refresh token it renews its token
 * with the same scopes, so it asks for everything at once, and the person leaves ticked what is wanted.
 */
export function firstScopes(headers: Headers): readonly Scope[] {
  const version = headers.get("MCP-Protocol-Version");
  return version !== null && version >= "2026" ? LOOKING_SCOPES : TOOL_SCOPES;
}

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

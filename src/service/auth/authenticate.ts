import { sha256 } from "../../base/hash.ts";
import { limitToRole } from "../../contract/people.ts";
import type { Scope } from "../../contract/scopes.ts";
import { ProblemError } from "../http/problem.ts";
import type { Actor } from "../resources/context.ts";
import { createFindApiKey, type StoredApiKey } from "../store/api-keys.ts";
import { whereWritable } from "../store/as-problem.ts";
import { updateRows } from "../store/rows.ts";
import type { Audience } from "./addresses.ts";
import type { Database } from "../store/tables.ts";
import { createChallenges, type Challenges } from "./challenges.ts";
import { parseScopes } from "./grantable-scopes.ts";
import { findAccessToken, recordGrantUse } from "../store/oauth.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type HttpRequest, addressOf } from "../http/messages.ts";
import type { Caller } from "../http/rate-limiter.ts";
import type { RouteRequest } from "../api/serve-route.ts";

/** The authenticated sender of an API or MCP request. */
export interface Credential extends Actor {
  readonly kind: "key" | "token";
  readonly accountId: string;
}

export interface Authenticator {
  /**
   * Authenticates the `Authorization` header. Throws `invalid_token`. An access token must be issued for `audience`, by
   * default the API; a key is valid for both.
   */
  authenticate(header: string | undefined, now: Date, options?: { readonly audience: Audience }): Promise<Credential>;
}

/** A key with all scopes that exists only in this process. */
export interface HandleKey {
  /** SHA-256 of the key. */
  readonly hash: string;
  readonly credential: Credential;
}

export interface AuthenticatorOptions {
  readonly database: Database;
  /** The key of the handle that started the service: never stored, so it ends with the process. */
  readonly handleKey: HandleKey;
  readonly challenges: Challenges;
}

const USE_NOTED_EVERY_MS = 60_000;

/** A revoked key is rejected from the very next request, in any process. */
export function createAuthenticator({ database, handleKey, challenges }: AuthenticatorOptions): Authenticator {
  const findApiKey = createFindApiKey(database);
  return {
    async authenticate(header, now, { audience } = { audience: "api" }) {
      const refuse = (detail: string, error?: "invalid_token") =>
        new ProblemError("invalid_token", {
          detail,
          headers: { "WWW-Authenticate": challenges.render({ audience, error }) },
        });
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header ?? "")?.[1];
      if (token === undefined) throw refuse("Send an `Authorization: Bearer <API key>` header.");
      if (isAccessToken(token)) {
        const holder = await findTokenHolder(database, token, { audience, now });
        if ("refused" in holder) throw refuse(holder.refused, "invalid_token");
        return holder;
      }
      const hash = sha256(token);
      if (hash === handleKey.hash) return handleKey.credential;
      const key = await findApiKey(hash);
      if (key === undefined || hasExpired(key, now)) {
        throw refuse("The API key is unknown, expired or revoked.", "invalid_token");
      }
      await recordUse(database, { key, now });
      const { id: keyId, accountId, userId, scopes } = key;
      return { kind: "key", keyId, accountId, userId, scopes };
    },
  };
}

/** Explains that a credential lacks a scope, and what may be the reason. RFC 6750 allows no quotation marks in it. */
export function describeLack({ kind }: Pick<Credential, "kind">, scope: Scope): string {
  return `This requires the scope ${scope}. The ${kind}, or the role of its user, doesn't include it; an owner can change both.`;
}

/** Throws `insufficient_scope` if the credential lacks this scope. */
export function checkScope(credential: Credential, scope: Scope, challenges = createChallenges(undefined)): void {
  const { scopes } = credential;
  if (scopes === null || scopes.includes(scope)) return;
  const challenge = challenges.render({ audience: "api", error: "insufficient_scope", scopes: [scope] });
  throw new ProblemError("insufficient_scope", {
    detail: describeLack(credential, scope),
    members: { scope },
    headers: { "WWW-Authenticate": challenge },
  });
}

function hasExpired({ expiresAt }: StoredApiKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

async function recordUse(database: Database, { key, now }: { readonly key: StoredApiKey; readonly now: Date }) {
  const isNoted = key.lastUsedAt !== null && now.getTime() - key.lastUsedAt.getTime() < USE_NOTED_EVERY_MS;
  if (isNoted) return;
  await whereWritable(updateRows(database, "apiKey", { match: { id: key.id }, set: { lastUsedAt: now } }));
}

/** The reason why a token is rejected, in one sentence. */
export interface RefusedToken {
  readonly refused: string;
}

/** Whether a token is formatted as one of our authorization server's instead of an API key. */
export function isAccessToken(text: string): boolean {
  return text.startsWith("at_");
}

export async function findTokenHolder(
  database: Database,
  token: string,
  { audience, now }: { readonly audience: Audience; readonly now: Date },
): Promise<Credential | RefusedToken> {
  const found = await findAccessToken(database, sha256(token));
  if (found === undefined || found.expiresAt <= now) {
    return { refused: "The access token is unknown, expired or revoked." };
  }
  const { grantId, accountId, userId, role, lastUsedAt } = found;
  const { aud, scope } = found.payload;
  if (aud !== audience) return { refused: "The access token was issued for another part of the service." };
  const isNoted = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < USE_NOTED_EVERY_MS;
  if (!isNoted) await whereWritable(recordGrantUse(database, grantId, { usedAt: now }));
  return {
    kind: "token",
    keyId: grantId,
    accountId,
    userId,
    scopes: limitToRole(typeof scope === "string" ? parseScopes(scope) : [], role),
  };
}

/**
 * Authenticates a request, checks its scope and counts it for the rate limit. Returns `undefined` if the route needs no
 * key and none was sent.
 */
export async function identify(
  core: Core,
  { route, request, requestContext }: RouteRequest,
): Promise<Credential | undefined> {
  const header = request.headers.get("Authorization") ?? undefined;
  if (route.scope === undefined && header === undefined) {
    await countRequest(core, { request, requestContext }, undefined);
    return undefined;
  }
  const credential = await identifyBearer(core, { request, audience: "api", requestContext });
  if (route.scope !== undefined) checkScope(credential, route.scope, core.challenges);
  return credential;
}

export interface BearerOptions {
  readonly request: Pick<HttpRequest, "headers">;
  /** The required audience of an access token. */
  readonly audience: Audience;
  readonly requestContext: RequestContext;
}

/** Authenticates the `Authorization` header and counts the request. For keys, checks that the plan includes them. */
export async function identifyBearer(
  core: Core,
  { request, audience, requestContext }: BearerOptions,
): Promise<Credential> {
  const { authenticator } = core;
  const header = request.headers.get("Authorization") ?? undefined;
  const credential = await authenticator
    .authenticate(header, core.now(), { audience })
    .catch(async (error: unknown) => {
      await countRequest(core, { request, requestContext }, undefined);
      throw error;
    });
  requestContext.addFacts({ accountId: credential.accountId, keyId: credential.keyId });
  await countRequest(core, { request, requestContext }, credential);
  if (credential.kind === "key") checkPlan(core);
  return credential;
}

async function countRequest(
  core: Core,
  { request, requestContext }: Pick<BearerOptions, "request" | "requestContext">,
  credential: Credential | undefined,
): Promise<void> {
  if (core.rateLimiter === undefined) return;
  const caller: Caller =
    credential === undefined
      ? { kind: "address", id: addressOf(request, requestContext, core.settings) }
      : { kind: "key", id: credential.keyId };
  requestContext.addHeaders(await core.rateLimiter.count(caller, core.now()));
}

function checkPlan({ settings: { plan, apiKeyPlans } }: Core): void {
  if (apiKeyPlans.includes(plan)) return;
  throw new ProblemError("plan_required", {
    detail: `API keys require one of the plans ${apiKeyPlans.join(", ")}; the account has ${plan}.`,
  });
}

import type { KeyCreateBody } from "../../contract/operations/account.ts";
import type { Scope } from "../../contract/scopes.ts";
import { findAccountKey, revokeApiKey, type StoredApiKey } from "../store/api-keys.ts";
import { countRows, insertRow } from "../store/rows.ts";
import { audit } from "./audit.ts";
import { checkLimit, fieldProblem, found } from "./fields.ts";
import { type Context, createId, type RandomBytes } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { sha256 } from "../../base/hash.ts";
import { formatApiKey, RANDOM_BYTES } from "../../contract/api-key.ts";

/**
 * Creates an API key, by default with the caller's scopes. Throws `insufficient_scope` for scopes that the caller
 * doesn't have.
 */
export async function createKey(context: Context, { name, scopes, expiresAt }: KeyCreateBody): Promise<IssuedKey> {
  const own = context.actor?.scopes ?? null;
  const { database, accountId, limits, now, random } = context;
  const missing = (scopes ?? []).filter((scope) => own !== null && !own.includes(scope));
  if (missing.length > 0) {
    throw new ProblemError("insufficient_scope", {
      detail: `A key can't create keys with more scopes than it has: ${missing.join(", ")}.`,
      errors: [{ pointer: "/body/scopes", detail: "exceeds the scopes of the calling key" }],
    });
  }
  const expiry = expiresAt === undefined || expiresAt === null ? null : new Date(expiresAt);
  if (expiry !== null && expiry <= now) {
    throw fieldProblem("invalid_body", "expiresAt", "is in the past");
  }
  checkLimit(await countRows(database, "apiKey", { accountId, revokedAt: null }), limits.maxKeys, "API keys");
  const { userId = null } = context.actor ?? {};
  const issued = issueKey({ accountId, userId, name, scopes: scopes ?? own, expiresAt: expiry, now, random });
  await insertRow(database, "apiKey", issued.record);
  await audit(context, { action: "key.created", subject: name, subjectId: issued.record.id });
  return issued;
}

export async function revokeKey(context: Context, id: string): Promise<void> {
  const { database, accountId, now } = context;
  const key = found(await findAccountKey(database, { accountId, id }), "key_not_found");
  await revokeApiKey(database, { accountId, id }, now);
  await audit(context, { action: "key.revoked", subject: key.name, subjectId: id });
}

export interface KeyRequest {
  readonly accountId: string;
  /** @default null (the account itself) */
  readonly userId?: string | null;
  readonly name: string;
  /** `null`: all scopes. */
  readonly scopes: readonly Scope[] | null;
  /** @default null (never) */
  readonly expiresAt?: Date | null;
  readonly now: Date;
  readonly random: RandomBytes;
}

/** A new key: its text, which is shown once, and its record, which doesn't contain it. */
export interface IssuedKey {
  readonly text: string;
  readonly record: StoredApiKey;
}

const ENVIRONMENT = "dev";

export function issueKey({
  accountId,
  userId = null,
  name,
  scopes,
  expiresAt = null,
  now,
  random,
}: KeyRequest): IssuedKey {
  const text = formatApiKey(ENVIRONMENT, random(RANDOM_BYTES));
  return {
    text,
    record: {
      id: createId("key", random),
      accountId,
      userId,
      name,
      hash: sha256(text),
      environment: ENVIRONMENT,
      lastFour: text.slice(-4),
      scopes,
      createdAt: now,
      lastUsedAt: null,
      expiresAt,
    },
  };
}

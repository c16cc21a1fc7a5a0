import { sha256 } from "../../base/hash.ts";
import { formatApiKey, RANDOM_BYTES } from "../../contract/api-key.ts";
import type { Scope } from "../../contract/scopes.ts";
import { createId, type RandomBytes } from "../resources/ids.ts";
import type { StoredApiKey } from "../store/api-keys.ts";

export interface KeyRequest {
  readonly accountId: string;
  readonly name: string;
  /** `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
  /** @default null (never) */
  readonly expiresAt?: Date | null;
  readonly now: Date;
  readonly random: RandomBytes;
}

/** A new key: the text, which is shown once, and the record, which does not hold it. */
export interface IssuedKey {
  readonly text: string;
  readonly record: StoredApiKey;
}

const ENVIRONMENT = "dev";

export function issueKey({ accountId, name, scopes, expiresAt = null, now, random }: KeyRequest): IssuedKey {
  const text = formatApiKey(ENVIRONMENT, random(RANDOM_BYTES));
  return {
    text,
    record: {
      id: createId("key", random),
      accountId,
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

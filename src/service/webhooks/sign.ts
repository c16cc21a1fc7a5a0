import { createHmac } from "node:crypto";
import type { RandomBytes } from "../resources/ids.ts";
import type { Webhook } from "../store/webhooks.ts";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks. */
export function createSecret(random: RandomBytes): string {
  return SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");
}

export interface Message {
  readonly id: string;
  readonly payload: string;
  readonly at: Date;
}

/** The headers by which a receiver tells that a message is ours and not an old one that somebody sends again. */
export function signedHeaders(
  { id, payload, at }: Message,
  webhook: Pick<Webhook, "secret" | "oldSecret" | "oldSecretUntil">,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secretsOf(webhook, at).map((secret) => sign(secret, `${id}.${timestamp}.${payload}`));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function secretsOf(
  { secret, oldSecret, oldSecretUntil }: Pick<Webhook, "secret" | "oldSecret" | "oldSecretUntil">,
  at: Date,
): readonly string[] {
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && at < oldSecretUntil;
  return isOldValid ? [secret, oldSecret] : [secret];
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}

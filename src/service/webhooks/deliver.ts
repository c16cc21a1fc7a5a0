import { createHmac } from "node:crypto";
import { FetchError, type Fetched, type GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createQueue, type Queue, type QueueOptions } from "../jobs/queue.ts";
import type { RandomBytes } from "../resources/context.ts";
import { SECRET_PREFIX } from "../resources/webhooks.ts";
import { endClaim, findRow, updateRows, type Claim } from "../store/rows.ts";
import {
  claimDelivery,
  failPendingDeliveries,
  finishAttempt,
  listDueWebhooks,
  recordWebhookFailure,
  recordWebhookSuccess,
  type Attempt,
  type Delivery,
  type Webhook,
} from "../store/webhooks.ts";
import type { Database } from "../store/tables.ts";
import { holdName, writeTransaction } from "../store/transactions.ts";
import { evaluateAttempt } from "./schedule.ts";

export interface DeliveryOptions extends QueueOptions {
  readonly database: Database;
  readonly remote: GuardedFetch;
  readonly random: RandomBytes;
}

const ATTEMPT_TIMEOUT_MS = 15_000;

/** Creates the webhook queue. Each webhook has its own group, so that a slow receiver delays no others. */
export function createDeliveryQueue(options: DeliveryOptions): Queue<Delivery> {
  const { database, now } = options;
  return createQueue(
    {
      name: "Sending webhooks",
      pollMs: 1000,
      leaseMs: 4 * ATTEMPT_TIMEOUT_MS,
      perGroup: 4,
      listGroups: (time) => listDueWebhooks(database, time),
      async runNext({ group: webhookId, closing, ...claim }) {
        const delivery = await claimDelivery(database, webhookId, claim);
        const webhook = delivery && (await findRow(database, "webhook", { id: webhookId }));
        // Deleting a webhook deletes its deliveries, too.
        if (delivery === undefined || webhook === undefined) return delivery;
        const sent = { delivery, webhook, claim: { id: delivery.id, token: claim.lease.token } };
        const attempted = await attempt(sent, { ...options, time: now(), closing });
        if (closing.aborted && attempted.status === null) await endClaim(database, "delivery", { claim: sent.claim });
        else await recordAttempt(options, sent, attempted);
        return delivery;
      },
    },
    options,
  );
}

interface SentDelivery {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly claim: Claim;
}

interface Attempted extends Attempt {
  readonly retryAfter?: string | undefined;
}

const STORED_RESPONSE_BYTES = 2048;

/** Attempts a delivery once. Never throws for the receiver's errors. */
async function attempt(
  { delivery: { id, payload }, webhook }: SentDelivery,
  { remote, time, closing }: Pick<DeliveryOptions, "remote"> & { readonly time: Date; readonly closing: AbortSignal },
): Promise<Attempted> {
  const started = performance.now();
  const timing = () => ({ at: time, ms: Math.round(performance.now() - started) });
  try {
    const answer = await remote.fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signedHeaders({ id, payload, at: time }, webhook) },
      body: payload,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxRedirects: 0,
      maxBytes: STORED_RESPONSE_BYTES,
      whenLarger: "cut",
      signal: closing,
    });
    const { status, headers, bytes } = answer;
    // Not all databases accept NUL in text columns.
    const text = new TextDecoder().decode(bytes).replaceAll("\0", "\u{FFFD}");
    return { ...timing(), status, error: errorOf(answer), answer: text, retryAfter: headers["retry-after"] };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { ...timing(), status: null, error: error.message, answer: null };
  }
}

function errorOf({ status }: Fetched): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "The receiver responded with a redirect, which is not followed.";
  return `The receiver returned HTTP status ${status}.`;
}

/** Returns the signature headers, which let a receiver verify the sender and detect replays. */
function signedHeaders(
  { id, payload, at }: { readonly id: string; readonly payload: string; readonly at: Date },
  { secret, oldSecret, oldSecretUntil }: Webhook,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && at < oldSecretUntil;
  const secrets = isOldValid ? [secret, oldSecret] : [secret];
  const signatures = secrets.map((each) => sign(each, `${id}.${timestamp}.${payload}`));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}

/** Records an attempt and its consequence: success, a retry, or disabling the webhook. */
async function recordAttempt(options: DeliveryOptions, sent: SentDelivery, attempted: Attempted): Promise<void> {
  const { delivery, webhook, claim } = sent;
  const { status, retryAfter } = attempted;
  const now = options.now();
  const [high = 0, low = 0] = options.random(2);
  const verdict = evaluateAttempt(
    { attempts: delivery.attempts + 1, status: status ?? undefined, retryAfter },
    { now, chance: (high * 256 + low) / 65_535 },
  );
  const record = async (transaction: Database) => {
    if (verdict.kind !== "delivered") await holdName(transaction, `webhook ${webhook.id}`);
    const isOurs = await finishAttempt(transaction, claim, { attempt: attempted, verdict, now });
    if (!isOurs) return undefined;
    if (verdict.kind !== "delivered") return await disableIfDead(transaction, webhook, { status, now });
    // Another attempt may have failed since the webhook was read.
    await recordWebhookSuccess(transaction, webhook.id);
    return undefined;
  };
  const reason = await writeTransaction(options.database, record, "shared");
  // Never log the URL: it may contain a token of the receiver.
  if (reason !== undefined) options.logger.warn(`Webhook ${webhook.id} was disabled: ${REASONS[reason]}`);
}

const REASONS = {
  gone: "The receiver returned HTTP status 410 (Gone).",
  failing: "No delivery succeeded for 5 days.",
} as const;

const GIVE_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

/** Disables a webhook that is gone or has failed for too long. */
async function disableIfDead(
  database: Database,
  webhook: Webhook,
  { status, now }: { readonly status: number | null; readonly now: Date },
): Promise<keyof typeof REASONS | undefined> {
  const failingSince = await recordWebhookFailure(database, webhook.id, now);
  const isGone = status === 410;
  if (!isGone && now.getTime() - failingSince.getTime() < GIVE_UP_AFTER_MS) return undefined;
  if (webhook.disabledReason !== null) return undefined;
  const reason = isGone ? "gone" : "failing";
  await updateRows(database, "webhook", {
    match: { id: webhook.id },
    set: { disabledReason: reason, updatedAt: now },
  });
  await failPendingDeliveries(database, webhook.id, { error: `The webhook was disabled: ${REASONS[reason]}`, now });
  return reason;
}

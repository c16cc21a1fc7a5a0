import { failPendingDeliveries, type Delivery } from "../store/deliveries.ts";
import { finishAttempt, type Claim } from "../store/outbox.ts";
import type { Database } from "../store/tables.ts";
import { holdName, writeTransaction } from "../store/write-transaction.ts";
import { disableWebhook, noteWebhookFailure, noteWebhookSuccess, type Webhook } from "../store/webhooks.ts";
import type { Attempted } from "./attempt.ts";
import { judgeAttempt } from "./schedule.ts";
import type { SenderOptions } from "./sender.ts";

export interface SentDelivery {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly attempted: Attempted;
  readonly claim: Claim;
}

const GIVE_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

/** Writes down how an attempt went and what follows: the end, another attempt, or the end of the webhook. */
export async function settleAttempt(options: SenderOptions, sent: SentDelivery): Promise<void> {
  const { database, logger } = options;
  const { delivery, webhook, attempted, claim } = sent;
  const { attempt, retryAfter } = attempted;
  const now = options.now();
  const verdict = judgeAttempt(
    { attempts: delivery.attempts + 1, status: attempt.status ?? undefined, retryAfter },
    { now, chance: chanceOf(options) },
  );
  const settle = async (transaction: Database) => {
    if (verdict.kind !== "delivered") await holdName(transaction, `webhook ${webhook.id}`);
    const isOurs = await finishAttempt(transaction, claim, { attempt, verdict, now });
    if (!isOurs) return undefined;
    if (verdict.kind === "delivered") {
      // Another attempt may have failed since the webhook was read.
      await noteWebhookSuccess(transaction, webhook.id);
      return undefined;
    }
    return await giveUpOn(transaction, { webhook, status: attempt.status, now });
  };
  const reason = await writeTransaction(database, settle, "shared");
  // Never the address: it may hold a token of the receiver.
  if (reason !== undefined) logger.warn(`Webhook ${webhook.id} was switched off: ${REASONS[reason]}`);
}

type Reason = "gone" | "failing";

const REASONS = {
  gone: "The receiver answered 410: it wants nothing any more.",
  failing: "No delivery succeeded for 5 days.",
} as const satisfies Record<Reason, string>;

interface Failure {
  readonly webhook: Webhook;
  readonly status: number | null;
  readonly now: Date;
}

/** Switches a webhook off that is gone or has failed for too long. */
async function giveUpOn(database: Database, { webhook, status, now }: Failure): Promise<Reason | undefined> {
  const failingSince = await noteWebhookFailure(database, webhook.id, now);
  const isGone = status === 410;
  if (!isGone && now.getTime() - failingSince.getTime() < GIVE_UP_AFTER_MS) return undefined;
  if (webhook.disabledReason !== null) return undefined;
  const reason = isGone ? "gone" : "failing";
  await disableWebhook(database, { id: webhook.id, reason }, now);
  await failPendingDeliveries(database, webhook.id, { error: `The webhook was switched off: ${REASONS[reason]}`, now });
  return reason;
}

function chanceOf({ random }: SenderOptions): number {
  const [high = 0, low = 0] = random(2);
  return (high * 256 + low) / 65_535;
}

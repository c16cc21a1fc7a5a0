import { randomUUID } from "node:crypto";
import { messageOf } from "../../base/error.ts";
import type { Delivery } from "../store/deliveries.ts";
import { claimDelivery, listDueWebhooks, releaseClaim } from "../store/outbox.ts";
import { getWebhook } from "../store/webhooks.ts";
import { ATTEMPT_TIMEOUT_MS, attemptDelivery } from "./attempt.ts";
import type { SenderOptions } from "./sender.ts";
import { settleAttempt } from "./settle.ts";

/** One lane for each webhook that something is due for, so that a slow receiver holds up nobody else. */
export interface Lanes {
  /** Starts a lane for each webhook that needs one and has none. */
  start(): Promise<void>;
  /** Waits for the lanes that run now; gives how many deliveries each has sent. */
  wait(): Promise<readonly number[]>;
}

// Longer than an attempt can take, so that a lease that is over means a process that died.
const LEASE_MS = 4 * ATTEMPT_TIMEOUT_MS;
/** How many deliveries a receiver gets at a time. */
const PER_WEBHOOK = 4;
const MAX_LANES = 32;

export function createLanes(options: SenderOptions, closing: AbortSignal): Lanes {
  const { database, logger, now } = options;
  const lanes = new Map<string, Promise<number>>();

  async function run(webhookId: string): Promise<number> {
    const sent = await Promise.all(Array.from({ length: PER_WEBHOOK }, () => sendUntilNoneIsDue(webhookId)));
    lanes.delete(webhookId);
    return sent.reduce((sum, count) => sum + count, 0);
  }

  async function sendUntilNoneIsDue(webhookId: string): Promise<number> {
    let sent = 0;
    try {
      while (!closing.aborted && (await sendNext(webhookId))) sent++;
    } catch (error) {
      // What was claimed comes again when its lease is over.
      logger.error(`Webhook ${webhookId} could not be served: ${messageOf(error)}`);
    }
    return sent;
  }

  async function sendNext(webhookId: string): Promise<boolean> {
    const time = now();
    const lease = { token: randomUUID(), until: new Date(time.getTime() + LEASE_MS) };
    const delivery = await claimDelivery(database, { webhookId, now: time, lease });
    if (delivery !== undefined) await send(delivery, lease.token);
    return delivery !== undefined;
  }

  async function send(delivery: Delivery, token: string): Promise<void> {
    const claim = { id: delivery.id, token };
    const webhook = await getWebhook(database, delivery.webhookId);
    // It was deleted just now, and its deliveries with it.
    if (webhook === undefined) return;
    const attempted = await attemptDelivery(delivery, webhook, { ...options, now: now(), signal: closing });
    if (closing.aborted && attempted.attempt.status === null) await releaseClaim(database, claim);
    else await settleAttempt(options, { delivery, webhook, attempted, claim });
  }

  return {
    async start() {
      for (const webhookId of await listDueWebhooks(database, now())) {
        if (closing.aborted || lanes.size >= MAX_LANES) return;
        if (!lanes.has(webhookId)) lanes.set(webhookId, run(webhookId));
      }
    },
    wait: () => Promise.all(lanes.values()),
  };
}

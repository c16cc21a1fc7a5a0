import { EVENT_TYPES } from "../../contract/events.ts";
import type { DeliveryRecord, EventRecord, KeyRecord, WebhookRecord } from "../../contract/extension-records.ts";
import type { StoredApiKey } from "../store/api-keys.ts";
import type { Delivery } from "../store/deliveries.ts";
import type { StoredEvent } from "../store/events.ts";
import type { Webhook } from "../store/webhooks.ts";

// Records of extensions as the wire shows them: never a secret, which the answer that makes it adds.

export function viewKey(key: StoredApiKey): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    lastFour: key.lastFour,
    scopes: key.scopes === null ? null : [...key.scopes],
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

export function viewWebhook(webhook: Webhook): WebhookRecord {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: EVENT_TYPES.filter((type) => webhook.events.includes(type)),
    enabled: webhook.disabledReason === null,
    disabledReason: webhook.disabledReason,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    oldSecretUntil: webhook.oldSecretUntil?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

export function viewDelivery(delivery: Delivery): DeliveryRecord {
  const { lastAttempt } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: delivery.status === "pending" ? delivery.nextAttemptAt.toISOString() : null,
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    lastAttempt: lastAttempt && { ...lastAttempt, at: lastAttempt.at.toISOString() },
  };
}

export function viewEvent(event: StoredEvent): EventRecord {
  const type = EVENT_TYPES.find((known) => known === event.type);
  if (type === undefined) throw new Error(`The store holds an event of the unknown type ${event.type}.`);
  return { id: event.id, type, createdAt: event.createdAt.toISOString(), data: { ...event.data } };
}

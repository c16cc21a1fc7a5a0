import { EVENT_TYPES, webhookRecord } from "../../contract/extension-records.ts";
import { titlesOf } from "../../contract/fields.ts";
import type { WebhookCreateBody, WebhookPatchBody } from "../../contract/operations/account.ts";
import { FetchError } from "../guarded-fetch/guarded-fetch.ts";
import { countRows, deleteRecord, findRow, saveRow, updateRows } from "../store/rows.ts";
import { failPendingDeliveries, findDelivery, insertDelivery, type Delivery, type Webhook } from "../store/webhooks.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { renderPayload } from "./events.ts";
import { applyPatch, checkLimit, found } from "./fields.ts";

// How long receivers have to adopt a new secret.
const OLD_SECRET_MS = 24 * 60 * 60 * 1000;
const TITLES = titlesOf(webhookRecord);
const TEST_TYPE = "webhook.test";

export async function getWebhook({ database, accountId }: Context, id: string): Promise<Webhook> {
  return found(await findRow(database, "webhook", { accountId, id }), "webhook_not_found");
}

/** Creates a webhook for some event types (default: all), with its own secret. */
export async function createWebhook(context: Context, body: WebhookCreateBody): Promise<Webhook> {
  const { database, accountId, limits, newId, now } = context;
  checkUrl(context, body.url);
  checkLimit(await countRows(database, "webhook", { accountId }), limits.maxWebhooks, "webhooks");
  const webhook: Webhook = {
    id: newId("wh"),
    accountId,
    url: body.url,
    description: body.description ?? null,
    events: [...new Set(body.events ?? EVENT_TYPES)],
    secret: createSecret(context),
    oldSecret: null,
    oldSecretUntil: null,
    disabledReason: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  await saveRow(database, "webhook", webhook);
  await audit(context, { action: "webhook.created", ...named(webhook) });
  return webhook;
}

/**
 * Changes the given fields. Disabling cancels pending deliveries; enabling or a new URL resets the failures.
 * `rotateSecret` creates a new secret, and the old one also signs for a day.
 */
export async function patchWebhook(context: Context, id: string, patch: WebhookPatchBody): Promise<Webhook> {
  const { database, now } = context;
  const webhook = await getWebhook(context, id);
  if (patch.url !== undefined) checkUrl(context, patch.url);
  const isRestarted = patch.enabled === true || (patch.url !== undefined && patch.url !== webhook.url);
  const changed: Webhook = {
    ...applyPatch(webhook, { ...patch, events: patch.events && [...new Set(patch.events)] }),
    ...(patch.rotateSecret === true && rotated(webhook, context)),
    disabledReason: disabledReasonOf(webhook, patch),
    failingSince: isRestarted ? null : webhook.failingSince,
    updatedAt: now,
  };
  await saveRow(database, "webhook", changed);
  await audit(context, { action: "webhook.changed", ...named(changed), detail: describePatch(patch) });
  if (patch.enabled === false) {
    await failPendingDeliveries(database, id, { error: "The webhook was disabled.", now });
  }
  return changed;
}

function describePatch({ rotateSecret, ...fields }: WebhookPatchBody): string {
  const names = Object.keys(fields) as readonly (keyof typeof fields)[];
  return [...names.map((name) => TITLES[name]), ...(rotateSecret === true ? ["new secret"] : [])].join(", ");
}

export async function removeWebhook(context: Context, id: string): Promise<void> {
  const webhook = await getWebhook(context, id);
  await deleteRecord(context.database, "webhook", { id });
  await audit(context, { action: "webhook.deleted", ...named(webhook) });
}

// Only the host: the rest of a URL may be a secret of the receiver.
function named({ id, url }: Webhook) {
  return { subject: URL.parse(url)?.host ?? null, subjectId: id };
}

/** Queues a message without content, to test the webhook. */
export async function testWebhook(context: Context, id: string): Promise<Delivery> {
  const { database, newId, now } = context;
  const webhook = await getWebhook(context, id);
  const payload = renderPayload({ type: TEST_TYPE, at: now, data: { webhookId: webhook.id } });
  const delivery = { id: newId("msg"), webhookId: webhook.id, eventId: null, type: TEST_TYPE, payload, createdAt: now };
  await insertDelivery(database, delivery);
  context.wakeSender();
  return await getDelivery(context, delivery.id);
}

/** Restarts a delivery's schedule under the same id. */
export async function retryDelivery(context: Context, id: string): Promise<Delivery> {
  const { webhookId } = await getDelivery(context, id);
  const webhook = await getWebhook(context, webhookId);
  if (webhook.disabledReason !== null) {
    throw new ProblemError("webhook_disabled", { detail: "Enable the webhook before retrying." });
  }
  const fresh = { status: "pending", attempts: 0, nextAttemptAt: context.now, finishedAt: null } as const;
  const set = { ...fresh, lease: null, leaseUntil: null };
  await updateRows(context.database, "delivery", { match: { id }, set });
  context.wakeSender();
  return await getDelivery(context, id);
}

export async function getDelivery({ database, accountId }: Context, id: string): Promise<Delivery> {
  return found(await findDelivery(database, { accountId, id }), "delivery_not_found");
}

function checkUrl({ remote }: Context, url: string): void {
  try {
    remote.checkUrl(url);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw new ProblemError("invalid_body", {
      detail: error.message,
      errors: [{ pointer: "/body/url", detail: error.message }],
      cause: error,
    });
  }
}

function rotated({ secret }: Webhook, context: Context): Partial<Webhook> {
  return {
    secret: createSecret(context),
    oldSecret: secret,
    oldSecretUntil: new Date(context.now.getTime() + OLD_SECRET_MS),
  };
}

function disabledReasonOf({ disabledReason }: Webhook, { enabled }: WebhookPatchBody): Webhook["disabledReason"] {
  if (enabled === undefined) return disabledReason;
  return enabled ? null : (disabledReason ?? "switched-off");
}

/** Prefix of a webhook secret, followed by base64, as in Standard Webhooks. */
export const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

function createSecret({ random }: Context): string {
  return SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");
}

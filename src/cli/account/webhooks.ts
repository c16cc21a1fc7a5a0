import { pluralize } from "../../base/pluralize.ts";
import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { DeliveryInfo, WebhookInfo } from "../../client/records/account-records.ts";
import type { ImprintApi } from "../../client/api.ts";
import { EVENT_TYPES } from "../../contract/extension-records.ts";
import { renderTable, renderTime } from "../table.ts";
import { findName, type AccountResult, type AccountRun } from "./account-command.ts";

export async function list({ withApi, signal }: AccountRun): Promise<AccountResult> {
  const { items } = await withApi((api) => api.webhooks.list({ signal }));
  return { json: items, text: renderWebhooks(items) };
}

/** `imprint webhooks add`: shows the secret once. */
export async function add({ args, flags, paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [url = ""] = args;
  const events = flags.event?.map((type) =>
    findName(EVENT_TYPES, type, { problem: "isn't an event type", hint: "An event type looks like page.published." }),
  );
  const { description } = flags;
  const webhook = await withApi((api) => api.webhooks.create({ url, events, description }, { signal }));
  const secret = paint("strong", webhook.secret ?? "");
  const use = "Use it to verify deliveries: `verifyWebhook` of astro-imprint/client.";
  const text = `Created the webhook ${webhook.id}. Its secret is shown only once:\n\n  ${secret}\n\n${use}\n`;
  return { json: webhook, text };
}

/** `imprint webhooks remove`: cancels its pending deliveries. */
export async function remove({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [id = ""] = args;
  await withApi(async (api) => {
    if ((await api.webhooks.get(id, { signal })) === undefined) {
      const message = `The account has no webhook with the ID "${id}".`;
      throw new ImprintError("USAGE", message, { hint: "See `imprint webhooks list`." });
    }
    await api.webhooks.delete(id, { signal });
  });
  return { json: { id, removed: true }, text: `Removed the webhook ${id}.\n` };
}

/** `imprint webhooks deliveries`: the newest, with the results of their last attempts. */
export async function deliveries({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [id = ""] = args;
  const deliveries = await withApi((api) => api.webhooks.deliveries(id, { signal }));
  return { json: deliveries, text: renderDeliveries(deliveries) };
}

/** `imprint webhooks retry`: sends a delivery again and waits for the response. */
export async function retry({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [id = ""] = args;
  return withApi(async (api) => follow(await api.webhooks.retry(id, { signal }), api, signal));
}

/** `imprint webhooks test`: sends a test message and waits for the response. */
export async function test({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [id = ""] = args;
  return withApi(async (api) => follow(await api.webhooks.test(id, { signal }), api, signal));
}

const LOOK_EVERY_MS = 250;
// Slightly longer than an attempt may take.
const MAX_LOOKS = 80;

async function follow(delivery: DeliveryInfo, api: ImprintApi, signal?: AbortSignal): Promise<AccountResult> {
  let current = delivery;
  for (let look = 0; look < MAX_LOOKS && current.attempts === 0; look++) {
    await delay(LOOK_EVERY_MS);
    const deliveries = await api.webhooks.deliveries(delivery.webhookId, { limit: 100, signal });
    current = deliveries.find(({ id }) => id === delivery.id) ?? current;
  }
  return { json: current, text: renderDeliveries([current]), exitCode: current.status === "delivered" ? 0 : 1 };
}

function renderWebhooks(webhooks: readonly WebhookInfo[]): string {
  if (webhooks.length === 0) return "There are no webhooks. Create one with `imprint webhooks add <url>`.\n";
  return renderTable(webhooks.map((webhook) => [webhook.id, stateOf(webhook), webhook.url, webhook.events.join(" ")]));
}

function stateOf({ disabledReason, failingSince }: WebhookInfo): string {
  if (disabledReason !== null) return `off (${disabledReason})`;
  return failingSince === null ? "on" : `failing since ${renderTime(failingSince)}`;
}

function renderDeliveries(deliveries: readonly DeliveryInfo[]): string {
  if (deliveries.length === 0) return "There are no deliveries yet.\n";
  return renderTable(
    deliveries.map(({ id, type, status, attempts, createdAt, lastAttempt, nextAttemptAt }) => [
      id,
      renderTime(createdAt),
      type,
      status,
      pluralize(attempts, "attempt"),
      lastAttempt === null ? "" : (lastAttempt.error ?? `${lastAttempt.status} in ${lastAttempt.ms} ms`),
      nextAttemptAt === null ? "" : `next ${renderTime(nextAttemptAt)}`,
    ]),
  );
}

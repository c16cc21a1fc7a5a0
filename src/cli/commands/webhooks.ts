import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { DeliveryInfo, WebhookInfo } from "../../client/account-api.ts";
import type { ImprintApi } from "../../client/api.ts";
import { isEventType } from "../../client/names.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { print } from "../print.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTable, renderTime } from "../table.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** `imprint webhooks list`. */
export async function listWebhooksCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { items } = await withApi(flags, context, (api) => api.webhooks.list({ signal: context.signal }));
  print(items, { flags, context, text: renderWebhooks(items) });
  return 0;
}

export interface AddWebhookFlags extends PublishFlags {
  readonly event?: readonly string[];
  readonly description?: string;
}

/** `imprint webhooks add`: makes a webhook and shows its secret once. */
export async function addWebhookCommand(url: string, flags: AddWebhookFlags, context: CliContext): Promise<ExitCode> {
  const events = flags.event?.map((type) => {
    if (isEventType(type)) return type;
    throw new ImprintError("USAGE", `"${type}" is no type of event.`, {
      hint: "Types are written as in page.published.",
    });
  });
  const request = { url, events, description: flags.description };
  const webhook = await withApi(flags, context, (api) => api.webhooks.create(request, { signal: context.signal }));
  print(webhook, { flags, context, text: renderNewWebhook(webhook, context) });
  return 0;
}

/** `imprint webhooks remove`: with everything that it was still to get. */
export async function removeWebhookCommand(id: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  await withApi(flags, context, async (api) => {
    if ((await api.webhooks.get(id, { signal })) === undefined) {
      throw new ImprintError("USAGE", `The account has no webhook with the id "${id}".`, {
        hint: "See `imprint webhooks list`.",
      });
    }
    await api.webhooks.delete(id, { signal });
  });
  print({ id, removed: true }, { flags, context, text: `The webhook ${id} is removed.\n` });
  return 0;
}

/** `imprint webhooks deliveries`: the newest, with how their last attempts went. */
export async function listDeliveriesCommand(id: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const deliveries = await withApi(flags, context, (api) => api.webhooks.deliveries(id, { signal: context.signal }));
  print(deliveries, { flags, context, text: renderDeliveries(deliveries) });
  return 0;
}

/** `imprint webhooks retry`: sends a delivery again and waits for the answer. */
export async function retryDeliveryCommand(id: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  return await withApi(flags, context, async (api) => {
    return await follow(await api.webhooks.retry(id, { signal: context.signal }), { api, flags, context });
  });
}

/** `imprint webhooks test`: sends a message that tells nothing and waits for the answer. */
export async function testWebhookCommand(id: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  return await withApi(flags, context, async (api) => {
    return await follow(await api.webhooks.test(id, { signal: context.signal }), { api, flags, context });
  });
}

interface Following {
  readonly api: ImprintApi;
  readonly flags: PublishFlags;
  readonly context: CliContext;
}

const LOOK_EVERY_MS = 250;
// A little longer than an attempt may take.
const MAX_LOOKS = 80;

async function follow(delivery: DeliveryInfo, { api, flags, context }: Following): Promise<ExitCode> {
  let current = delivery;
  for (let look = 0; look < MAX_LOOKS && current.attempts === 0; look++) {
    await delay(LOOK_EVERY_MS);
    const deliveries = await api.webhooks.deliveries(delivery.webhookId, { limit: 100, signal: context.signal });
    current = deliveries.find(({ id }) => id === delivery.id) ?? current;
  }
  print(current, { flags, context, text: renderDeliveries([current]) });
  return current.status === "delivered" ? 0 : 1;
}

function renderWebhooks(webhooks: readonly WebhookInfo[]): string {
  if (webhooks.length === 0) return "There is no webhook. Make one with `imprint webhooks add <url>`.\n";
  return renderTable(webhooks.map((webhook) => [webhook.id, stateOf(webhook), webhook.url, webhook.events.join(" ")]));
}

function stateOf({ disabledReason, failingSince }: WebhookInfo): string {
  if (disabledReason !== null) return `off (${disabledReason})`;
  return failingSince === null ? "on" : `failing since ${renderTime(failingSince)}`;
}

function renderNewWebhook({ id, secret = "" }: WebhookInfo, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  return `The webhook ${id} is on. Its secret, shown only this once:\n\n  ${paint("strong", secret)}\n\nCheck what arrives with it: \`verifyWebhook\` of astro-imprint/client.\n`;
}

function renderDeliveries(deliveries: readonly DeliveryInfo[]): string {
  if (deliveries.length === 0) return "Nothing was sent yet.\n";
  return renderTable(
    deliveries.map(({ id, type, status, attempts, createdAt, lastAttempt, nextAttemptAt }) => [
      id,
      renderTime(createdAt),
      type,
      status,
      `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`,
      resultOf(lastAttempt),
      nextAttemptAt === null ? "" : `next ${renderTime(nextAttemptAt)}`,
    ]),
  );
}

function resultOf(attempt: DeliveryInfo["lastAttempt"]): string {
  if (attempt === null) return "";
  return attempt.error ?? `${attempt.status} in ${attempt.ms} ms`;
}

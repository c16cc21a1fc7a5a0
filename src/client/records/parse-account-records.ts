import * as z from "zod";
import {
  deliveryRecord,
  eventRecord,
  keyRecord,
  previewLinkRecord,
  signInLinkRecord,
  webhookRecord,
} from "../../contract/extension-records.ts";
import type {
  ApiKey,
  DeliveryInfo,
  EventInfo,
  NewApiKey,
  PreviewLink,
  SignInLink,
  WebhookInfo,
} from "../account-api.ts";
import { unreadable, type RecordContext } from "./unwrap.ts";

// Only our own service has these records, so they are as the contract says or can't be read.

export function parseKey(json: unknown, context: RecordContext): ApiKey {
  const { id, name, lastFour, scopes, ...times } = parseAs(keyRecord.full, "API key", { ...context, json });
  return {
    ...{ id, name, lastFour, scopes },
    createdAt: new Date(times.createdAt),
    lastUsedAt: dateOrNull(times.lastUsedAt),
    expiresAt: dateOrNull(times.expiresAt),
  };
}

export function parseNewKey(json: unknown, context: RecordContext): NewApiKey {
  const { key } = parseAs(keyRecord.full.required({ key: true }), "new API key", { ...context, json });
  return { ...parseKey(json, context), key };
}

export function parseSignInLink(json: unknown, context: RecordContext): SignInLink {
  const schema = signInLinkRecord.full.required({ url: true });
  const { url, expiresAt } = parseAs(schema, "sign-in link", { ...context, json });
  return { url, expiresAt: new Date(expiresAt) };
}

export function parsePreviewLink(json: unknown, context: RecordContext): PreviewLink {
  const schema = previewLinkRecord.full.required({ url: true });
  const { url, expiresAt } = parseAs(schema, "preview link", { ...context, json });
  return { url, expiresAt: new Date(expiresAt) };
}

export function parseWebhook(json: unknown, context: RecordContext): WebhookInfo {
  const webhook = parseAs(webhookRecord.full, "webhook", { ...context, json });
  const { id, url, description, events, enabled, disabledReason, failingSince, createdAt, secret } = webhook;
  return {
    ...{ id, url, description, events, enabled, disabledReason },
    failingSince: dateOrNull(failingSince),
    createdAt: new Date(createdAt),
    ...(secret === undefined ? {} : { secret }),
  };
}

export function parseDelivery(json: unknown, context: RecordContext): DeliveryInfo {
  const delivery = parseAs(deliveryRecord.full, "delivery", { ...context, json });
  const { id, webhookId, type, status, attempts, nextAttemptAt, createdAt, lastAttempt } = delivery;
  return {
    ...{ id, webhookId, type, status, attempts },
    nextAttemptAt: dateOrNull(nextAttemptAt),
    createdAt: new Date(createdAt),
    lastAttempt: lastAttempt && { ...lastAttempt, at: new Date(lastAttempt.at) },
  };
}

export function parseEvent(json: unknown, context: RecordContext): EventInfo {
  const { createdAt, ...event } = parseAs(eventRecord.full, "event", { ...context, json });
  return { ...event, createdAt: new Date(createdAt) };
}

/** The records of one part of a list. */
export function parsePart<Item>(
  json: unknown,
  context: RecordContext,
  parse: (json: unknown, context: RecordContext) => Item,
): readonly Item[] {
  const { data } = parseAs(z.object({ data: z.array(z.unknown()) }), "list", { ...context, json });
  return data.map((item) => parse(item, context));
}

function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  wanted: string,
  context: RecordContext & { readonly json: unknown },
): z.infer<Schema> {
  const parsed = schema.safeParse(context.json);
  if (!parsed.success) throw unreadable(wanted, context);
  return parsed.data;
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

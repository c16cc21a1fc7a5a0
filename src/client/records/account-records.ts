import * as z from "zod";
import {
  deliveryRecord,
  eventRecord,
  keyRecord,
  previewLinkRecord,
  signInLinkRecord,
  webhookRecord,
} from "../../contract/extension-records.ts";
import type { InMemory } from "../../contract/fields.ts";
import type { Scope } from "../../contract/scopes.ts";
import { isJsonObject } from "../../base/json.ts";
import { unreadable, type RecordContext } from "./read-record.ts";

// Only our own service has these records, so they match the contract or are unreadable. Other services don't announce
// them, and every method throws `NOT_SUPPORTED`.

const keySchema = () => keyRecord.full.omit({ environment: true });

export const parseKey = createParser("API key", () => keySchema().omit({ key: true }));
export const parseNewKey = createParser("new API key", () => keySchema().required({ key: true }));
export const parseSignInLink = createParser("sign-in link", () => signInLinkRecord.full.required({ url: true }));
export const parsePreviewLink = createParser("preview link", () => previewLinkRecord.full.required({ url: true }));
export const parseWebhook = createParser("webhook", () =>
  webhookRecord.full.omit({ oldSecretUntil: true, updatedAt: true }),
);
export const parseDelivery = createParser("delivery", () =>
  deliveryRecord.full.omit({ eventId: true, finishedAt: true }),
);
export const parseEvent = createParser("event", () => eventRecord.full);

/** An API key, without the key itself. */
export interface ApiKey extends ReturnType<typeof parseKey> {
  /** The last four characters, to distinguish keys. */
  readonly lastFour: string;
  /** `null`: all scopes. */
  readonly scopes: readonly Scope[] | null;
}

/** A new API key including its text, which is shown only once. */
export interface NewApiKey extends ReturnType<typeof parseNewKey> {}

export interface WebhookInfo extends ReturnType<typeof parseWebhook> {
  /** Why it is disabled: manually, because the receiver responded with 410, or because it failed for days. */
  readonly disabledReason: "switched-off" | "gone" | "failing" | null;
  /** Since when no delivery has succeeded. */
  readonly failingSince: Date | null;
  /** The secret for `verifyWebhook`, if it is new. */
  readonly secret?: string;
}

/** One message to a webhook, and the result of its last attempt. */
export interface DeliveryInfo extends ReturnType<typeof parseDelivery> {
  /** The `webhook-id` of the message. */
  readonly id: string;
}

/** An event. */
export interface EventInfo extends ReturnType<typeof parseEvent> {}

/** A one-time link that signs a browser in to the service's dashboard. */
export interface SignInLink extends ReturnType<typeof parseSignInLink> {}

/** A link that shows an unpublished post to anyone who has it. */
export interface PreviewLink extends ReturnType<typeof parsePreviewLink> {}

/** Returns the records of one part of a list. */
export function parsePart<Item>(
  json: unknown,
  context: RecordContext,
  parse: (json: unknown, context: RecordContext) => Item,
): readonly Item[] {
  return parsePartFrame(json, context).data.map((item) => parse(item, context));
}

const parsePartFrame = createParser("list", () => z.object({ data: z.array(z.unknown()) }));

/** @param make called with the first record: most runs have none, and creating a schema takes time */
export function createParser<Schema extends z.ZodObject>(wanted: string, make: () => Schema) {
  let schema: Schema | undefined;
  return (json: unknown, context: RecordContext): InMemory<z.output<Schema>> => {
    schema ??= make();
    const parsed = schema.safeParse(json);
    if (!parsed.success) throw unreadable(wanted, { ...context, json });
    return withDates(parsed.data, schema) as InMemory<z.output<Schema>>;
  };
}

function withDates(value: unknown, schema: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return withDates(value, schema.unwrap());
  if (schema instanceof z.ZodISODateTime && typeof value === "string") return new Date(value);
  if (!(schema instanceof z.ZodObject) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withDates(field, schema.shape[name])]));
}

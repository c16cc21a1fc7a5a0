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
import { isRecord } from "./fields.ts";
import { unreadable, type RecordContext } from "./read-record.ts";

// Only our own service has these records, so they are as the contract says or can't be read.

const keySchema = keyRecord.full.omit({ environment: true });

export const parseKey = createParser("API key", keySchema.omit({ key: true }));
export const parseNewKey = createParser("new API key", keySchema.required({ key: true }));
export const parseSignInLink = createParser("sign-in link", signInLinkRecord.full.required({ url: true }));
export const parsePreviewLink = createParser("preview link", previewLinkRecord.full.required({ url: true }));
export const parseWebhook = createParser("webhook", webhookRecord.full.omit({ oldSecretUntil: true, updatedAt: true }));
export const parseDelivery = createParser("delivery", deliveryRecord.full.omit({ eventId: true, finishedAt: true }));
export const parseEvent = createParser("event", eventRecord.full);

/** The records of one part of a list. */
export function parsePart<Item>(
  json: unknown,
  context: RecordContext,
  parse: (json: unknown, context: RecordContext) => Item,
): readonly Item[] {
  return parsePartFrame(json, context).data.map((item) => parse(item, context));
}

const parsePartFrame = createParser("list", z.object({ data: z.array(z.unknown()) }));

function createParser<Schema extends z.ZodObject>(wanted: string, schema: Schema) {
  return (json: unknown, context: RecordContext): InMemory<z.output<Schema>> => {
    const parsed = schema.safeParse(json);
    if (!parsed.success) throw unreadable(wanted, { ...context, json });
    return withDates(parsed.data, schema) as InMemory<z.output<Schema>>;
  };
}

function withDates(value: unknown, schema: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return withDates(value, schema.unwrap());
  if (schema instanceof z.ZodISODateTime && typeof value === "string") return new Date(value);
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withDates(field, schema.shape[name])]));
}

import * as z from "zod";
import { EVENT_TYPES } from "./events.ts";
import { SCOPES } from "./scopes.ts";

// Records that only our service has. They are not there in `strict` mode, so they have one form.

const timestamp = z.iso.datetime();
const count = z.int().nonnegative();

function extensionRecord<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return { minimum: schema, full: schema };
}

export const keyRecord = extensionRecord({
  id: z.string(),
  name: z.string(),
  environment: z.string(),
  lastFour: z.string(),
  /** `null`: all of them. */
  scopes: z.array(z.enum(SCOPES)).nullable(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  /** The key itself, in the answer to its creation and never again. */
  key: z.string().optional(),
});

/** A link that signs a browser in to the dashboard, once. */
export const signInLinkRecord = extensionRecord({
  expiresAt: timestamp,
  /** In the answer to its creation only. */
  url: z.url().optional(),
});

/** A link that shows a post that is not published to whoever has it. */
export const previewLinkRecord = extensionRecord({
  expiresAt: timestamp,
  /** In the answer to its creation only. */
  url: z.url().optional(),
});

export const webhookRecord = extensionRecord({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(EVENT_TYPES)),
  enabled: z.boolean(),
  disabledReason: z.enum(["switched-off", "gone", "failing"]).nullable(),
  failingSince: timestamp.nullable(),
  /** Until when the secret before the last rotation signs too. */
  oldSecretUntil: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** In the answers to creation and rotation only. */
  secret: z.string().optional(),
});

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

export const deliveryRecord = extensionRecord({
  id: z.string(),
  webhookId: z.string(),
  /** `null` for a test. */
  eventId: z.string().nullable(),
  type: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: count,
  nextAttemptAt: timestamp.nullable(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  lastAttempt: z
    .object({
      at: timestamp,
      ms: count,
      status: z.int().nullable(),
      error: z.string().nullable(),
      answer: z.string().nullable(),
    })
    .nullable(),
});

export const eventRecord = extensionRecord({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  createdAt: timestamp,
  data: z.record(z.string(), z.unknown()),
});

export type KeyRecord = z.infer<typeof keyRecord.full>;
export type WebhookRecord = z.infer<typeof webhookRecord.full>;
export type DeliveryRecord = z.infer<typeof deliveryRecord.full>;
export type EventRecord = z.infer<typeof eventRecord.full>;

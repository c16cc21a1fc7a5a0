import type { Selectable } from "kysely";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database, DeliveryTable } from "./tables.ts";

/** One message to one webhook, and how its last attempt went. */
export interface Delivery {
  /** The `webhook-id` of the message, the same in every attempt. */
  readonly id: string;
  readonly webhookId: string;
  /** `null` for a test. */
  readonly eventId: string | null;
  readonly type: string;
  readonly payload: string;
  readonly status: DeliveryTable["status"];
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly lastAttempt: Attempt | null;
}

/** How an attempt went. */
export interface Attempt {
  readonly at: Date;
  readonly ms: number;
  /** `null` when there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, or why it is none. */
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly answer: string | null;
}

export type NewDelivery = Pick<Delivery, "id" | "webhookId" | "eventId" | "type" | "payload" | "createdAt">;

export async function insertDelivery(database: Database, delivery: NewDelivery): Promise<void> {
  await database
    .insertInto("delivery")
    .values({
      id: delivery.id,
      webhook_id: delivery.webhookId,
      event_id: delivery.eventId,
      type: delivery.type,
      payload: delivery.payload,
      status: "pending",
      attempts: 0,
      next_attempt_at: delivery.createdAt.getTime(),
      created_at: delivery.createdAt.getTime(),
    })
    .execute();
}

export async function findDelivery(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Delivery | undefined> {
  const row = await database
    .selectFrom("delivery")
    .innerJoin("webhook", "webhook.id", "delivery.webhook_id")
    .selectAll("delivery")
    .where("webhook.account_id", "=", accountId)
    .where("delivery.id", "=", id)
    .executeTakeFirst();
  return row && toDelivery(row);
}

export async function listDeliveries(
  database: Database,
  webhookId: string,
  { status, window }: { readonly status: Delivery["status"] | undefined; readonly window: Window },
): Promise<Slice<Delivery>> {
  let query = database.selectFrom("delivery").selectAll().where("webhook_id", "=", webhookId);
  if (status !== undefined) query = query.where("status", "=", status);
  return await readSlice(query, window, toDelivery);
}

/** Makes a delivery due at once, with the whole schedule before it again. */
export async function requeueDelivery(database: Database, id: string, now: Date): Promise<void> {
  await database
    .updateTable("delivery")
    .set({
      status: "pending",
      attempts: 0,
      next_attempt_at: now.getTime(),
      finished_at: null,
      lease: null,
      lease_until: null,
    })
    .where("id", "=", id)
    .execute();
}

/** Gives up what a webhook was still to get. */
export async function failPendingDeliveries(
  database: Database,
  webhookId: string,
  { error, now }: { readonly error: string; readonly now: Date },
): Promise<void> {
  await database
    .updateTable("delivery")
    .set({ status: "failed", finished_at: now.getTime(), last_error: error, lease: null, lease_until: null })
    .where("webhook_id", "=", webhookId)
    .where("status", "=", "pending")
    .execute();
}

export function toDelivery(row: Selectable<DeliveryTable>): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    type: row.type,
    payload: row.payload,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: new Date(row.next_attempt_at),
    createdAt: new Date(row.created_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
    lastAttempt: toAttempt(row),
  };
}

function toAttempt(row: Selectable<DeliveryTable>): Attempt | null {
  if (row.last_attempt_at === null) return null;
  return {
    at: new Date(row.last_attempt_at),
    ms: row.last_ms ?? 0,
    status: row.last_status,
    error: row.last_error,
    answer: row.last_answer,
  };
}

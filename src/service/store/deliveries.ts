import type { InMemory } from "../../contract/fields.ts";
import type { DeliveryRecord } from "../../contract/extension-records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database } from "./tables.ts";

/** How an attempt went: `status` is `null` without a response, `answer` is the beginning of the response. */
export type Attempt = NonNullable<InMemory<DeliveryRecord>["lastAttempt"]>;

/** One message to one webhook, and how its last attempt went. Its id is the `webhook-id` of every attempt. */
export interface Delivery extends Omit<InMemory<DeliveryRecord>, "nextAttemptAt"> {
  readonly nextAttemptAt: Date;
  readonly payload: string;
}

export interface DeliveryTable extends Omit<Delivery, "lastAttempt"> {
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
  readonly lastStatus: number | null;
  readonly lastMs: number | null;
  readonly lastError: string | null;
  readonly lastAnswer: string | null;
  readonly lastAttemptAt: Date | null;
}

export type NewDelivery = Pick<Delivery, "id" | "webhookId" | "eventId" | "type" | "payload" | "createdAt">;

export async function insertDelivery(database: Database, delivery: NewDelivery): Promise<void> {
  await database
    .insertInto("delivery")
    .values({ ...delivery, status: "pending", attempts: 0, nextAttemptAt: delivery.createdAt })
    .execute();
}

export async function findDelivery(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Delivery | undefined> {
  const row = await database
    .selectFrom("delivery")
    .innerJoin("webhook", "webhook.id", "delivery.webhookId")
    .selectAll("delivery")
    .where("webhook.accountId", "=", accountId)
    .where("delivery.id", "=", id)
    .executeTakeFirst();
  return row && toDelivery(row);
}

export async function listDeliveries(
  database: Database,
  webhookId: string,
  { status, window }: { readonly status: Delivery["status"] | undefined; readonly window: Window },
): Promise<Slice<Delivery>> {
  let query = database.selectFrom("delivery").selectAll().where("webhookId", "=", webhookId);
  if (status !== undefined) query = query.where("status", "=", status);
  const { items, next } = await readSlice(query, window);
  return { items: items.map(toDelivery), next };
}

/** Makes a delivery due at once, with the whole schedule before it again. */
export async function requeueDelivery(database: Database, id: string, now: Date): Promise<void> {
  await database
    .updateTable("delivery")
    .set({
      status: "pending",
      attempts: 0,
      nextAttemptAt: now,
      finishedAt: null,
      lease: null,
      leaseUntil: null,
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
    .set({ status: "failed", finishedAt: now, lastError: error, lease: null, leaseUntil: null })
    .where("webhookId", "=", webhookId)
    .where("status", "=", "pending")
    .execute();
}

export function toDelivery(row: DeliveryTable): Delivery {
  const { lastAttemptAt, lastMs, lastStatus, lastError, lastAnswer, ...delivery } = row;
  if (lastAttemptAt === null) return { ...delivery, lastAttempt: null };
  const lastAttempt = { at: lastAttemptAt, ms: lastMs ?? 0, status: lastStatus, error: lastError, answer: lastAnswer };
  return { ...delivery, lastAttempt };
}

import { sql } from "kysely";
import type { DeliveryRecord, EventRecord, EventType, WebhookRecord } from "../../contract/extension-records.ts";
import type { InMemory } from "../../contract/fields.ts";
import { listAccounts } from "./accounts.ts";
import { createStatement, parametersFor, textsIn } from "./database.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { claimDue, createList, endClaim, isFree, type Claim, type ClaimRequest } from "./rows.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

export interface Webhook extends InMemory<Omit<WebhookRecord, "enabled" | "secret">> {
  readonly accountId: string;
  readonly secret: string;
  /** The secret before the last rotation, which also signs for a while. */
  readonly oldSecret: string | null;
}

export const listWebhooks = createList("webhook");

/** Searches webhooks. */
export async function findWebhooks(
  database: Database,
  accountId: string,
  sought: Sought,
): Promise<SortedSlice<Webhook>> {
  const query = database.selectFrom("webhook").selectAll().where("accountId", "=", accountId);
  return await readSought(database, query, { ...sought, columns: ["url", "description"] });
}

/** Lists the ids of enabled webhooks that subscribe to an event type. */
export async function listListeners(
  database: Database,
  accountId: string,
  type: EventType,
): Promise<readonly string[]> {
  const rows = await selectListeners(database, { accountId });
  return rows.filter(({ events }) => events.includes(type)).map(({ id }) => id);
}

const selectListeners = createStatement<{ readonly accountId: string }>()((database, parameter) =>
  database
    .selectFrom("webhook")
    .select(["id", "events"])
    .where("accountId", "=", parameter("accountId"))
    .where("disabledReason", "is", null),
);

/** Records that a webhook accepted a delivery. */
export async function noteWebhookSuccess(database: Database, id: string): Promise<void> {
  await database
    .updateTable("webhook")
    .set({ failingSince: null })
    .where("id", "=", id)
    .where("failingSince", "is not", null)
    .execute();
}

/** Records that a webhook failed. Returns the time since which it has been failing. */
export async function noteWebhookFailure(database: Database, id: string, at: Date): Promise<Date> {
  const row = await database
    .updateTable("webhook")
    .set({ failingSince: sql<Date>`coalesce(failing_since, ${at})` })
    .where("id", "=", id)
    .returning("failingSince")
    .executeTakeFirst();
  return row?.failingSince ?? at;
}

export interface StoredEvent extends InMemory<EventRecord> {
  readonly accountId: string;
  /** Id of the event's record. */
  readonly subject: string;
}

export const insertEvent = createStatement<StoredEvent>()((database, parameter) =>
  database
    .insertInto("event")
    .values(parametersFor(parameter, ["id", "accountId", "type", "subject", "data", "createdAt"])),
);

export async function listEvents(
  database: Database,
  accountId: string,
  { type, subject, window }: Partial<Pick<StoredEvent, "type" | "subject">> & { readonly window: Window },
): Promise<Slice<StoredEvent>> {
  let query = database.selectFrom("event").selectAll().where("accountId", "=", accountId);
  if (type !== undefined) query = query.where("type", "=", type);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  return await readSlice(query, window);
}

/** Result of an attempt: `status` is `null` without a response, `answer` is the beginning of the response. */
export type Attempt = NonNullable<InMemory<DeliveryRecord>["lastAttempt"]>;

/** A message to a webhook and its last attempt. Its id is the `webhook-id` of every attempt. */
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

/** Cancels a webhook's pending deliveries. */
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

/** Lists the ids of webhooks with due deliveries. */
export async function listDueWebhooks(database: Database, now: Date): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("delivery")
    .select("webhookId")
    .distinct()
    .where("status", "=", "pending")
    .where("nextAttemptAt", "<=", now)
    .where(isFree(now))
    .execute();
  return rows.map((row) => row.webhookId);
}

/** Claims the webhook delivery that has been due longest. */
export async function claimDelivery(
  database: Database,
  webhookId: string,
  request: ClaimRequest,
): Promise<Delivery | undefined> {
  const where = sql`webhook_id = ${webhookId} and status = ${"pending"}`;
  const row = await claimDue(database, "delivery", { ...request, where });
  return row && toDelivery(row);
}

/** State of a delivery after an attempt. */
export type Verdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed" }
  | { readonly kind: "again"; readonly at: Date };

/** Records an attempt and ends the claim. Returns `false` if the claim was no longer valid. */
export async function finishAttempt(
  database: Database,
  claim: Claim,
  { attempt, verdict, now }: { readonly attempt: Attempt; readonly verdict: Verdict; readonly now: Date },
): Promise<boolean> {
  const set = {
    attempts: sql`attempts + 1`,
    lastAttemptAt: attempt.at,
    lastMs: attempt.ms,
    lastStatus: attempt.status,
    lastError: attempt.error,
    lastAnswer: attempt.answer,
    ...(verdict.kind === "again" ? { nextAttemptAt: verdict.at } : { status: verdict.kind, finishedAt: now }),
  };
  return (await endClaim(database, "delivery", { claim, set })) !== undefined;
}

/** Deletes deliveries that finished before a time, and older events without deliveries. */
export async function forgetHistory(slices: Slices, before: Date): Promise<void> {
  await deleteInSlices(slices, "delivery", { key: ["id"], where: sql`finished_at < ${before}` });
  for (const accountId of await listAccounts(slices.database)) await forgetEvents(slices, { accountId, before });
}

async function forgetEvents(
  slices: Slices,
  { accountId, before }: { readonly accountId: string; readonly before: Date },
): Promise<void> {
  let after = { createdAt: new Date(0), id: "" };
  await slices.run(async (transaction, rows) => {
    const events = await transaction
      .selectFrom("event")
      .select(["createdAt", "id"])
      .where("accountId", "=", accountId)
      .where("createdAt", "<", before)
      .where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`)
      .orderBy("createdAt")
      .orderBy("id")
      .limit(rows)
      .execute();
    const ids = textsIn(
      transaction,
      events.map(({ id }) => id),
    );
    await sql`delete from event where id in ${ids}
      and not exists (select 1 from delivery where delivery.event_id = event.id)`.execute(transaction);
    after = events.at(-1) ?? after;
    return events.length === rows;
  });
}

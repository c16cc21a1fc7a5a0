import { sql } from "kysely";
import type { DeliveryRecord, EventRecord, EventType, WebhookRecord } from "../../contract/extension-records.ts";
import type { InMemory } from "../../contract/fields.ts";
import { listAccounts } from "./accounts.ts";
import { textsIn } from "./database.ts";
import { readSlice, type Slice, type Window, readSought, type Sought } from "./keyset.ts";
import {
  claimDue,
  endClaim,
  isFree,
  type Claim,
  type ClaimRequest,
  selectRows,
  listRows,
  given,
  updateRows,
} from "./rows.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

export interface Webhook extends InMemory<Omit<WebhookRecord, "enabled" | "secret">> {
  readonly accountId: string;
  readonly secret: string;
  /** The secret before the last rotation, which also signs for a while. */
  readonly oldSecret: string | null;
}

export async function listWebhooks(database: Database, accountId: string, sought: Sought): Promise<Slice<Webhook>> {
  const query = selectRows(database, "webhook", { accountId }).selectAll();
  return await readSought(database, query, { ...sought, columns: ["url", "description"] });
}

/** Lists the ids of enabled webhooks that subscribe to an event type. */
export async function listListeners(database: Database, accountId: string, type: EventType) {
  const rows = await listRows(database, "webhook", { accountId, disabledReason: null });
  return rows.filter(({ events }) => events.includes(type)).map(({ id }) => id);
}

/** Records that a webhook accepted a delivery. */
export async function recordWebhookSuccess(database: Database, id: string): Promise<void> {
  await sql`update webhook set failing_since = null where id = ${id} and failing_since is not null`.execute(database);
}

/** Records that a webhook failed. Returns the time since which it has been failing. */
export async function recordWebhookFailure(database: Database, id: string, at: Date): Promise<Date> {
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

export async function listEvents(
  database: Database,
  accountId: string,
  { window, ...equal }: Partial<Pick<StoredEvent, "type" | "subject">> & { readonly window: Window },
): Promise<Slice<StoredEvent>> {
  return await readSlice(selectRows(database, "event", { accountId, ...given(equal) }).selectAll(), window);
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
  const query = selectRows(database, "delivery", { webhookId, ...given({ status }) }).selectAll();
  const { items, next } = await readSlice(query, window);
  return { items: items.map(toDelivery), next };
}

export async function failPendingDeliveries(
  database: Database,
  webhookId: string,
  { error, now }: { readonly error: string; readonly now: Date },
): Promise<void> {
  const set = { status: "failed", finishedAt: now, lastError: error, lease: null, leaseUntil: null } as const;
  await updateRows(database, "delivery", { match: { webhookId, status: "pending" }, set });
}

export function toDelivery(row: DeliveryTable): Delivery {
  const { lastAttemptAt, lastMs, lastStatus, lastError, lastAnswer, ...delivery } = row;
  if (lastAttemptAt === null) return { ...delivery, lastAttempt: null };
  const lastAttempt = { at: lastAttemptAt, ms: lastMs ?? 0, status: lastStatus, error: lastError, answer: lastAnswer };
  return { ...delivery, lastAttempt };
}

/** Lists the ids of webhooks with due deliveries. */
export async function listDueWebhooks(database: Database, now: Date): Promise<readonly string[]> {
  const pending = selectRows(database, "delivery", { status: "pending" }).select("webhookId").distinct();
  const rows = await pending.where("nextAttemptAt", "<=", now).where(isFree(now)).execute();
  return rows.map((row) => row.webhookId);
}

/** Claims the webhook delivery that has been due longest. */
export async function claimDelivery(database: Database, webhookId: string, request: ClaimRequest) {
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

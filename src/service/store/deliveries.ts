import { type RawBuilder, sql } from "kysely";
import type { DeliveryRecord } from "../../contract/extension-records.ts";
import type { InMemory } from "../../contract/fields.ts";
import { isPostgres } from "./database.ts";
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

// What the sender of webhooks asks for. A delivery is claimed by a lease, so that several processes on one database
// never send it at the same time, and that one whose process died is sent by another when the lease is over.

export interface Lease {
  /** Names the claim: what comes of it is written only while it is in force. */
  readonly token: string;
  readonly until: Date;
}

/** Ids of the webhooks that something is due for. */
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

export interface ClaimRequest {
  readonly webhookId: string;
  readonly now: Date;
  readonly lease: Lease;
}

/** Claims the delivery of a webhook that is due longest. */
export async function claimDelivery(
  database: Database,
  { webhookId, now, lease }: ClaimRequest,
): Promise<Delivery | undefined> {
  const row = await database
    .updateTable("delivery")
    .set({ lease: lease.token, leaseUntil: lease.until })
    // Not `in`, whose rows PostgreSQL may look up once more for each delivery, and then claims several.
    .where("id", "=", (build) =>
      build
        .selectFrom("delivery")
        .select("id")
        .where("webhookId", "=", webhookId)
        .where("status", "=", "pending")
        .where("nextAttemptAt", "<=", now)
        .where(isFree(now))
        .orderBy("nextAttemptAt")
        .limit(1)
        // Other processes take the next one instead of waiting for this.
        .$if(isPostgres(database), (query) => query.forUpdate().skipLocked()),
    )
    // Once more for databases that look at the rows again after they waited for another process.
    .where(isFree(now))
    .returningAll()
    .executeTakeFirst();
  return row && toDelivery(row);
}

/** What becomes of a delivery after an attempt. */
export type Verdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed" }
  | { readonly kind: "again"; readonly at: Date };

export interface Claim {
  readonly id: string;
  readonly token: string;
}

/** Notes an attempt and ends the claim; answers `false` when the claim was not in force any more. */
export async function finishAttempt(
  database: Database,
  { id, token }: Claim,
  { attempt, verdict, now }: { readonly attempt: Attempt; readonly verdict: Verdict; readonly now: Date },
): Promise<boolean> {
  const result = await database
    .updateTable("delivery")
    .set((build) => ({
      attempts: build("attempts", "+", 1),
      lease: null,
      leaseUntil: null,
      lastAttemptAt: attempt.at,
      lastMs: attempt.ms,
      lastStatus: attempt.status,
      lastError: attempt.error,
      lastAnswer: attempt.answer,
      ...(verdict.kind === "again" ? { nextAttemptAt: verdict.at } : { status: verdict.kind, finishedAt: now }),
    }))
    .where("id", "=", id)
    .where("lease", "=", token)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Gives back what was claimed and not sent. */
export async function releaseClaim(database: Database, { id, token }: Claim): Promise<void> {
  await database
    .updateTable("delivery")
    .set({ lease: null, leaseUntil: null })
    .where("id", "=", id)
    .where("lease", "=", token)
    .where("status", "=", "pending")
    .execute();
}

/** Forgets deliveries that were over before this time, and older events of which no delivery is left. */
export async function forgetHistory(database: Database, before: Date): Promise<void> {
  await database.deleteFrom("delivery").where("finishedAt", "is not", null).where("finishedAt", "<", before).execute();
  await database
    .deleteFrom("event")
    .where("createdAt", "<", before)
    .where((build) =>
      build.not(
        build.exists(build.selectFrom("delivery").select("delivery.id").whereRef("delivery.eventId", "=", "event.id")),
      ),
    )
    .execute();
}

function isFree(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(lease_until is null or lease_until <= ${now})`;
}

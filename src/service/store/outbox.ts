import { sql, type RawBuilder } from "kysely";
import { toDelivery, type Attempt, type Delivery } from "./deliveries.ts";
import { isPostgres } from "./dialect.ts";
import type { Database } from "./tables.ts";

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

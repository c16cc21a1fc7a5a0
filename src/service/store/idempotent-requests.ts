import { sql } from "kysely";
import type { Database } from "./tables.ts";

export interface RequestKey {
  readonly accountId: string;
  readonly route: string;
  readonly key: string;
}

export interface KeptRequest {
  readonly fingerprint: string;
  readonly createdAt: Date;
  /** The answer as JSON; `null` while the request runs. */
  readonly answer: string | null;
}

interface NewRequest {
  readonly fingerprint: string;
  readonly createdAt: Date;
}

/** Notes that a request runs; answers `undefined`, or what is kept of an earlier request with this key. */
export async function claimRequest(
  database: Database,
  key: RequestKey,
  request: NewRequest,
): Promise<KeptRequest | undefined> {
  for (;;) {
    if (await insertRequest(database, key, request)) return undefined;
    const kept = await findRequest(database, key);
    // The earlier one may have ended without an answer to keep just now, and this one can be claimed.
    if (kept !== undefined) return kept;
  }
}

async function insertRequest(
  database: Database,
  { accountId, route, key }: RequestKey,
  { fingerprint, createdAt }: NewRequest,
): Promise<boolean> {
  const inserted = await database
    .insertInto("idempotentRequest")
    .values({ accountId, route, key, fingerprint, createdAt, answer: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

async function findRequest(
  database: Database,
  { accountId, route, key }: RequestKey,
): Promise<KeptRequest | undefined> {
  return await database
    .selectFrom("idempotentRequest")
    .select(["fingerprint", "createdAt", "answer"])
    .where("accountId", "=", accountId)
    .where("route", "=", route)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** Keeps the answer of a request until its time is over or one of the records that it names is deleted. */
export async function keepAnswer(
  database: Database,
  { accountId, route, key }: RequestKey,
  { answer, recordIds }: { readonly answer: string; readonly recordIds: readonly string[] },
): Promise<void> {
  const kept = await database
    .updateTable("idempotentRequest")
    .set({ answer })
    .where("accountId", "=", accountId)
    .where("route", "=", route)
    .where("key", "=", key)
    .executeTakeFirst();
  // One that ran for too long is forgotten already.
  if (kept.numUpdatedRows === 0n || recordIds.length === 0) return;
  await database
    .insertInto("idempotentRecord")
    .values(recordIds.map((id) => ({ recordId: id, accountId, route, key })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Forgets the kept answers that name a record. Whatever deletes a record calls this in the same transaction: a repeated
 * request would otherwise be answered with a record that is gone.
 */
export async function forgetAnswersNaming(database: Database, recordId: string): Promise<void> {
  await sql`delete from idempotent_request where (account_id, route, key) in (
    select account_id, route, key from idempotent_record where record_id = ${recordId}
  )`.execute(database);
}

/**
 * Forgets a request that has no answer. One that has one stays: its change is stored, also where a commit succeeded and
 * the connection broke before it could say so.
 */
export async function releaseRequest(database: Database, { accountId, route, key }: RequestKey): Promise<void> {
  await database
    .deleteFrom("idempotentRequest")
    .where("accountId", "=", accountId)
    .where("route", "=", route)
    .where("key", "=", key)
    .where("answer", "is", null)
    .execute();
}

/** From when on requests with a key are remembered. */
export interface RequestDeadlines {
  /** Requests that were answered and came before this are forgotten. */
  readonly answered: Date;
  /** Requests that never ended and came before this are forgotten. */
  readonly running: Date;
}

/** Forgets requests whose time is over: all of them, or only one with this key. */
export async function forgetRequests(
  database: Database,
  deadlines: RequestDeadlines,
  only?: RequestKey,
): Promise<void> {
  const { answered, running } = deadlines;
  let query = database
    .deleteFrom("idempotentRequest")
    .where((build) =>
      build.or([
        build("createdAt", "<", answered),
        build.and([build("answer", "is", null), build("createdAt", "<", running)]),
      ]),
    );
  if (only !== undefined) {
    query = query.where("accountId", "=", only.accountId).where("route", "=", only.route).where("key", "=", only.key);
  }
  await query.execute();
}

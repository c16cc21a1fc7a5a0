import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { RequestOutcome, RequestRecord } from "../../contract/requests.ts";
import type { RouteSetName } from "../../contract/route.ts";
import { listAccounts } from "./accounts.ts";
import { likePattern } from "./database.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { deleteRows, findRow, insertNewRows, matching, updateRows } from "./rows.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

/** A request to the API and how it was answered. */
export interface LoggedRequest extends InMemory<RequestRecord> {
  readonly accountId: string;
}

/** Which requests to list; absent: all. */
export interface RequestFilter {
  readonly outcome?: RequestOutcome | undefined;
  readonly method?: string | undefined;
  readonly routeSet?: RouteSetName | undefined;
  readonly operation?: string | undefined;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** What the path contains. */
  readonly path?: string | undefined;
}

/** Lists the requests of an account, newest first. */
export async function listLoggedRequests(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: RequestFilter; readonly window: Window },
): Promise<Slice<LoggedRequest>> {
  return await readSlice(selectRequests(database, accountId, filter), window);
}

/** Requests that a person looks for, by anything that the log says of them. */
export async function findLoggedRequests(
  database: Database,
  accountId: string,
  { filter, ...sought }: Sought & { readonly filter: RequestFilter },
): Promise<SortedSlice<LoggedRequest>> {
  const columns = ["path", "requestId", "operation", "problem"];
  return await readSought(database, selectRequests(database, accountId, filter), { ...sought, columns });
}

function selectRequests(database: Database, accountId: string, { outcome, path, ...equal }: RequestFilter) {
  let query = database.selectFrom("requestLog").selectAll().where("accountId", "=", accountId);
  if (outcome === "success") query = query.where((build) => build.between("status", 200, 399));
  if (outcome === "problem") query = query.where((build) => build.not(build.between("status", 200, 399)));
  for (const column of ["method", "routeSet", "operation", "keyId", "requestId"] as const) {
    const value = equal[column];
    if (value !== undefined) query = query.where(column, "=", value);
  }
  if (path !== undefined) query = query.where(sql<boolean>`lower(path) like ${likePattern(path)} escape '\\'`);
  return query;
}

/** Stores requests; those that are stored already stay as they are, so that it can be tried again after an outage. */
export async function insertLoggedRequests(database: Database, requests: readonly LoggedRequest[]): Promise<void> {
  await insertNewRows(database, "requestLog", requests);
}

/** Forgets what was asked before a time, and of the rest of each account all but the newest. */
export async function forgetLoggedRequests(
  slices: Slices,
  { before, keep }: { readonly before: Date | undefined; readonly keep: number },
): Promise<void> {
  const key = ["id"];
  for (const accountId of await listAccounts(slices.database)) {
    const own = sql`account_id = ${accountId}`;
    if (before !== undefined) {
      await deleteInSlices(slices, "requestLog", { key, where: sql`${own} and created_at < ${before}` });
    }
    const oldest = await slices.database
      .selectFrom("requestLog")
      .select("createdAt")
      .where("accountId", "=", accountId)
      .orderBy("createdAt", "desc")
      .offset(keep)
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) continue;
    await deleteInSlices(slices, "requestLog", { key, where: sql`${own} and created_at <= ${oldest.createdAt}` });
  }
}

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

type NewRequest = Omit<KeptRequest, "answer">;

/** Notes that a request runs; answers `undefined`, or what is kept of an earlier request with this key. */
export async function claimRequest(
  database: Database,
  key: RequestKey,
  request: NewRequest,
): Promise<KeptRequest | undefined> {
  for (;;) {
    if (await insertRequest(database, key, request)) return undefined;
    const kept = await findRow(database, "idempotentRequest", key);
    // The earlier one may have ended without an answer to keep just now, and this one can be claimed.
    if (kept !== undefined) return kept;
  }
}

async function insertRequest(database: Database, key: RequestKey, request: NewRequest): Promise<boolean> {
  const inserted = await database
    .insertInto("idempotentRequest")
    .values({ ...key, ...request, answer: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Keeps the answer of a request until its time is over or one of the records that it names is deleted. */
export async function keepAnswer(
  database: Database,
  key: RequestKey,
  { answer, recordIds }: { readonly answer: string; readonly recordIds: readonly string[] },
): Promise<void> {
  const isKept = await updateRows(database, "idempotentRequest", { match: key, set: { answer } });
  // One that ran for too long is forgotten already.
  if (!isKept || recordIds.length === 0) return;
  await database
    .insertInto("idempotentRecord")
    .values(recordIds.map((id) => ({ ...key, recordId: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Forgets a request that has no answer. One that has one stays: its change is stored, also where a commit succeeded and
 * the connection broke before it could say so.
 */
export async function releaseRequest(database: Database, key: RequestKey): Promise<void> {
  await deleteRows(database, "idempotentRequest", { ...key, answer: null });
}

/** From when on requests with a key are remembered. */
export interface RequestDeadlines {
  /** Requests that were answered and came before this are forgotten. */
  readonly answered: Date;
  /** Requests that never ended and came before this are forgotten. */
  readonly running: Date;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
// A request that ran longer than the server allows was cut off with its process.
const RUNNING_MS = 2 * 60 * 1000;

/** The deadlines at a time. */
export function idempotencyDeadlines(now: Date): RequestDeadlines {
  return { answered: new Date(now.getTime() - KEPT_MS), running: new Date(now.getTime() - RUNNING_MS) };
}

function isOver({ answered, running }: RequestDeadlines) {
  return sql<boolean>`(created_at < ${answered} or (answer is null and created_at < ${running}))`;
}

/** Forgets the request with a key if its time is over. */
export async function forgetRequest(database: Database, key: RequestKey, deadlines: RequestDeadlines): Promise<void> {
  await database.deleteFrom("idempotentRequest").where(matching(key)).where(isOver(deadlines)).execute();
}

/** Forgets all requests whose time is over. */
export async function forgetRequests(slices: Slices, deadlines: RequestDeadlines): Promise<void> {
  const key = ["accountId", "route", "key"];
  await deleteInSlices(slices, "idempotentRequest", { key, where: isOver(deadlines) });
}

/** How many requests came in the window that is open. */
export interface RateWindow {
  readonly requests: number;
  /** When it ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Counts a request of a caller in the window that is open, or in a new one. */
export async function countRequest(
  database: Database,
  caller: string,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<RateWindow> {
  const endsAt = new Date(now + windowMs);
  // One that began much later than now was opened by a clock that was wrong. A little later is right: another process read
  // the time after this one did, and was quicker.
  const latest = new Date(now + 2 * windowMs);
  const isOpen = sql<boolean>`rate_window.ends_at > ${now} and rate_window.ends_at <= ${latest}`;
  const window = await database
    .insertInto("rateWindow")
    .values({ caller, endsAt, requests: 1 })
    .onConflict((conflict) =>
      conflict.column("caller").doUpdateSet({
        requests: sql`case when ${isOpen} then rate_window.requests + 1 else 1 end`,
        endsAt: sql`case when ${isOpen} then rate_window.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(["requests", "endsAt"])
    .executeTakeFirstOrThrow();
  return { requests: window.requests, endsAt: window.endsAt.getTime() };
}

export async function forgetRateWindows(slices: Slices, now: Date): Promise<void> {
  await deleteInSlices(slices, "rateWindow", { key: ["caller"], where: sql`ends_at <= ${now}` });
}

import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { RequestOutcome, RequestRecord } from "../../contract/requests.ts";
import type { RouteSetName } from "../../contract/route.ts";
import { listAccounts } from "./accounts.ts";
import { likePattern } from "./database.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { deleteRows, findRow, insertNewRows, matching, updateRows, selectRows, given } from "./rows.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

/** A request to the API and its outcome. */
export interface LoggedRequest extends InMemory<RequestRecord> {
  readonly accountId: string;
}

/** Which requests to list; default: all. */
export interface RequestFilter {
  readonly outcome?: RequestOutcome | undefined;
  readonly method?: string | undefined;
  readonly routeSet?: RouteSetName | undefined;
  readonly operation?: string | undefined;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
}

export async function listLoggedRequests(
  database: Database,
  accountId: string,
  { filter, ...sought }: Sought & { readonly filter: RequestFilter },
): Promise<Slice<LoggedRequest>> {
  const columns = ["path", "requestId", "operation", "problem"];
  return await readSought(database, selectRequests(database, accountId, filter), { ...sought, columns });
}

function selectRequests(database: Database, accountId: string, { outcome, path, ...equal }: RequestFilter) {
  let query = selectRows(database, "requestLog", { accountId, ...given(equal) }).selectAll();
  if (outcome === "success") query = query.where((build) => build.between("status", 200, 399));
  if (outcome === "problem") query = query.where((build) => build.not(build.between("status", 200, 399)));
  if (path !== undefined) query = query.where(sql<boolean>`lower(path) like ${likePattern(path)} escape '\\'`);
  return query;
}

/** Stores requests, skipping stored ones, so that it can be retried after an outage. */
export async function insertLoggedRequests(database: Database, requests: readonly LoggedRequest[]): Promise<void> {
  await insertNewRows(database, "requestLog", requests);
}

/** Deletes requests older than a time, and all but each account's newest `keep`. */
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
    const times = selectRows(slices.database, "requestLog", { accountId }).select("createdAt");
    const oldest = await times.orderBy("createdAt", "desc").offset(keep).limit(1).executeTakeFirst();
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
  /** The response as JSON; `null` while the request runs. */
  readonly answer: string | null;
}

type NewRequest = Omit<KeptRequest, "answer">;

/** Records that a request is running. Returns `undefined`, or the earlier request with this key. */
export async function claimRequest(
  database: Database,
  key: RequestKey,
  request: NewRequest,
): Promise<KeptRequest | undefined> {
  for (;;) {
    const row = { ...key, ...request, answer: null };
    if ((await insertNewRows(database, "idempotentRequest", [row])) > 0) return undefined;
    const kept = await findRow(database, "idempotentRequest", key);
    // The earlier request may have ended meanwhile without a stored response; then this one can be claimed.
    if (kept !== undefined) return kept;
  }
}

/** Stores a request's response until it expires or a record in it is deleted. */
export async function storeResponse(
  database: Database,
  key: RequestKey,
  { answer, recordIds }: { readonly answer: string; readonly recordIds: readonly string[] },
): Promise<void> {
  const isKept = await updateRows(database, "idempotentRequest", { match: key, set: { answer } });
  // A request that ran for too long was deleted already.
  if (!isKept || recordIds.length === 0) return;
  const rows = recordIds.map((recordId) => ({ ...key, recordId }));
  await insertNewRows(database, "idempotentRecord", rows);
}

/**
 * Deletes a request without a response. One with a response stays: its change is stored, even if the commit succeeded
 * and the connection broke before confirming it.
 */
export async function releaseRequest(database: Database, key: RequestKey): Promise<void> {
  await deleteRows(database, "idempotentRequest", { ...key, answer: null });
}

/** Age limits of requests with idempotency keys. */
export interface RequestDeadlines {
  /** Completed requests older than this are deleted. */
  readonly answered: Date;
  /** Incomplete requests older than this are deleted. */
  readonly running: Date;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
// The server's time limit ended a request that ran longer.
const RUNNING_MS = 2 * 60 * 1000;

/** Returns the age limits at a time. */
export function idempotencyDeadlines(now: Date): RequestDeadlines {
  return { answered: new Date(now.getTime() - KEPT_MS), running: new Date(now.getTime() - RUNNING_MS) };
}

function isOver({ answered, running }: RequestDeadlines) {
  return sql<boolean>`(created_at < ${answered} or (answer is null and created_at < ${running}))`;
}

/** Deletes the request with a key if it has expired. */
export async function forgetRequest(database: Database, key: RequestKey, deadlines: RequestDeadlines): Promise<void> {
  await database.deleteFrom("idempotentRequest").where(matching(key)).where(isOver(deadlines)).execute();
}

/** Deletes all expired requests. */
export async function forgetRequests(slices: Slices, deadlines: RequestDeadlines): Promise<void> {
  const key = ["accountId", "route", "key"];
  await deleteInSlices(slices, "idempotentRequest", { key, where: isOver(deadlines) });
}

/** Number of requests in the current window. */
export interface RateWindow {
  readonly requests: number;
  /** When it ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

export async function countRequest(
  database: Database,
  caller: string,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<RateWindow> {
  const endsAt = new Date(now + windowMs);
  // A window that starts much later than now comes from a wrong clock. A slightly later one is valid: another process
  // read the time later and wrote first.
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

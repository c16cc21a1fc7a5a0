import { sql } from "kysely";
import type { RouteSetName } from "../../contract/route.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { likePattern } from "./like.ts";
import type { Database } from "./tables.ts";

/** A request to the API and how it was answered. */
export interface LoggedRequest {
  readonly id: string;
  readonly accountId: string;
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly routeSet: RouteSetName | null;
  /** The operation of the contract; `null` for unknown routes and what is no API. */
  readonly operation: string | null;
  /** 0 when no answer was sent. */
  readonly status: number;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  /** The key or session that asked; `null` when there was none. */
  readonly keyId: string | null;
  /** The code of the problem that was answered; `null` for a success. */
  readonly problem: string | null;
  readonly warnings: readonly string[];
  readonly createdAt: Date;
}

/** Which requests to list; absent: all. */
export interface RequestFilter {
  readonly outcome?: "success" | "problem" | undefined;
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
  const { outcome, path } = filter;
  let query = database.selectFrom("requestLog").selectAll().where("accountId", "=", accountId);
  if (outcome === "success") query = query.where((build) => build.between("status", 200, 399));
  if (outcome === "problem") query = query.where((build) => build.not(build.between("status", 200, 399)));
  for (const [column, value] of equalities(filter)) query = query.where(column, "=", value);
  if (path !== undefined) query = query.where(sql<boolean>`lower(path) like ${likePattern(path)} escape '\\'`);
  return await readSlice(query, window);
}

/** Stores requests; those that are stored already stay as they are, so that it can be tried again after an outage. */
export async function insertLoggedRequests(database: Database, requests: readonly LoggedRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await database
    .insertInto("requestLog")
    .values(requests)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Forgets what was asked before a time, and of the rest all but the newest. */
export async function forgetLoggedRequests(
  database: Database,
  { before, keep }: { readonly before: Date | undefined; readonly keep: number },
): Promise<void> {
  if (before !== undefined) {
    await database.deleteFrom("requestLog").where("createdAt", "<", before).execute();
  }
  const oldest = await database
    .selectFrom("requestLog")
    .select("createdAt")
    .orderBy("createdAt", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await database.deleteFrom("requestLog").where("createdAt", "<=", oldest.createdAt).execute();
}

function equalities({ method, routeSet, operation, keyId, requestId }: RequestFilter) {
  const pairs = [
    ["method", method],
    ["routeSet", routeSet],
    ["operation", operation],
    ["keyId", keyId],
    ["requestId", requestId],
  ] as const;
  return pairs.flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]));
}

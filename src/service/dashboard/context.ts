import type { Context as HonoContext, Hono } from "hono";
import type { Person } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type Context, inTransaction } from "../resources/context.ts";
import type { Window } from "../store/keyset.ts";
import { isAllowed } from "./paths.ts";
import { ProblemError } from "../http/problem.ts";
import { listSites } from "../store/sites.ts";

export interface DashboardEnv {
  readonly Bindings: RequestContext;
  /** Available to every page as `context.var`. */
  readonly Variables: {
    readonly core: Core;
    readonly person: Person;
    /** The account's records, outside a transaction. */
    readonly records: Context;
    /** Runs first in each transaction of the request, with its records. Throws if the request may no longer write. */
    readonly precondition?: () => Promise<void>;
  };
}

export type DashboardApp = Hono<DashboardEnv>;
export type DashboardContext = HonoContext<DashboardEnv>;

/** Returns a route parameter; empty if the route doesn't have it. */
export function paramOf({ req }: DashboardContext, name: string): string {
  return req.param(name) ?? "";
}

/** Throws `insufficient_scope` unless the user may view the page or change something there. */
export function checkRight({ req, var: { person } }: DashboardContext, wish: "reads" | "writes"): void {
  if (isAllowed(person.scopes, req.path, wish)) return;
  const detail = `Your role in this service is ${person.role}, which doesn't include this. An owner can change your role.`;
  throw new ProblemError("insufficient_scope", { detail });
}

/** Runs a change in one transaction, like the routes of the API. */
export async function write<Result>(
  context: DashboardContext,
  change: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { records, precondition } = context.var;
  return await inTransaction(records, async (transaction) => {
    if (precondition !== undefined) {
      context.set("records", transaction);
      await precondition().finally(() => context.set("records", records));
    }
    return await change(transaction);
  });
}

/** Returns a window of the newest records, for pages without paging. */
export function newest(limit: number): { readonly window: Window } {
  return { window: { limit } };
}

/** Returns the names of the account's sites by id, newest first. */
export async function readSiteNames({ var: { records } }: DashboardContext): Promise<ReadonlyMap<string, string>> {
  const { items } = await listSites(records.database, records.accountId, newest(records.limits.maxSites));
  return new Map(items.map(({ id, name }) => [id, name]));
}

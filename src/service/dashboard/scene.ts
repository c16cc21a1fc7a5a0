import type { Context as HonoContext, Hono } from "hono";
import type { Person } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type Context, inTransaction } from "../resources/context.ts";

/** What every page of the dashboard has at hand, by `context.var`. */
export interface Scene {
  readonly core: Core;
  readonly person: Person;
  /** The account's records, outside of a transaction. */
  readonly records: Context;
}

export interface DashboardEnv {
  readonly Bindings: RequestContext;
  readonly Variables: { readonly scene: Scene };
}

export type DashboardApp = Hono<DashboardEnv>;
export type DashboardContext = HonoContext<DashboardEnv>;

/** Runs a change of records in one transaction, as the routes of the API do. */
export async function write<Result>(
  { records }: Scene,
  change: (context: Context) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(records, change);
}

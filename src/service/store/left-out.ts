import { sql } from "kysely";
import type { Span } from "./analytics.ts";
import type { Database } from "./tables.ts";

/**
 * Why a view isn't counted: it comes from someone signed in to the dashboard or from a program, or the page is a
 * preview.
 */
export type LeftOutReason = "own" | "bot" | "preview";

export interface LeftOut {
  readonly accountId: string;
  /** Empty for pages without a site. */
  readonly siteId: string;
  readonly day: number;
  readonly reason: LeftOutReason;
}

export async function addLeftOut(database: Database, key: LeftOut): Promise<void> {
  await database
    .insertInto("leftOutDay")
    .values({ ...key, views: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["accountId", "day", "siteId", "reason"])
        .doUpdateSet({ views: sql<number>`left_out_day.views + 1` }),
    )
    .execute();
}

/** Counts uncounted views by reason, for one site or all pages. */
export async function readLeftOut(
  database: Database,
  { accountId, siteId, span }: { readonly accountId: string; readonly siteId: string | undefined; readonly span: Span },
): Promise<ReadonlyMap<LeftOutReason, number>> {
  let query = database
    .selectFrom("leftOutDay")
    .select(({ fn }) => ["reason", fn.sum<number>("views").as("views")])
    .where("accountId", "=", accountId)
    .where("day", ">=", span.from)
    .where("day", "<", span.until)
    .groupBy("reason");
  if (siteId !== undefined) query = query.where("siteId", "=", siteId);
  return new Map((await query.execute()).map(({ reason, views }) => [reason, views]));
}

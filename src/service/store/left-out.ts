import type { Span } from "./analytics.ts";
import type { Database } from "./tables.ts";
import { addNumbers } from "./visit-counts.ts";
import { selectRows, given } from "./rows.ts";

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
  await addNumbers(database, "leftOutDay", { key, numbers: { views: 1 } });
}

/** Counts uncounted views by reason, for one site or all pages. */
export async function readLeftOut(
  database: Database,
  { accountId, siteId, span }: { readonly accountId: string; readonly siteId: string | undefined; readonly span: Span },
): Promise<ReadonlyMap<LeftOutReason, number>> {
  const rows = await selectRows(database, "leftOutDay", { accountId, ...given({ siteId }) })
    .select(({ fn }) => ["reason", fn.sum<number>("views").as("views")])
    .where("day", ">=", span.from)
    .where("day", "<", span.until)
    .groupBy("reason")
    .execute();
  return new Map(rows.map(({ reason, views }) => [reason, views]));
}

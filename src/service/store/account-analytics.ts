import { sql, type RawBuilder } from "kysely";
import type { Span } from "./page-analytics.ts";
import type { Database } from "./tables.ts";

/** All pages of an account, or those of one of its sites. */
export interface PagesScope {
  readonly accountId: string;
  readonly siteId: string | undefined;
}

/** Views by hour and kind of device. */
export async function readScopeHours(
  database: Database,
  scope: PagesScope,
  { from, until }: Span,
): Promise<readonly { readonly hour: number; readonly device: string; readonly views: number }[]> {
  const rows = await database
    .selectFrom("viewHour")
    .innerJoin("page", "page.id", "viewHour.pageId")
    .select(({ fn }) => ["viewHour.hour", "viewHour.device", fn.sum<number>("viewHour.views").as("views")])
    .where("page.accountId", "=", scope.accountId)
    .where(ofSite(scope))
    .where("viewHour.hour", ">=", from)
    .where("viewHour.hour", "<", until)
    .groupBy(["viewHour.hour", "viewHour.device"])
    .execute();
  return rows.map((row) => ({ ...row, views: Number(row.views) }));
}

const MAX_REFERRERS = 20;

/** The hosts that visitors came from, the most frequent first. */
export async function readScopeReferrers(
  database: Database,
  scope: PagesScope,
  { from, until }: Span,
): Promise<readonly { readonly host: string; readonly views: number }[]> {
  const rows = await database
    .selectFrom("referrerDay")
    .innerJoin("page", "page.id", "referrerDay.pageId")
    .select(({ fn }) => ["referrerDay.host", fn.sum<number>("referrerDay.views").as("views")])
    .where("page.accountId", "=", scope.accountId)
    .where(ofSite(scope))
    .where("referrerDay.day", ">=", from)
    .where("referrerDay.day", "<", until)
    .groupBy("referrerDay.host")
    .orderBy("views", "desc")
    .orderBy("referrerDay.host")
    .limit(MAX_REFERRERS)
    .execute();
  return rows.map(({ host, views }) => ({ host, views: Number(views) }));
}

function ofSite({ siteId }: PagesScope): RawBuilder<boolean> {
  return siteId === undefined ? sql<boolean>`true` : sql<boolean>`page.site_id = ${siteId}`;
}

import { sql, type RawBuilder } from "kysely";
import type { Span } from "./page-stats.ts";
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
    .selectFrom("view_hour")
    .innerJoin("page", "page.id", "view_hour.page_id")
    .select(({ fn }) => ["view_hour.hour", "view_hour.device", fn.sum<number>("view_hour.views").as("views")])
    .where("page.account_id", "=", scope.accountId)
    .where(ofSite(scope))
    .where("view_hour.hour", ">=", from)
    .where("view_hour.hour", "<", until)
    .groupBy(["view_hour.hour", "view_hour.device"])
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
    .selectFrom("referrer_day")
    .innerJoin("page", "page.id", "referrer_day.page_id")
    .select(({ fn }) => ["referrer_day.host", fn.sum<number>("referrer_day.views").as("views")])
    .where("page.account_id", "=", scope.accountId)
    .where(ofSite(scope))
    .where("referrer_day.day", ">=", from)
    .where("referrer_day.day", "<", until)
    .groupBy("referrer_day.host")
    .orderBy("views", "desc")
    .orderBy("referrer_day.host")
    .limit(MAX_REFERRERS)
    .execute();
  return rows.map(({ host, views }) => ({ host, views: Number(views) }));
}

function ofSite({ siteId }: PagesScope): RawBuilder<boolean> {
  return siteId === undefined ? sql<boolean>`true` : sql<boolean>`page.site_id = ${siteId}`;
}

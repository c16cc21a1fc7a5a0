import { sql } from "kysely";
import { toSlice, type Slice, type Window } from "./keyset.ts";
import type { Span } from "./page-stats.ts";
import type { Database } from "./tables.ts";

/** What names a page beside its numbers. */
export interface PageName {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly createdAt: Date;
}

export interface PagesByViews {
  readonly siteId: string | undefined;
  readonly span: Span;
  readonly window: Window;
}

/** Pages with the most views first. The position in this list is a number of views, where that of others is a time. */
export async function listPagesByViews(
  database: Database,
  accountId: string,
  { siteId, span, window }: PagesByViews,
): Promise<Slice<PageName>> {
  const views = sql<number>`coalesce((select sum(views) from view_hour where view_hour.page_id = page.id and view_hour.hour >= ${span.from} and view_hour.hour < ${span.until}), 0)`;
  let ranked = database
    .selectFrom("page")
    .select(["id", "slug", "title", views.as("views")])
    .where("accountId", "=", accountId);
  if (siteId !== undefined) ranked = ranked.where("siteId", "=", siteId);
  let query = database.selectFrom(ranked.as("ranked")).selectAll();
  const { after } = window;
  if (after !== undefined) query = query.where(sql<boolean>`(views, id) < (${after.createdAt}, ${after.id})`);
  const rows = await query
    .orderBy("views", "desc")
    .orderBy("id", "desc")
    .limit(window.limit + 1)
    .execute();
  const ordered = rows.map(({ id, slug, title, views }) => ({ id, slug, title, createdAt: new Date(views) }));
  return toSlice(ordered, window.limit);
}

/** Views of a page by hour. */
export async function readViewHours(
  database: Database,
  pageId: string,
  { from, until }: Span,
): Promise<readonly { readonly hour: number; readonly views: number }[]> {
  return await database
    .selectFrom("viewHour")
    .select(({ fn }) => ["hour", fn.sum<number>("views").as("views")])
    .where("pageId", "=", pageId)
    .where("hour", ">=", from)
    .where("hour", "<", until)
    .groupBy("hour")
    .execute();
}

export async function readDevices(
  database: Database,
  pageId: string,
  { from, until }: Span,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom("viewHour")
    .select(({ fn }) => ["device", fn.sum<number>("views").as("views")])
    .where("pageId", "=", pageId)
    .where("hour", ">=", from)
    .where("hour", "<", until)
    .groupBy("device")
    .execute();
  return new Map(rows.map(({ device, views }) => [device, views]));
}

const MAX_REFERRERS = 100;

/** The hosts that visitors came from, the most frequent first. */
export async function readReferrers(
  database: Database,
  pageId: string,
  { from, until }: Span,
): Promise<readonly { readonly host: string; readonly views: number }[]> {
  return await database
    .selectFrom("referrerDay")
    .select(({ fn }) => ["host", fn.sum<number>("views").as("views")])
    .where("pageId", "=", pageId)
    .where("day", ">=", from)
    .where("day", "<", until)
    .groupBy("host")
    .orderBy("views", "desc")
    .orderBy("host")
    .limit(MAX_REFERRERS)
    .execute();
}

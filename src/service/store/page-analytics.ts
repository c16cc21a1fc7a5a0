import { sql } from "kysely";
import { type Slice, toSlice, type Window } from "./keyset.ts";
import type { Database } from "./tables.ts";

/** A span of time in milliseconds since 1970, without its end. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** What visitors did on a page during a span of time. */
export interface PageStats {
  readonly views: number;
  readonly visitors: number;
  readonly clicks: number;
  readonly submissions: number;
  /** Views that reported how they were read. */
  readonly reads: number;
  /** Sum over them, in per cent. */
  readonly depth: number;
  /** Sum over them. */
  readonly seconds: number;
}

const NO_STATS: PageStats = { views: 0, visitors: 0, clicks: 0, submissions: 0, reads: 0, depth: 0, seconds: 0 };

/** The numbers of some pages, one for each id in the order of the ids. */
export async function readPageStats(
  database: Database,
  pageIds: readonly string[],
  span: Span,
): Promise<readonly PageStats[]> {
  if (pageIds.length === 0) return [];
  const views = await database
    .selectFrom("viewHour")
    .select(({ fn }) => [
      "pageId as id",
      fn.sum<number>("views").as("views"),
      fn.sum<number>("clicks").as("clicks"),
      fn.sum<number>("reads").as("reads"),
      fn.sum<number>("depth").as("depth"),
      fn.sum<number>("seconds").as("seconds"),
    ])
    .where("pageId", "in", pageIds)
    .where("hour", ">=", span.from)
    .where("hour", "<", span.until)
    .groupBy("pageId")
    .execute();
  const submissions = await database
    .selectFrom("submission")
    .select(({ fn }) => ["pageId as id", fn.countAll<number>().as("submissions")])
    .where("pageId", "in", pageIds)
    .where("spam", "=", false)
    .where("createdAt", ">=", new Date(span.from))
    .where("createdAt", "<", new Date(span.until))
    .groupBy("pageId")
    .execute();
  const byId = new Map<string, PageStats>();
  for (const { id, ...numbers } of [...views, ...submissions])
    byId.set(id, { ...NO_STATS, ...byId.get(id), ...numbers });
  const visitors = await countVisitors(database, pageIds, span);
  return pageIds.map((id) => ({ ...(byId.get(id) ?? NO_STATS), visitors: visitors.get(id) ?? 0 }));
}

/** How many visitors pages, sites or accounts had; who came on several days counts for each. */
export async function countVisitors(
  database: Database,
  scopes: readonly string[],
  span: Span,
): Promise<ReadonlyMap<string, number>> {
  const visitors = new Map<string, number>();
  for (const scope of scopes) {
    const hours = await readVisitorHours(database, scope, span);
    visitors.set(
      scope,
      hours.reduce((sum, { visitors }) => sum + visitors, 0),
    );
  }
  return visitors;
}

/** In which hours visitors came for the first time on their day. */
export async function readVisitorHours(
  database: Database,
  scope: string,
  { from, until }: Span,
): Promise<readonly { readonly hour: number; readonly visitors: number }[]> {
  const counted = await database
    .selectFrom("visitorCount")
    .select(["hour", "visitors"])
    .where("scope", "=", scope)
    .where("hour", ">=", from)
    .where("hour", "<", until)
    .execute();
  const seen = await database
    .selectFrom("visitorSeen")
    .select(({ fn }) => ["hour", fn.countAll<number>().as("visitors")])
    .where("scope", "=", scope)
    .where("day", ">=", from)
    .where("day", "<", until)
    .groupBy("hour")
    .execute();
  return [...counted, ...seen];
}

export interface ScopeTotals {
  readonly views: number;
  readonly submissions: number;
}

/** Views and submissions of all pages of an account, or of those of one site. */
export async function readTotals(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | undefined },
  { from, until }: Span,
): Promise<ScopeTotals> {
  const ofSite = siteId === undefined ? sql<boolean>`true` : sql<boolean>`page.site_id = ${siteId}`;
  const views = await database
    .selectFrom("viewHour")
    .innerJoin("page", "page.id", "viewHour.pageId")
    .select(({ fn }) => fn.sum<number | null>("viewHour.views").as("views"))
    .where("page.accountId", "=", accountId)
    .where(ofSite)
    .where("viewHour.hour", ">=", from)
    .where("viewHour.hour", "<", until)
    .executeTakeFirstOrThrow();
  const submissions = await database
    .selectFrom("submission")
    .innerJoin("page", "page.id", "submission.pageId")
    .select(({ fn }) => fn.countAll<number>().as("submissions"))
    .where("page.accountId", "=", accountId)
    .where(ofSite)
    .where("submission.spam", "=", false)
    .where("submission.createdAt", ">=", new Date(from))
    .where("submission.createdAt", "<", new Date(until))
    .executeTakeFirstOrThrow();
  return { views: views.views ?? 0, submissions: submissions.submissions };
}

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

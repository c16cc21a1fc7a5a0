import { sql, type RawBuilder } from "kysely";
import { toSlice, type Slice, type Window } from "./keyset.ts";
import type { Page } from "./pages.ts";
import { isInPart } from "./preview-slugs.ts";
import type { Database, Tables } from "./tables.ts";

/** A half-open time span `[from, until)` in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * Selects the pages to aggregate: one page (optionally by device or version), those of a site, or all of an account,
 * except for pages of previews.
 * `counted` is the id of a site or account whose totals are stored as views come in.
 */
export type PagesScope =
  | { readonly counted: string }
  | { readonly pageId: string; readonly device?: string | undefined; readonly version?: number | undefined }
  | { readonly accountId: string; readonly siteId: string | undefined };

// Visitor activity is stored by page and by hour or day.
const TIMES = {
  viewHour: "hour",
  viewDay: "day",
  sourceDay: "day",
  referrerDay: "day",
  scrollDay: "day",
  clickCellDay: "day",
  clickElementDay: "day",
} as const;

type Column<Name extends keyof typeof TIMES> = keyof Tables[Name] & string;

export interface Sums<Sum, By> {
  readonly scope: PagesScope;
  readonly span: Span;
  readonly sum: Sum;
  readonly by: readonly By[];
  /** @default all */
  readonly limit?: number;
}

/** Sums columns over pages, grouped by other columns, largest sums first. */
export async function readSums<Name extends keyof typeof TIMES, Sum extends Column<Name>, By extends Column<Name>>(
  database: Database,
  name: Name,
  { scope, span, sum, by, limit }: Sums<Sum, By>,
): Promise<readonly Pick<Tables[Name], Sum | By>[]> {
  const time = sql.ref(TIMES[name]);
  const columns = sql.join(by.map((column) => sql.ref(column)));
  const query = sql<Pick<Tables[Name], Sum | By>>`
    select ${columns}, sum(${sql.ref(sum)}) as ${sql.ref(sum)} from ${sql.table(name)}
    where ${isOf(scope)} and ${time} >= ${span.from} and ${time} < ${span.until}
    group by ${columns} having sum(${sql.ref(sum)}) <> 0 order by sum(${sql.ref(sum)}) desc, ${columns} ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
  return (await query.execute(database)).rows;
}

/** The scope whose stored totals can replace sums over pages; `undefined` until all earlier views are included. */
export async function findCounted(database: Database, scope: PagesScope): Promise<{ counted: string } | undefined> {
  if (!("accountId" in scope)) return undefined;
  const left = await database.selectFrom("uncountedPage").select("pageId").limit(1).executeTakeFirst();
  return left === undefined ? { counted: scope.siteId ?? scope.accountId } : undefined;
}

function isOf(scope: PagesScope): RawBuilder<boolean> {
  if ("counted" in scope) return sql`scope = ${scope.counted}`;
  if ("pageId" in scope) {
    const { pageId, device, version } = scope;
    const ofDevice = device === undefined ? sql`true` : sql`device = ${device}`;
    const ofVersion = version === undefined ? sql`true` : sql`version = ${version}`;
    return sql`page_id = ${pageId} and ${ofDevice} and ${ofVersion}`;
  }
  const ofSite = scope.siteId === undefined ? sql`true` : sql`site_id = ${scope.siteId}`;
  const isLive = isInPart("slug", "live");
  return sql`page_id in (select id from page where account_id = ${scope.accountId} and ${ofSite} and ${isLive})`;
}

/** Counts submissions through forms of these pages, excluding spam. */
export async function countSubmitted(database: Database, scope: PagesScope, { from, until }: Span): Promise<number> {
  const query = sql<{ readonly count: number }>`select count(*) as count from submission
    where ${isOf(scope)} and spam = ${false} and created_at >= ${from} and created_at < ${until}`;
  return (await query.execute(database)).rows[0]?.count ?? 0;
}

/** Returns the greatest height of a page in pixels; 0 if no browser has reported one. */
export async function readHeight(database: Database, scope: PagesScope): Promise<number> {
  const query = sql<{
    readonly height: number | null;
  }>`select max(height) as height from page_layout where ${isOf(scope)}`;
  return (await query.execute(database)).rows[0]?.height ?? 0;
}

/** Activity on a page during a time span. */
export interface PageStats {
  readonly views: number;
  readonly visitors: number;
  readonly clicks: number;
  readonly submissions: number;
  /** Views that reported scroll depth and reading time. */
  readonly reads: number;
  /** Sum over these views, in percent. */
  readonly depth: number;
  /** Sum over these views. */
  readonly seconds: number;
}

const NO_STATS: PageStats = { views: 0, visitors: 0, clicks: 0, submissions: 0, reads: 0, depth: 0, seconds: 0 };

/** Returns the stats of pages, one entry per id, in the order of the ids. */
export async function readPageStats(database: Database, pageIds: readonly string[], span: Span) {
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

/** Counts the visitors of pages, sites or accounts; a visitor counts once for each day. */
export async function countVisitors(database: Database, scopes: readonly string[], span: Span) {
  const counts = new Map<string, number>();
  for (const scope of scopes) {
    const hours = await readVisitorHours(database, scope, span);
    const total = hours.reduce((sum, { visitors }) => sum + visitors, 0);
    counts.set(scope, total);
  }
  return counts;
}

/** Counts visitors by the hour of their first visit of the day. */
export async function readVisitorHours(database: Database, scope: string, { from, until }: Span) {
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

/** What identifies a page next to its stats. */
export type PageName = Pick<Page, "id" | "slug" | "title">;

/** Lists pages by views, highest first. Pages of previews aren't included. */
export async function listPagesByViews(
  database: Database,
  accountId: string,
  { siteId, span, window }: { readonly siteId: string | undefined; readonly span: Span; readonly window: Window },
): Promise<Slice<PageName>> {
  const views = sql<number>`coalesce((select sum(views) from view_hour where view_hour.page_id = page.id and view_hour.hour >= ${span.from} and view_hour.hour < ${span.until}), 0)`;
  let ranked = database
    .selectFrom("page")
    .select(["id", "slug", "title", views.as("views")])
    .where("accountId", "=", accountId)
    .where(isInPart("slug", "live"));
  if (siteId !== undefined) ranked = ranked.where("siteId", "=", siteId);
  let query = database.selectFrom(ranked.as("ranked")).selectAll();
  const { after } = window;
  if (after !== undefined) query = query.where(sql<boolean>`(views, id) < (${after.key}, ${after.id})`);
  const rows = await query
    .orderBy("views", "desc")
    .orderBy("id", "desc")
    .limit(window.limit + 1)
    .execute();
  const ordered = rows.map(({ id, slug, title, views }) => ({ id, slug, title, sortKey: views }));
  return toSlice(ordered, window.limit);
}
